import { type ReactNode, type RefObject, useRef } from 'react'
import { type LinkProps, useNavigate, useNavigation } from 'react-router'
import type { FoundParts } from '#contract/pages/public-pages.ts'
import { LAST_PAGE } from '#contract/search/list-end.ts'
import { currentSession } from '#web/api/session.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { paths } from '#web/paths.ts'
import { ButtonLink } from '#web/site/button.tsx'
import { BuyerTool } from '#web/site/buyer-tool.tsx'
import { PageLinks } from '#web/site/card/page-links.tsx'
import { PartGrid } from '#web/site/card/part-card.tsx'
import { Link } from '#web/site/link.tsx'
import { Empty, Notice, Section } from '#web/site/page.tsx'
import { Filters } from './filters.tsx'
import {
  changedQuery,
  countFilters,
  isNarrowed,
  pageSizes,
  sortOrdersOf,
  withChange,
} from './part-filters.ts'
import classes from './parts.module.css'

type ListProps = {
  /** The list's path. */
  base: string
  /** The query of the list's address. */
  query: URLSearchParams
  /** The same search on the list of all parts, which can be saved. */
  saved: URLSearchParams
  found: FoundParts
}

type PartsListProps = Omit<ListProps, 'saved'> & {
  /** The slug of the yard whose list it is. */
  seller?: string
  /** The search field above the list. */
  children: ReactNode
}

/** Parts with filters beside them, from all yards or from one. */
export function PartsList({ base, query: asked, seller, found, children }: PartsListProps) {
  const query = withSaid(asked, found.said)
  const form = useRef<HTMLFormElement>(null)
  const apply = useApply(form, { base, query })
  const saved = new URLSearchParams(query)
  if (seller !== undefined) saved.set('seller', seller)
  const list = { base, query, saved, found }
  const shown = cutAfter(found)
  return (
    // A plain form, so that it works before hydration and without script.
    <form
      id="parts-form"
      ref={form}
      action={base}
      className={classes.list}
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      {children}
      <search aria-label="Filters">
        <Filters base={base} query={query} found={found} onChange={apply} />
      </search>
      <div className={classes.main}>
        <Understood {...list} />
        <Arrangement {...list} onChoose={apply} />
        <Results {...list} />
        <div className={classes.bar}>
          {shown !== undefined && found.page === found.lastPage && (
            <p className="second">{narrowSearch(shown)}</p>
          )}
          <select
            key={`size ${query.get('perPage')}`}
            name="perPage"
            aria-label="Per page"
            defaultValue={query.get('perPage') ?? pageSizes[0]}
            onChange={apply}
          >
            {pageSizes.map((size) => (
              <option key={size} value={size}>
                {`${size} per page`}
              </option>
            ))}
          </select>
          <PageLinks page={found.page} lastPage={found.lastPage} />
        </div>
      </div>
    </form>
  )
}

/** What the words say as a filter is shown in its field, too. */
function withSaid(asked: URLSearchParams, said: FoundParts['said'] = {}): URLSearchParams {
  const query = new URLSearchParams(asked)
  for (const [name, value] of Object.entries(said)) query.set(name, String(value))
  return query
}

/** Opens the list that the form describes, if it is a different one. */
function useApply(
  form: RefObject<HTMLFormElement | null>,
  { base, query }: Pick<ListProps, 'base' | 'query'>,
): () => void {
  const navigate = useNavigate()
  return () => {
    if (!form.current?.reportValidity()) return
    const next = changedQuery(query, new FormData(form.current)).toString()
    if (next === changedQuery(query, asForm(query)).toString()) return
    void navigate(next ? `${base}?${next}` : base, { preventScrollReset: true })
  }
}

function asForm(query: URLSearchParams): FormData {
  const form = new FormData()
  for (const [name, value] of query) if (name !== 'page' && name !== 'exact') form.set(name, value)
  return form
}

/** The list after one of a search's words is removed; a yard's list has the yard in its path. */
function addressWithout(base: string, without: string): string {
  const query = new URLSearchParams(without)
  if (base !== paths.parts) query.delete('seller')
  return query.size > 0 ? `${base}?${query}` : base
}

/** "1 product(s)", or "10,000+ product(s)" if counting stopped there. */
export const countOf = (found: FoundParts): string => `${countedOf(found)} product(s)`

const countedOf = ({ total, totalIsAtLeast }: Pick<FoundParts, 'total' | 'totalIsAtLeast'>): string =>
  `${total.toLocaleString('en-US')}${totalIsAtLeast ? '+' : ''}`

/** After how many parts the list is cut, as long ones are; undefined for one that is complete. */
function cutAfter({ total, totalIsAtLeast, lastPage, perPage }: FoundParts): number | undefined {
  if (!totalIsAtLeast) return lastPage * perPage < total ? lastPage * perPage : undefined
  if (lastPage === LAST_PAGE) return lastPage * perPage
  return lastPage === Math.ceil(total / perPage) ? total : undefined
}

const narrowSearch = (shown: number) =>
  `Showing the first ${shown.toLocaleString('en-US')} parts. Narrow your search to see others.`

/** How the words were understood, each removable, and what was changed to find something. */
function Understood({ base, saved, found, query }: ListProps) {
  const { corrected, relaxed, refused } = found
  // A yard's own page is of that yard.
  const understood = found.understood.filter(({ name }) => name !== 'seller' || base === paths.parts)
  return (
    <>
      {/* On a phone the field is in the closed sheet. */}
      {refused?.zip && <Notice tone="bad">{refused.zip}</Notice>}
      {corrected && (
        <p className={classes.note}>
          Showing results for <strong>{corrected.to}</strong>.{' '}
          <Link to={base + withChange(query, { exact: '1' })}>Search instead for {corrected.from}</Link>
        </p>
      )}
      {understood.length > 0 && (
        <ul className={classes.chips} aria-label="Your search">
          {understood.map(({ kind, label, without, isUnknown }) => (
            <li key={`${kind} ${label}`}>
              <Link
                to={addressWithout(base, without)}
                data-dropped={isUnknown ?? relaxed?.dropped.some((dropped) => dropped === kind)}
              >
                <span className="unseen">Remove </span>
                {chipNames[kind] && <span className={classes.kind}>{chipNames[kind]}</span>} {label}
                <span aria-hidden className={classes.remove}>
                  ×
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {query.get('view') === 'list' && <Interchanges found={found} />}
      {relaxed && (
        <Notice tone="information">
          {relaxed.sentence} <Link {...savingLink(saved)}>Email me when one is listed</Link>
        </Notice>
      )}
    </>
  )
}

/** Why parts with other numbers are listed. Cards say it themselves; rows have no room for it. */
function Interchanges({ found: { items } }: { found: FoundParts }) {
  const whys = new Set(items.flatMap(({ interchange }) => interchange ?? []))
  return [...whys].map((why) => (
    <p key={why} className={classes.note}>
      {why}
    </p>
  ))
}

/** A link to the page that saves the search; signed in, one click saves it. */
function savingLink(query: URLSearchParams): { to: string; onClick: LinkProps['onClick'] } {
  const to = paths.saveSearch + withChange(query, { sort: undefined, view: undefined, perPage: undefined })
  return {
    to,
    onClick(event) {
      if (!currentSession().user?.emailConfirmed) return
      event.preventDefault()
      void import('./save-search.ts').then(({ saveSearch }) => saveSearch(to))
    },
  }
}

const chipNames: Partial<Record<FoundParts['understood'][number]['kind'], string>> = {
  make: 'Make',
  model: 'Model',
  year: 'Year',
  part: 'Part',
  side: 'Side',
  number: 'Number',
  seller: 'Seller',
  vin: 'Vehicle',
  price: 'Price',
}

type ArrangementProps = ListProps & { onChoose: () => void }

/** The number of parts, and how to sort and show them. */
function Arrangement({ base, saved, found, query, onChoose }: ArrangementProps) {
  const isDense = query.get('view') === 'list'
  const sort = sortOrdersOf(query)
  return (
    <div className={classes.bar}>
      <div className={classes.found}>
        <p role="status" className={classes.count}>
          {`${countOf(found)} found`}
        </p>
        {isNarrowed(query) && <Link {...savingLink(saved)}>Save this search</Link>}
        <BuyerTool name="ShareButton" className={classes.share} />
      </div>
      <div className={classes.sort}>
        <select
          key={`sort ${query}`}
          name="sort"
          aria-label="Sort"
          defaultValue={
            sort.some(({ value }) => value === query.get('sort')) ? (query.get('sort') ?? '') : ''
          }
          onChange={onChoose}
        >
          {sort.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {isDense && <input type="hidden" name="view" value="list" />}
        <Link
          to={base + withChange(query, { view: isDense ? undefined : 'list' })}
          preventScrollReset
          className={classes.view}
        >
          {isDense ? 'Grid view' : 'List view'}
        </Link>
      </div>
    </div>
  )
}

function Results({ base, saved, found, query }: ListProps) {
  const moving = useNavigation().state !== 'idle'
  const isDense = query.get('view') === 'list'
  if (found.items.length > 0) {
    return (
      <div aria-busy={moving} className={classes.results}>
        <PartGrid parts={found.items} isMain dense={isDense} />
        <Near found={found} isDense={isDense} />
      </div>
    )
  }
  if (!isNarrowed(query))
    return <Empty title="No parts yet." text="Check back soon." drawing={emptyDrawing} />
  const words = query.get('q')
  const isOnlyWords = words !== null && countFilters(query) === 0
  return (
    <>
      <Empty
        title={isOnlyWords ? `No parts found for “${words}”` : 'No parts match your filters.'}
        text={
          isOnlyWords
            ? 'Check the spelling, try fewer words, or just the digits of the part number.'
            : 'Remove a filter, or search for fewer words.'
        }
        action={
          <>
            <Offers base={base} found={found} />
            <ButtonLink look="filled" {...savingLink(saved)}>
              Email me when one is listed
            </ButtonLink>
            <ButtonLink to={base}>{isOnlyWords ? 'Show all parts' : 'Clear filters'}</ButtonLink>
          </>
        }
        drawing={emptyDrawing}
      />
      <Near found={found} isDense={isDense} />
    </>
  )
}

/** The filters that left nothing, each with what its removal would show. */
function Offers({ base, found: { offers = [] } }: Pick<ListProps, 'base' | 'found'>) {
  const removable = offers.slice(0, MOST_OFFERED)
  if (removable.length === 0) return null
  return (
    <ul className={classes.offers} aria-label="Filters to remove">
      {removable.map((offer) => (
        <li key={offer.label}>
          <Link to={addressWithout(base, offer.without)}>
            {`Remove “${offer.label}”: ${countedOf(offer)} ${offer.total === 1 ? 'part' : 'parts'}`}
          </Link>
        </li>
      ))}
    </ul>
  )
}

const MOST_OFFERED = 5

/** Similar parts, if only few match everything. */
function Near({ found: { near }, isDense }: { found: FoundParts; isDense: boolean }) {
  if (!near || near.items.length === 0) return null
  return (
    <Section id="near" title={near.sentence}>
      <PartGrid parts={near.items} heading="h3" dense={isDense} />
    </Section>
  )
}
