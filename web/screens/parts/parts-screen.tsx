import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLoaderData, useLocation, useNavigate, useNavigation } from 'react-router'
import type { FilterChoices, FoundParts, PartsPage } from '#contract/pages/public-pages.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { paths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/site/button.tsx'
import { PageLinks, withPage } from '#web/site/card/page-links.tsx'
import { PartGrid } from '#web/site/card/part-card.tsx'
import { SelectField, TextField } from '#web/site/form/field.tsx'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import { Empty, Page } from '#web/site/page.tsx'
import { breadcrumbList, itemList } from '#web/site/structured-data.ts'
import { changedQuery, isNarrowed, pageSizes, sortOrders } from './part-filters.ts'
import classes from './parts.module.css'

/** Cards visible on a large screen without scrolling. */
const visibleAtFirst = 4

export function Component() {
  const { found, choices } = useLoaderData<PartsPage>()
  const { search } = useLocation()
  const query = new URLSearchParams(search)
  return (
    <Page heading="Find Auto Parts" lead="Used and OEM parts, straight from the yards.">
      <PartsHead found={found} query={query} />
      <Filters query={query} choices={choices} />
      <div className={classes.bar}>
        <p id="listing-count" role="status" tabIndex={-1} className={classes.count}>
          {`${countOf(found)} found`}
        </p>
        <PageLinks page={found.page} lastPage={found.lastPage} label="Pages, above the list" />
      </div>
      <Results found={found} search={search} narrowed={isNarrowed(query)} />
      <div className={classes.bar}>
        {isCapped(found) && found.page === found.lastPage && <p className="second">{narrowSearch(found)}</p>}
        <PageLinks page={found.page} lastPage={found.lastPage} label="Pages, below the list" />
      </div>
    </Page>
  )
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
      things={[
        breadcrumbList(origin, [
          { to: paths.home, label: 'Home' },
          { to: paths.parts, label: 'Find Auto Parts' },
        ]),
        itemList(origin, found.items),
      ]}
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

function Results({ found, search, narrowed }: { found: FoundParts; search: string; narrowed: boolean }) {
  const moving = useNavigation().state !== 'idle'
  if (found.items.length > 0) {
    return (
      <div aria-busy={moving} className={classes.results}>
        <PartGrid parts={found.items} firstVisible={visibleAtFirst} />
      </div>
    )
  }
  if (found.total > 0) {
    return (
      <Empty
        title={`There is no page ${found.page}`}
        text={isCapped(found) ? narrowSearch(found) : 'That page no longer exists.'}
        action={<ButtonLink to={paths.parts + withPage(search, 1)}>Go to the first page</ButtonLink>}
      />
    )
  }
  if (!narrowed) return <Empty title="No parts yet." text="Check back soon." drawing={emptyDrawing} />
  return (
    <Empty
      title="No products match these filters."
      text="Try fewer words, another category or just the digits of the part number."
      action={<ButtonLink to={paths.parts}>Clear filters</ButtonLink>}
      drawing={emptyDrawing}
    />
  )
}

/** Spec, section 9. */
const typingPauseMs = 350
/** Cars older than this are rare; words find them. */
const oldestYear = 1950

/** A plain form, so that it works before its script has come, or without it. With script every change is applied at once. */
function Filters({ query, choices }: { query: URLSearchParams; choices: FilterChoices }) {
  const form = useRef<HTMLFormElement>(null)
  const navigate = useNavigate()
  const apply = (how: { replace: boolean }) => {
    if (!form.current) return
    const next = changedQuery(query, new FormData(form.current)).toString()
    if (next !== changedQuery(query, asForm(query)).toString()) {
      void navigate(next ? `${paths.parts}?${next}` : paths.parts, { ...how, preventScrollReset: true })
    }
  }
  return (
    <search>
      <form
        ref={form}
        action={paths.parts}
        className={classes.filters}
        onSubmit={(event) => {
          event.preventDefault()
          apply({ replace: false })
        }}
      >
        <div className={classes.words}>
          <Words value={query.get('q') ?? ''} onPause={() => apply({ replace: true })} />
          <Button type="submit" look="filled">
            Search
          </Button>
        </div>
        <Selects query={query} choices={choices} onChoose={() => apply({ replace: false })} />
        {isNarrowed(query) && (
          <ButtonLink to={paths.parts} look="quiet" className={classes.clear}>
            Clear filters
          </ButtonLink>
        )}
      </form>
    </search>
  )
}

function asForm(query: URLSearchParams): FormData {
  const form = new FormData()
  for (const [name, value] of query) if (name !== 'page') form.set(name, value)
  return form
}

/** The words, sent after a pause in typing. A value from elsewhere (Back, Clear filters) replaces the typed text. */
function Words({ value, onPause }: { value: string; onPause: () => void }) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    if (value !== text.trim()) setText(value)
  }
  const send = useEffectEvent(() => {
    if (text.trim() !== value) onPause()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: every keystroke begins the pause again
  useEffect(() => {
    const timer = setTimeout(() => send(), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <TextField
      label="Search"
      name="q"
      type="search"
      placeholder="Camry alternator or part number"
      // The server refuses longer searches.
      maxLength={200}
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}

type SelectsProps = { query: URLSearchParams; choices: FilterChoices; onChoose: () => void }

function Selects({ query, choices, onChoose }: SelectsProps) {
  const manufacturer = query.get('manuId')
  const newest = new Date().getUTCFullYear()
  const years = Array.from({ length: newest - oldestYear + 1 }, (_, back) => String(newest - back))
  const select = (name: string) => ({
    name,
    // Uncontrolled, so that a choice made before the script came stays; by its value, so that Back brings the old one.
    key: `${name} ${query.get(name)}`,
    defaultValue: query.get(name) ?? '',
    onChange: onChoose,
  })
  const lookups = [
    { ...select('categoryId'), label: 'Category', any: 'All categories', options: choices.categories },
    { ...select('manuId'), label: 'Manufacturer', any: 'All manufacturers', options: choices.manufacturers },
    {
      ...select('modelId'),
      label: 'Model',
      any: manufacturer ? 'All models' : 'Choose a manufacturer',
      options: choices.models,
      disabled: !manufacturer,
    },
  ]
  return (
    <div className={classes.selects}>
      {lookups.map(({ key, any, options, ...field }) => (
        <SelectField key={key} {...field}>
          <option value="">{any}</option>
          {options.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      ))}
      <SelectField label="Year" {...select('year')}>
        <option value="">All years</option>
        {years.map((year) => (
          <option key={year}>{year}</option>
        ))}
      </SelectField>
      <SelectField label="Sort" {...select('sort')}>
        {sortOrders.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField label="Per page" {...select('perPage')}>
        {pageSizes.map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
