import { Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { adminListingEndpoints } from '#contract/admin/listings.ts'
import type { ListingPage } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { allListingsKey, NoProducts } from '#web/components/admin/all-listings.tsx'
import { ListingCards } from '#web/components/admin/listing-cards.tsx'
import { ListingSkeleton } from '#web/components/listing-card/listing-card.tsx'
import { LoadError } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import { paths } from '#web/paths.ts'

const perPage = 8

export function Component() {
  const { user } = useSession()
  const listings = useLoadedListings()
  if (!user) return null
  return (
    <Page
      title="Admin Dashboard"
      heading={`Good Day, ${user.name}`}
      lead="The newest products from every seller."
      actions={
        <Button component={Link} to={paths.manageProducts} variant="default">
          Search and filter
        </Button>
      }
    >
      {listings.isError && !listings.data ? (
        <LoadError
          message="Unable to load the products"
          onRetry={() => void listings.refetch()}
          retrying={listings.isFetching}
        />
      ) : (
        <Products listings={listings} />
      )}
    </Page>
  )
}

function useLoadedListings() {
  return useInfiniteQuery({
    queryKey: [...allListingsKey, 'loaded'],
    queryFn: ({ pageParam: page, signal }) =>
      call(adminListingEndpoints.listAll, { query: { page, perPage }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, lastPage }) => (page < lastPage ? page + 1 : undefined),
  })
}

function Products({ listings }: { listings: ReturnType<typeof useLoadedListings> }) {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = listings
  const newest = data?.pages.at(-1)
  if (!data || !newest) return <Loading />
  // A listing created in the meantime shifts the others, so that the next page repeats one.
  const loaded = uniqueById(data.pages.flatMap(({ items }) => items))
  const more = (
    <Button variant="default" onClick={() => void fetchNextPage()} loading={isFetchingNextPage}>
      Load More
    </Button>
  )
  if (loaded.length === 0) return <NoProducts total={newest.total} action={hasNextPage && more} />
  return (
    <Stack gap="md">
      <Text fw={600} role="status">
        {shownOf(loaded.length, newest)}
      </Text>
      <ListingCards items={loaded} />
      {isFetchNextPageError && (
        <LoadError
          message="Unable to load more products"
          onRetry={() => void fetchNextPage()}
          retrying={isFetchingNextPage}
        />
      )}
      {hasNextPage && !isFetchNextPageError && <Group justify="center">{more}</Group>}
    </Stack>
  )
}

const Loading = () => (
  <Stack gap="md">
    <Text fw={600} role="status">
      Loading products…
    </Text>
    <ListingSkeleton count={perPage} withActions flat />
  </Stack>
)

/** "16 of 5,000 products shown"; "10,000+" if the count is capped. */
export function shownOf(
  shown: number,
  { total, totalIsAtLeast }: Pick<ListingPage, 'total' | 'totalIsAtLeast'>,
): string {
  const all = `${total.toLocaleString('en-US')}${totalIsAtLeast ? '+' : ''}`
  return `${shown.toLocaleString('en-US')} of ${all} products shown`
}

export function uniqueById<Item extends { id: string }>(items: readonly Item[]): Item[] {
  const seen = new Set<string>()
  return items.filter(({ id }) => !seen.has(id) && seen.add(id))
}
