import { type RefObject, useRef } from 'react'
import { Link, type LinkProps, useLoaderData, useLocation, useNavigate, useNavigation } from 'react-router'
import type { FoundParts, PartsPage } from '#contract/pages/public-pages.ts'
import { currentSession } from '#web/api/session.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { paths } from '#web/paths.ts'
import { ButtonLink } from '#web/site/button.tsx'
import { BuyerTool } from '#web/site/buyer-tool.tsx'
import { PageLinks, withPage } from '#web/site/card/page-links.tsx'
import { PartGrid } from '#web/site/card/part-card.tsx'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import { Empty, Notice, Page, Section } from '#web/site/page.tsx'
import { PlainRow, useSuggesting } from '#web/site/plain-search.tsx'
import { breadcrumbList, itemList } from '#web/site/structured-data.ts'
import { Filters } from './filters.tsx'
import { changedQuery, isNarrowed, pageSizes, sortOrdersOf, withChange } from './part-filters.ts'
import classes from './parts.module.css'

/** Cards visible on a large screen without scrolling. */
const visibleAtFirst = 4

const formId = 'parts-form'

export function Component() {
  const { found, choices } = useLoaderData<PartsPage>()
  const { search } = useLocation()
  const query = new URLSearchParams(search)
  const form = useRef<HTMLFormElement>(null)
  const apply = useApply(form, query)
  return (
    <Page heading="Find Auto Parts" lead="Used and OEM parts, straight from the yards.">
      <PartsHead found={found} query={query} />
      {/* A plain form, so that it works before its script has come, or without it. */}
      <form
        id={formId}
        ref={form}
        action={paths.parts}
        className={classes.list}
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <Words query={query} />
        <BuyerTool name="VehicleChips" className={classes.vehicles}>
          <Link to={paths.garage}>Add your vehicle</Link>
        </BuyerTool>
        <search aria-label="Filters">
          <Filters query={query} found={found} choices={choices} onChange={apply} />
        </search>
        <div className={classes.main}>
          <Understood found={found} query={query} />
          <Arrangement found={found} query={query} onChoose={apply} />
          <Results found={found} query={query} />
          <div className={classes.bar}>
            {isCapped(found) && found.page === found.lastPage && (
              <p className="second">{narrowSearch(found)}</p>
            )}
            <PageLinks page={found.page} lastPage={found.lastPage} label="Pages, below the list" />
          </div>
        </div>
      </form>
    </Page>
  )
}

function Words({ query }: { query: URLSearchParams }) {
  const { place, box: Box, words, load } = useSuggesting(query.get('q') ?? '')
  const row = { words, label: 'Search', placeholder: 'Camry alternator or part number' }
  return (
    <search className={classes.words}>
      <div ref={place}>{Box ? <Box.SearchRow {...row} /> : <PlainRow {...row} onTurn={load} />}</div>
    </search>
  )
}

/** Goes to the list that the form describes, if it is another one. */
function useApply(form: RefObject<HTMLFormElement | null>, query: URLSearchParams): () => void {
  const navigate = useNavigate()
  return () => {
    if (!form.current?.reportValidity()) return
    const next = changedQuery(query, new FormData(form.current)).toString()
    if (next === changedQuery(query, asForm(query)).toString()) return
    void navigate(next ? `${paths.parts}?${next}` : paths.parts, { preventScrollReset: true })
  }
}

function asForm(query: URLSearchParams): FormData {
  const form = new FormData()
  for (const [name, value] of query) if (name !== 'page' && name !== 'exact') form.set(name, value)
  return form
}

/** Filters make endless pages: search engines follow their links and keep the list itself, page by page. */
function PartsHead({ found, query }: { found: FoundParts; query: URLSearchParams }) {
  const { origin } = useSiteFacts()
  const words = query.get('q')
  const page = found.page > 1 ? `, page ${found.page}` : ''
  const isFiltered = [...query.keys()].some((name) => name !== 'page')
  return (
    <Head
      title={words ? `${words}: used auto parts${page}` : `Find Auto Parts${page}`}
      description={`${countOf(found)}: used and OEM parts, straight from the yards, with price, grade and mileage.`}
      canonical={isFiltered ? paths.parts : paths.parts + withPage('', found.page)}
      noindex={isFiltered || found.items.length === 0}
      things={
        import.meta.env.SSR &&
        (() => [
          breadcrumbList(origin, [
            { to: paths.home, label: 'Home' },
            { to: paths.parts, label: 'Find Auto Parts' },
          ]),
          itemList(origin, found.items),
        ])
      }
    />
  )
}

/** "1 product(s)", or "10,000+ product(s)" if counting stopped there. */
const countOf = ({ total, totalIsAtLeast }: FoundParts): string =>
  `${total.toLocaleString('en-US')}${totalIsAtLeast ? '+' : ''} product(s)`

/** Whether the list stops before its last match, as long searches do. An unfiltered list is always complete. */
const isCapped = ({ total, totalIsAtLeast, lastPage, perPage }: FoundParts): boolean =>
  totalIsAtLeast === true && lastPage === Math.ceil(total / perPage)

const narrowSearch = ({ total }: FoundParts) =>
  `Showing the first ${total.toLocaleString('en-US')} products. To see others, narrow your search, for example by model or year.`

/** What the words were taken for, each removable, and what was done to find something. */
function Understood({ found, query }: { found: FoundParts; query: URLSearchParams }) {
  const { understood, corrected, relaxed } = found
  return (
    <>
      {corrected && (
        <p className={classes.told}>
          Showing results for <strong>{corrected.to}</strong>.{' '}
          <Link to={paths.parts + withChange(query, { exact: '1' })}>
            Search instead for {corrected.from}
          </Link>
        </p>
      )}
      {understood.length > 0 && (
        <ul className={classes.chips} aria-label="Your search">
          {understood.map(({ kind, label, without }) => (
            <li key={`${kind} ${label}`}>
              <Link to={without ? `${paths.parts}?${without}` : paths.parts} aria-label={`Remove ${label}`}>
                <span className={classes.kind}>{chipNames[kind]}</span> {label}
                <span aria-hidden className={classes.remove}>
                  ×
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {relaxed && (
        <Notice tone="information">
          {relaxed.sentence} <Link {...savingLink(query)}>Tell me when one comes in</Link>
        </Notice>
      )}
    </>
  )
}

/** A link to the page that saves the search; signed in, one click saves it. */
function savingLink(query: URLSearchParams): Pick<LinkProps, 'to' | 'onClick'> {
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

const chipNames: Record<FoundParts['understood'][number]['kind'], string> = {
  make: 'Make',
  model: 'Model',
  year: 'Year',
  part: 'Part',
  side: 'Side',
  size: 'Size',
  number: 'Number',
  seller: 'Seller',
  vin: 'Vehicle',
}

type ArrangementProps = { found: FoundParts; query: URLSearchParams; onChoose: () => void }

/** How many there are, and the ways to arrange them. */
function Arrangement({ found, query, onChoose }: ArrangementProps) {
  const isDense = query.get('view') === 'list'
  const sort = sortOrdersOf(query)
  return (
    <div className={classes.bar}>
      <p id="listing-count" role="status" tabIndex={-1} className={classes.count}>
        {`${countOf(found)} found`}
      </p>
      {isNarrowed(query) && <Link {...savingLink(query)}>Save this search</Link>}
      <div className={classes.ways}>
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
        <select
          key={`size ${query.get('perPage')}`}
          name="perPage"
          aria-label="Per page"
          defaultValue={query.get('perPage') ?? pageSizes[0]}
          onChange={onChoose}
        >
          {pageSizes.map((size) => (
            <option key={size} value={size}>
              {`${size} a page`}
            </option>
          ))}
        </select>
        {isDense && <input type="hidden" name="view" value="list" />}
        <Link
          to={paths.parts + withChange(query, { view: isDense ? undefined : 'list' })}
          preventScrollReset
          className={classes.view}
        >
          {isDense ? 'Show as cards' : 'Show as list'}
        </Link>
      </div>
      <PageLinks page={found.page} lastPage={found.lastPage} label="Pages, above the list" />
    </div>
  )
}

function Results({ found, query }: { found: FoundParts; query: URLSearchParams }) {
  const moving = useNavigation().state !== 'idle'
  const isDense = query.get('view') === 'list'
  if (found.items.length > 0) {
    return (
      <div aria-busy={moving} className={classes.results}>
        <PartGrid parts={found.items} firstVisible={visibleAtFirst} dense={isDense} />
        <Near found={found} isDense={isDense} />
      </div>
    )
  }
  if (found.total > 0) {
    return (
      <Empty
        title={`There is no page ${found.page}`}
        text={isCapped(found) ? narrowSearch(found) : 'That page no longer exists.'}
        action={<ButtonLink to={paths.parts + withPage(`?${query}`, 1)}>Go to the first page</ButtonLink>}
      />
    )
  }
  if (!isNarrowed(query))
    return <Empty title="No parts yet." text="Check back soon." drawing={emptyDrawing} />
  return (
    <>
      <Empty
        title="No products match these filters."
        text="Try fewer words, another category or just the digits of the part number."
        action={
          <>
            <ButtonLink look="filled" {...savingLink(query)}>
              Tell me when one comes in
            </ButtonLink>
            <ButtonLink to={paths.parts}>Clear filters</ButtonLink>
          </>
        }
        drawing={emptyDrawing}
      />
      <Near found={found} isDense={isDense} />
    </>
  )
}

/** Parts like those, where few have everything. */
function Near({ found: { near }, isDense }: { found: FoundParts; isDense: boolean }) {
  if (!near || near.items.length === 0) return null
  return (
    <Section id="near" title={near.sentence}>
      <PartGrid parts={near.items} heading="h3" dense={isDense} />
    </Section>
  )
}
