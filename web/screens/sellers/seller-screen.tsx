import { useLoaderData, useLocation } from 'react-router'
import type { SellerParts } from '#contract/pages/public-pages.ts'
import type { PublicYard } from '#contract/pages/sellers.ts'
import { isAroundTheClock, type OpenTimes } from '#contract/pages/yard-words.ts'
import empty from '#web/artwork/empty.svg?url'
import { paths } from '#web/paths.ts'
import { readableQuery } from '#web/screens/parts/part-filters.ts'
import { PartsList } from '#web/screens/parts/parts-list.tsx'
import { ButtonLink } from '#web/site/button.tsx'
import { withPage } from '#web/site/card/page-links.tsx'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import { type Crumb, Empty, Page, Trail } from '#web/site/page.tsx'
import { PlainRow } from '#web/site/plain-search.tsx'
import { waitOf } from '#web/site/seller/seller-facts.tsx'
import { starsInWords } from '#web/site/seller/standing.tsx'
import { breadcrumbList, itemList } from '#web/site/structured-data.ts'
import classes from './seller.module.css'
import { daysTogether, YardCards } from './yard-card.tsx'
import { YardReviews } from './yard-reviews.tsx'

const trail: Crumb[] = [{ to: paths.parts, label: 'Auto parts' }]

/** A yard's page: what it says about itself, and its parts for sale with the filters of the parts list. */
export function Component() {
  const { seller, found } = useLoaderData<SellerParts>()
  const query = readableQuery(new URLSearchParams(useLocation().search), found.chosen)
  const place = [seller.city, seller.state].filter(Boolean).join(', ')
  return (
    <Page
      heading={seller.name}
      lead={leadOf(seller, place)}
      trail={<Trail links={trail} here={seller.name} />}
    >
      <SellerHead seller={seller} place={place} found={found} query={query} />
      <YardCards yard={seller} />
      <YardReviews yard={seller} />
      <section aria-labelledby="stock">
        <h2 id="stock" className={classes.stock}>
          Parts for sale
        </h2>
        {seller.parts > 0 ? (
          <PartsList base={paths.seller(seller.slug)} seller={seller.slug} query={query} found={found}>
            <search className={classes.search}>
              <PlainRow
                words={query.get('q') ?? ''}
                label={`Search the parts of ${seller.name}`}
                placeholder="Search this yard"
                load={nothing}
              />
            </search>
          </PartsList>
        ) : (
          <Empty
            drawing={empty}
            title="Nothing for sale right now."
            text="New parts come in every day. Try searching all parts."
            action={<ButtonLink to={paths.parts}>Search all parts</ButtonLink>}
          />
        )}
      </section>
    </Page>
  )
}

/** No suggestions: they would be from all yards. */
const nothing = async () => undefined

/** "Joplin, MO · Member since 2024 · Usually replies within 2 hours" */
function leadOf(seller: PublicYard, place: string): string {
  const { since, answersWithinHours } = seller
  return [
    place,
    starsInWords(seller),
    `Member since ${new Date(since).getUTCFullYear()}`,
    answersWithinHours !== null && `Usually replies within ${waitOf(answersWithinHours)}`,
  ]
    .filter(Boolean)
    .join(' · ')
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
          store(origin, seller),
          itemList(origin, found.items),
        ])
      }
    />
  )
}

/** Without coordinates: we only know the center of the ZIP code. */
function store(origin: string, yard: PublicYard): object {
  const { slug, name, street, city, state, zip, phone, hours, stars, reviews } = yard
  const address = {
    ...(street && { streetAddress: street }),
    ...(city && { addressLocality: city }),
    ...(state && { addressRegion: state }),
    ...(zip && { postalCode: zip }),
  }
  return {
    '@type': 'AutoPartsStore',
    name,
    url: origin + paths.seller(slug),
    ...(phone && { telephone: phone }),
    ...(Object.keys(address).length > 0 && {
      address: { '@type': 'PostalAddress', ...address, addressCountry: 'US' },
    }),
    // Search engines want ratings that visitors can read on the page: from five reviews up.
    ...(stars !== null && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: stars,
        reviewCount: reviews,
        bestRating: 5,
      },
    }),
    ...(hours && {
      openingHours: daysTogether(hours).flatMap(({ from, to }) => {
        const times = hours[from]
        const days = from === to ? short(from) : `${short(from)}-${short(to)}`
        return times ? [`${days} ${spanOf(times)}`] : []
      }),
    }),
  }
}

/** "Mo" */
const short = (day: string) => day.charAt(0).toUpperCase() + day.charAt(1)

/** A whole day ends at 23:59, as search engines expect. */
const spanOf = (times: OpenTimes) =>
  isAroundTheClock(times) ? '00:00-23:59' : `${times.opens}-${times.closes}`
