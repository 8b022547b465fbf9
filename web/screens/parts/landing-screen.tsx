import { Skeleton, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId } from 'react'
import { Navigate, useLocation, useParams } from 'react-router'
import { type LandingKind, type LandingPage, landingEndpoints } from '#contract/landing.ts'
import { landingPath } from '#contract/landing-addresses.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { ListingCard } from '#web/components/listing-card/listing-card.tsx'
import { formatPrice } from '#web/components/listing-card/listing-words.ts'
import { useListState } from '#web/components/listing-filters/list-state.ts'
import { ListingResults } from '#web/components/listing-filters/listing-results.tsx'
import { Loaded } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import { paths } from '#web/paths.ts'
import { Component as NotFound } from '#web/screens/not-found/not-found-screen.tsx'
import classes from './landing.module.css'
import { noFilters, usePublicListings } from './public-listings.ts'
import { RelatedLinks } from './related-links.tsx'

/** The landing page of a category, manufacturer or model. An old slug redirects to the current one. */
export function LandingScreen({ kind }: { kind: LandingKind }): ReactNode {
  const { make, model, category, slug = [make, model, category].filter(Boolean).join('/') } = useParams()
  const page = useQuery<LandingPage>({
    queryKey: ['landing', kind, slug],
    queryFn: ({ signal }) => call(landingEndpoints.readLandingPage, { params: { kind, slug }, signal }),
  })
  const { search } = useLocation()
  if (page.data && page.data.slug !== slug) {
    return <Navigate to={landingPath(kind, page.data.slug) + search} replace />
  }
  if (page.data) return <LandingContent key={`${kind}/${slug}`} page={page.data} />
  if (page.error instanceof ApiError && page.error.status === 404) return <NotFound />
  return (
    <Page title="Auto parts">
      <Loaded
        query={page}
        failure="Unable to load this page"
        waiting={
          <Stack role="status" aria-label="Loading…">
            <Skeleton height={90} maw="46rem" />
            <Skeleton height={300} />
          </Stack>
        }
      />
    </Page>
  )
}

function LandingContent({ page }: { page: LandingPage }) {
  useMetaDescription(page.metaDescription)
  return (
    <Page title={page.title} heading={page.heading}>
      <Stack gap="xl">
        <Stack gap="md">
          <Breadcrumbs page={page} />
          <p className={classes.intro}>{page.intro}</p>
          <Figures page={page} />
        </Stack>
        <div className={classes.tops}>
          <TopNames
            title="By category"
            kind={page.kind === 'model' ? 'model' : 'category'}
            names={page.topCategories}
          />
          <TopNames title="By make" kind="manufacturer" names={page.topManufacturers} />
          <TopNames title="By model" kind="model" names={page.topModels} />
        </div>
        <Parts page={page} />
        <RelatedLinks links={page.related} />
      </Stack>
    </Page>
  )
}

function Breadcrumbs({ page: { breadcrumbs, heading } }: { page: LandingPage }) {
  return (
    <nav aria-label="Breadcrumbs">
      <ol className={classes.breadcrumbs}>
        {breadcrumbs.map(({ name, path }) => (
          <li key={path}>
            <TextLink to={path}>{name}</TextLink>
          </li>
        ))}
        <li aria-current="page">{heading}</li>
      </ol>
    </nav>
  )
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
    ...(page.category && { categoryId: page.category.id }),
  }
  const listings = usePublicListings({ ...list, filters })
  return (
    <section aria-labelledby="parts">
      <Title id="parts" mb="md">
        Parts for sale
      </Title>
      <ListingResults
        list={list}
        answer={listings}
        failure="Unable to load the parts"
        none={{
          title: 'Nothing is listed here right now.',
          text: 'Yards add parts every day. Try searching all parts.',
          action: <ButtonLink to={paths.parts}>Search all parts</ButtonLink>,
        }}
        card={(listing, first) => (
          <ListingCard listing={listing} to={paths.part(listing.partslug)} first={first} heading="h3" />
        )}
      />
    </section>
  )
}

type TopNamesProps = { title: string; kind: LandingKind; names: LandingPage['topModels'] }

/** The most common names, linked if they have a landing page. */
function TopNames({ title, kind, names }: TopNamesProps) {
  const id = useId()
  if (names.length === 0) return null
  return (
    <Stack component="section" aria-labelledby={id} gap="xs">
      <Title size="h3" id={id}>
        {title}
      </Title>
      <ul className={classes.top}>
        {names.map(({ name, slug, count }) => (
          <li key={name}>
            {slug === null ? name : <TextLink to={landingPath(kind, slug)}>{name}</TextLink>}{' '}
            <span className={classes.count}>{count.toLocaleString('en-US')}</span>
          </li>
        ))}
      </ul>
    </Stack>
  )
}

/** Sets the description search engines show, and restores the previous one on unmount. */
function useMetaDescription(text: string): void {
  useEffect(() => {
    const existing = document.querySelector<HTMLMetaElement>('meta[name="description"]')
    const meta = existing ?? document.head.appendChild(document.createElement('meta'))
    const previousText = meta.content
    meta.name = 'description'
    meta.content = text
    return () => {
      if (existing) meta.content = previousText
      else meta.remove()
    }
  }, [text])
}
