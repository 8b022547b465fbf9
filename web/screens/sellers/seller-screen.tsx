import { Form, useLoaderData, useLocation } from 'react-router'
import type { SellerParts } from '#contract/pages/public-pages.ts'
import type { PublicSeller } from '#contract/pages/sellers.ts'
import empty from '#web/artwork/empty.svg?url'
import { paths } from '#web/paths.ts'
import { sortOrdersOf } from '#web/screens/parts/part-filters.ts'
import { Button, ButtonLink } from '#web/site/button.tsx'
import { PageLinks, withPage } from '#web/site/card/page-links.tsx'
import { PartGrid } from '#web/site/card/part-card.tsx'
import { SelectField, TextField } from '#web/site/form/field.tsx'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import { type Crumb, Empty, Page, Trail } from '#web/site/page.tsx'
import { breadcrumbList, itemList } from '#web/site/structured-data.ts'
import classes from './seller.module.css'

const trail: Crumb[] = [{ to: paths.parts, label: 'Auto parts' }]

// Cards visible on a large screen without scrolling.
const visibleAtFirst = 4

/** A seller's parts for sale, with a search among them. */
export function Component() {
  const { seller, found } = useLoaderData<SellerParts>()
  const query = new URLSearchParams(useLocation().search)
  const place = [seller.city, seller.state].filter(Boolean).join(', ')
  const since = new Date(seller.since).getUTCFullYear()
  return (
    <Page
      heading={seller.name}
      lead={`${place ? `${place} · ` : ''}Selling here since ${since}`}
      trail={<Trail links={trail} here={seller.name} />}
    >
      <SellerHead seller={seller} place={place} found={found} query={query} />
      {seller.parts > 0 && <Search query={query} name={seller.name} />}
      <div className={classes.bar}>
        <p role="status" className={classes.count}>
          {countOf(found)} found
        </p>
        <PageLinks page={found.page} lastPage={found.lastPage} label="Pages, above the list" />
      </div>
      <Results seller={seller} found={found} />
      <PageLinks page={found.page} lastPage={found.lastPage} label="Pages, below the list" />
    </Page>
  )
}

type SellerHeadProps = SellerParts & { place: string; query: URLSearchParams }

function SellerHead({ seller, place, found, query }: SellerHeadProps) {
  const { origin } = useSiteFacts()
  const path = paths.seller(seller.slug)
  const isFiltered = [...query.keys()].some((name) => name !== 'page')
  const page = found.page > 1 ? `, page ${found.page}` : ''
  return (
    <Head
      title={`Used auto parts from ${seller.name}${place ? ` in ${place}` : ''}${page}`}
      description={`${seller.parts.toLocaleString('en-US')} used and OEM parts from ${seller.name}${place ? ` in ${place}` : ''}, with price, grade and mileage.`}
      canonical={isFiltered ? path : path + withPage('', found.page)}
      image={found.items.find(({ imageUrl }) => imageUrl)?.imageUrl ?? null}
      noindex={isFiltered || found.items.length === 0}
      things={
        import.meta.env.SSR &&
        (() => [
          breadcrumbList(origin, [...trail, { to: path, label: seller.name }]),
          organization(origin, seller),
          itemList(origin, found.items),
        ])
      }
    />
  )
}

const organization = (origin: string, { slug, name, city, state }: PublicSeller): object => ({
  '@type': 'Organization',
  name,
  url: origin + paths.seller(slug),
  ...(city && {
    address: { '@type': 'PostalAddress', addressLocality: city, ...(state && { addressRegion: state }) },
  }),
})

/** A plain form, so that it works before its script has come, or without it. */
function Search({ query, name }: { query: URLSearchParams; name: string }) {
  const value = (field: string) => query.get(field) ?? ''
  return (
    <search>
      <Form className={classes.search} key={query.toString()}>
        <TextField
          label={`Search the parts of ${name}`}
          name="q"
          type="search"
          maxLength={200}
          autoComplete="off"
          defaultValue={value('q')}
        />
        <SelectField label="Sort" name="sort" defaultValue={value('sort')}>
          {sortOrdersOf(query).map((order) => (
            <option key={order.value} value={order.value}>
              {order.label}
            </option>
          ))}
        </SelectField>
        <Button type="submit" look="filled">
          Search
        </Button>
      </Form>
    </search>
  )
}

function Results({ seller, found }: SellerParts) {
  if (found.items.length > 0) return <PartGrid parts={found.items} firstVisible={visibleAtFirst} />
  if (seller.parts === 0) {
    return (
      <Empty
        drawing={empty}
        title="Nothing for sale right now."
        text="Yards add parts every day. Try searching all parts."
        action={<ButtonLink to={paths.parts}>Search all parts</ButtonLink>}
      />
    )
  }
  return (
    <Empty
      drawing={empty}
      title="No products match your search."
      text="Try fewer words, or just the digits of the part number."
      action={<ButtonLink to={paths.seller(seller.slug)}>Show all parts</ButtonLink>}
    />
  )
}

/** "1 product(s)", or "10,000+ product(s)" if counting stopped there. */
const countOf = ({ total, totalIsAtLeast }: SellerParts['found']): string =>
  `${total.toLocaleString('en-US')}${totalIsAtLeast ? '+' : ''} product(s)`
