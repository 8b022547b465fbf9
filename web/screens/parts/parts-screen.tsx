import { useLoaderData, useLocation } from 'react-router'
import type { FoundParts } from '#contract/pages/public-pages.ts'
import { paths } from '#web/paths.ts'
import { BuyerTool } from '#web/site/buyer-tool.tsx'
import { withPage } from '#web/site/card/page-links.tsx'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import { Link } from '#web/site/link.tsx'
import { Page } from '#web/site/page.tsx'
import { PlainRow, useSuggesting } from '#web/site/plain-search.tsx'
import { breadcrumbList, itemList } from '#web/site/structured-data.ts'
import { readableQuery } from './part-filters.ts'
import classes from './parts.module.css'
import { countOf, PartsList } from './parts-list.tsx'

export function Component() {
  const found = useLoaderData<FoundParts>()
  const { search } = useLocation()
  const query = readableQuery(new URLSearchParams(search), found.chosen)
  return (
    <Page heading={found.title ?? 'Find Auto Parts'} lead="Used and OEM parts, straight from the yards.">
      <PartsHead found={found} query={query} />
      <PartsList base={paths.parts} query={query} found={found}>
        <Words query={query} />
        <BuyerTool name="VehicleChips" className={classes.vehicles}>
          <Link to={paths.garage}>Add your vehicle</Link>
        </BuyerTool>
      </PartsList>
    </Page>
  )
}

function Words({ query }: { query: URLSearchParams }) {
  const { place, box: Box, words, load } = useSuggesting(query.get('q') ?? '')
  const row = { words, label: 'Search', placeholder: 'Part, number or vehicle' }
  return (
    <search className={classes.words}>
      <div ref={place}>{Box ? <Box.SearchRow {...row} /> : <PlainRow {...row} load={load} />}</div>
    </search>
  )
}

/** "Toyota Camry Alternator: used auto parts" */
const nameOf = ({ title = 'Find Auto Parts' }: FoundParts): string =>
  /parts\b/i.test(title) ? title : `${title}: used auto parts`

/** Filters create endless pages: search engines only follow their links, and index the plain list page by page. */
function PartsHead({ found, query }: { found: FoundParts; query: URLSearchParams }) {
  const { origin } = useSiteFacts()
  const page = found.page > 1 ? `, page ${found.page}` : ''
  const isFiltered = [...query.keys()].some((name) => name !== 'page')
  return (
    <Head
      title={nameOf(found) + page}
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
