import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ListingPage, listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { Loaded } from '#web/components/page/load-error.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { paths } from '#web/paths.ts'
import { formatPrice, titleOf } from '#web/site/card/listing-words.ts'
import classes from './newest-listings.module.css'

const shown = 5

export function NewestListings() {
  const own = useQuery({
    queryKey: ['listings', 'own', 'newest'],
    queryFn: ({ signal }) => call(listingEndpoints.listOwn, { query: { perPage: shown }, signal }),
  })
  return (
    <SectionCard title="My listings" aside={<TextLink to={paths.myListings}>See all</TextLink>}>
      <Loaded query={own} failure="Unable to load your products" waiting={<Waiting />}>
        {(page) => <Listings page={page} />}
      </Loaded>
    </SectionCard>
  )
}

function Listings({ page: { items, total, totalIsAtLeast } }: { page: ListingPage }) {
  const isPro = useSession().user?.sellerTier === 'PAID'
  if (total === 0) {
    return (
      <Stack align="flex-start" gap="sm">
        <Text className="second">
          Nothing listed yet. Your first part takes about two minutes. After that, we fill in your town, phone
          and shipping.
        </Text>
        <Group gap="sm">
          <ButtonLink to={paths.createListing} variant="default">
            List your first part
          </ButtonLink>
          {isPro && (
            <ButtonLink to={paths.createBulkListing} variant="default">
              Import your inventory
            </ButtonLink>
          )}
        </Group>
      </Stack>
    )
  }
  return (
    <>
      <Text className={classes.total}>
        <span className="display">
          {total.toLocaleString('en-US')}
          {totalIsAtLeast && '+'}
        </span>{' '}
        listed
      </Text>
      <ul className={classes.list}>
        {items.map((listing) => (
          <li key={listing.id}>
            <TextLink to={paths.editListing(listing.partslug)}>{titleOf(listing)}</TextLink>
            <strong>{formatPrice(listing.partprice, listing.currency)}</strong>
          </li>
        ))}
      </ul>
    </>
  )
}

function Waiting() {
  return (
    <Stack gap="sm" role="status" aria-label="Loading products…">
      {[0, 1, 2, 3, 4, 5].map((line) => (
        <Skeleton key={line} height={line === 0 ? 36 : 24} width={line === 0 ? '30%' : '100%'} />
      ))}
    </Stack>
  )
}
