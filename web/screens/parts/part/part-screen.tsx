import { Alert, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate, useParams } from 'react-router'
import { replyNameOf, specOf, textFields } from '#contract/listing/listing-fields.ts'
import { fieldLabels } from '#contract/listing/listing-rules.ts'
import { listingYearsInWords } from '#contract/listing/year-span.ts'
import { type Listing, listingEndpoints } from '#contract/listings.ts'
import { searchEndpoints } from '#contract/search/parts-search.ts'
import { readText, writeText } from '#web/api/browser-storage.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { useSession } from '#web/api/session.ts'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { ListingCard, ListingGrid } from '#web/components/listing-card/listing-card.tsx'
import { endInWords, gradeInWords, titleOf } from '#web/components/listing-card/listing-words.ts'
import { ListingPicture } from '#web/components/listing-picture/listing-picture.tsx'
import { Loaded } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import { paths } from '#web/paths.ts'
import { Component as NotFound } from '#web/screens/not-found/not-found-screen.tsx'
import { Related } from '#web/screens/parts/related-links.tsx'
import { Contact } from './contact.tsx'
import { Offer } from './offer.tsx'
import classes from './part.module.css'
import { ReportListing } from './report-listing.tsx'

export function Component() {
  const { slug = '' } = useParams()
  const part = usePart(slug)
  useViewCount(part.data)
  if (part.data) return <Part listing={part.data} />
  if (part.error instanceof ApiError && part.error.status === 404) return <NotFound />
  return (
    <Page title="Auto part">
      <Loaded query={part} failure="Unable to load this part" waiting={<PartSkeleton />} />
    </Page>
  )
}

function Part({ listing }: { listing: Listing }) {
  return (
    <Page
      title={titleOf(listing)}
      heading={listing.heading}
      actions={
        listing.mine && (
          <ButtonLink variant="default" to={paths.editListing(listing.partslug)}>
            Edit listing
          </ButtonLink>
        )
      }
    >
      <Stack gap="xl">
        <Availability listing={listing} />
        <div className={classes.columns}>
          <div className={classes.picture}>
            <ListingPicture
              src={listing.imageUrl}
              alt={listing.images[0]?.alt ?? ''}
              group={listing.categoryGroup}
              first
              fit="contain"
              sizes="(max-width: 48em) 100vw, 700px"
            />
          </div>
          <Stack gap="md" className={classes.offer}>
            <Offer listing={listing} />
            <Contact key={listing.id} listing={listing} />
            {!listing.mine && listing.status === 'ACTIVE' && (
              <ReportListing key={`report ${listing.id}`} listing={listing} />
            )}
          </Stack>
          <Stack component="section" aria-labelledby="description" gap="sm" className={classes.text}>
            <Title id="description">Description</Title>
            <Text className={classes.description}>{listing.partdescription || 'No description.'}</Text>
          </Stack>
          <Stack component="section" aria-labelledby="details" gap="sm" className={classes.details}>
            <Title id="details">Details</Title>
            <PartFacts listing={listing} />
          </Stack>
        </div>
        <SameCar listing={listing} />
        <Related listing={listing} />
      </Stack>
    </Page>
  )
}

/** A notice that the part is sold, or hidden from buyers. */
function Availability({ listing }: { listing: Listing }) {
  const ended = endInWords(listing)
  if (ended !== undefined) {
    return (
      <Alert color="warning" radius="lg" title={ended}>
        This part is no longer for sale.{' '}
        <TextLink to={listing.partmodelId ? sameModelPath(listing) : paths.parts}>
          Find similar parts
        </TextLink>
      </Alert>
    )
  }
  if (listing.status === 'ACTIVE') return null
  return (
    <Alert color="warning" radius="lg" title="Hidden">
      Only you and administrators can see this listing.
    </Alert>
  )
}

const PartSkeleton = () => (
  <div className={classes.columns} role="status" aria-label="Loading…">
    <Skeleton className={classes.picture} height="auto" />
    <Skeleton className={classes.offer} height={300} radius="lg" />
  </div>
)

const count = (value: number) => value.toLocaleString('en-US')

const otherFacts = textFields.filter((field) => specOf(field).fact)

/** The known facts about the part; unknown ones get no row. */
function factsOf(listing: Listing): [name: string, value: string][] {
  const facts: [string, string | null][] = [
    ['Category', listing.partcategory?.name ?? null],
    ['Part number', listing.partnum],
    ['Grade', listing.partgrade && gradeInWords(listing.partgrade).replace(/^Grade /, '')],
    [listing.partyearto ? 'Years' : 'Year', listingYearsInWords(listing)],
    ['Manufacturer', listing.partmanuname],
    ['Model', listing.partmodel],
    ['Trim', listing.parttrim],
    ['Miles', listing.partmiles === null ? null : count(listing.partmiles)],
    ['Damage', listing.partdamage],
    ['Quantity', count(listing.partquantity)],
    ...otherFacts.map((field): [string, string | null] => [fieldLabels[field], listing[replyNameOf(field)]]),
  ]
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]))
}

function PartFacts({ listing }: { listing: Listing }) {
  return (
    <Table variant="vertical" layout="fixed" withTableBorder bg="var(--card)">
      <Table.Tbody>
        {factsOf(listing).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w="40%">
              {name}
            </Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** One row of cards on a large screen. */
const shown = 4

function sameModelPath({ partmanuId, partmodelId }: Listing): string {
  return `${paths.parts}?${new URLSearchParams({ manuId: partmanuId ?? '', modelId: partmodelId ?? '' })}`
}

function SameCar({ listing }: { listing: Listing }) {
  const modelId = listing.partmodelId ?? ''
  const { data } = useQuery({
    queryKey: ['listings', 'same-model', modelId],
    queryFn: ({ signal }) =>
      call(searchEndpoints.searchPublic, { query: { modelId, perPage: shown + 1 }, signal }),
    enabled: modelId !== '',
  })
  const others = (data?.items ?? []).filter(({ id }) => id !== listing.id).slice(0, shown)
  if (others.length === 0) return null
  return (
    <Stack component="section" aria-labelledby="same-car" gap="md">
      <Group justify="space-between">
        <Title id="same-car">More from this car</Title>
        <TextLink to={sameModelPath(listing)}>
          See all {listing.partmanuname} {listing.partmodel} parts
        </TextLink>
      </Group>
      <ListingGrid>
        {others.map((other) => (
          <ListingCard key={other.id} listing={other} to={paths.part(other.partslug)} heading="h3" />
        ))}
      </ListingGrid>
    </Stack>
  )
}

/** The listing at a public slug. An old slug redirects to the current one. */
function usePart(slug: string) {
  const navigate = useNavigate()
  const { user } = useSession()
  const part = useQuery({
    // Owners and admins see more fields, so the cache is per user.
    queryKey: ['listing', 'public', slug, user?.id],
    queryFn: ({ signal }) => call(listingEndpoints.readPublic, { params: { slug }, signal }),
  })
  const current = part.data?.partslug
  useEffect(() => {
    if (current !== undefined && current !== slug) void navigate(paths.part(current), { replace: true })
  }, [slug, current, navigate])
  return part
}

/** Counts one view per visit. A seller's own views don't count. */
function useViewCount(listing: Listing | undefined): void {
  const slug = listing?.status === 'ACTIVE' && !listing.mine ? listing.partslug : undefined
  useEffect(() => {
    if (slug === undefined || !isFirstView(slug)) return
    // A lost view count is not worth an error message.
    call(listingEndpoints.countView, { params: { slug } }).catch(() => undefined)
  }, [slug])
}

const seenHere = new Set<string>()

/** A visit is a tab: session storage outlives a reload and ends with the tab. */
function isFirstView(slug: string): boolean {
  const key = `viewed:${slug}`
  if (seenHere.has(key)) return false
  seenHere.add(key)
  // If storage is blocked, the set above works until the next reload.
  if (readText(key, 'sessionStorage') !== null) return false
  writeText(key, '1', 'sessionStorage')
  return true
}
