import { Anchor, Button, Stack, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { LandingPage } from '#contract/landing.ts'
import { landingPath } from '#contract/landing-paths.ts'
import classes from '#web/components/landing/landing.module.css'
import { RelatedLinks } from '#web/components/landing/related-links.tsx'
import { TopNames } from '#web/components/landing/top-names.tsx'
import { useMetaDescription } from '#web/components/landing/use-meta-description.ts'
import { ListingCard } from '#web/components/listing-card/listing-card.tsx'
import { formatPrice } from '#web/components/listing-card/listing-words.ts'
import { ListingResults } from '#web/components/listing-filters/listing-results.tsx'
import { useListState } from '#web/components/listing-filters/use-list-state.ts'
import { Page } from '#web/components/page.tsx'
import { paths } from '#web/paths.ts'
import { noFilters, usePublicListings } from './public-listings.ts'

/** What is said about a category, manufacturer or model, its parts, and where to go from here. */
export function LandingContent({ page }: { page: LandingPage }) {
  useMetaDescription(page.metaDescription)
  return (
    <Page title={page.title} heading={headingOf(page)}>
      <Stack gap="xl">
        <Stack gap="md">
          {page.manufacturer?.slug && (
            <Anchor component={Link} to={landingPath('manufacturer', page.manufacturer.slug)}>
              All {page.manufacturer.name} parts
            </Anchor>
          )}
          <p className={classes.intro}>{page.intro}</p>
          <Figures page={page} />
        </Stack>
        <div className={classes.tops}>
          <TopNames title="By category" kind="category" names={page.topCategories} />
          <TopNames title="By make" kind="manufacturer" names={page.topManufacturers} />
          <TopNames title="By model" kind="model" names={page.topModels} />
        </div>
        <Parts page={page} />
        <RelatedLinks links={page.related} />
      </Stack>
    </Page>
  )
}

function headingOf({ kind, name, manufacturer }: LandingPage): string {
  if (kind === 'category') return name
  return `${manufacturer ? `${manufacturer.name} ` : ''}${name} parts`
}

function Figures({ page: { parts, priceFrom, priceTo } }: { page: LandingPage }) {
  if (parts === 0) return null
  return (
    <dl className={classes.figures}>
      <div>
        <dt>Parts</dt>
        <dd>{parts.toLocaleString('en-US')}</dd>
      </div>
      {priceFrom !== null && priceTo !== null && (
        <div>
          <dt>Prices</dt>
          <dd>
            {formatPrice(priceFrom, 'USD')}
            {priceTo > priceFrom && ` to ${formatPrice(priceTo, 'USD')}`}
          </dd>
        </div>
      )}
    </dl>
  )
}

const filterOf = { category: 'categoryId', manufacturer: 'manuId', model: 'modelId' } as const

function Parts({ page }: { page: LandingPage }) {
  const list = useListState({})
  const filters = {
    ...noFilters,
    [filterOf[page.kind]]: page.lookupId,
    ...(page.manufacturer && { manuId: page.manufacturer.id }),
  }
  const listings = usePublicListings({ ...list, filters })
  return (
    <section aria-labelledby="parts">
      <Title order={2} id="parts" mb="md">
        Parts for sale
      </Title>
      <ListingResults
        list={list}
        answer={listings}
        failure="Unable to load the parts"
        none={{
          title: 'Nothing is listed here right now.',
          text: 'Yards add parts every day. Until then, search all of them.',
          action: (
            <Button component={Link} to={paths.parts}>
              Search all parts
            </Button>
          ),
        }}
        card={(listing, first) => (
          <ListingCard listing={listing} to={paths.part(listing.partslug)} first={first} heading="h3" />
        )}
      />
    </section>
  )
}
