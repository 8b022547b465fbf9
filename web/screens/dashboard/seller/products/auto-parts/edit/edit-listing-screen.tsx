import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type Listing, listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import type { ListingEditor } from '#web/components/listing-form/clash-notice.tsx'
import {
  EditListingForm,
  FormSkeleton,
  useCurrentAddress,
} from '#web/components/listing-form/edit-listing-form.tsx'
import { SellerListingNav } from '#web/components/listing-nav.tsx'
import { Page, Trail } from '#web/components/page/page.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  const { slug = '' } = useParams()
  const listing = useOwnListing(slug)
  useCurrentAddress({ slug, current: listing.data?.partslug, pathOf: paths.editListing })
  return (
    <Page title="Manage Current Listing">
      <SellerListingNav />
      <Trail
        links={[
          { to: paths.home, label: 'Home' },
          { to: paths.myListings, label: 'My Listings' },
        ]}
        here="Manage Current Listing"
      />
      {listing.isPending && <FormSkeleton />}
      {listing.isError && !listing.data && (
        <Group gap="sm">
          <Text className="second">This listing could not be loaded.</Text>
          <Button variant="default" onClick={() => void listing.refetch()} loading={listing.isFetching}>
            Retry
          </Button>
        </Group>
      )}
      {listing.data && (
        <EditListingForm key={listing.data.id} opened={listing.data} editor={ownListingEditor} />
      )}
    </Page>
  )
}

const ownListingEditor: ListingEditor = {
  own: true,
  listPath: paths.myListings,
  read: (id) => call(listingEndpoints.readOwn, { params: { id } }),
  save: (id, body) => call(listingEndpoints.updateOwn, { params: { id }, body }),
  restore: (id) => call(listingEndpoints.restoreOwn, { params: { id } }),
}

/** The seller's own listing at a slug. Another seller's listing fails as not found. */
function useOwnListing(slug: string) {
  return useQuery({
    queryKey: ['listing', 'own', slug],
    queryFn: ({ signal }) => readOwnListing(slug, signal),
    // The form needs current data: saving a cached version would be refused as stale.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

async function readOwnListing(slug: string, signal: AbortSignal): Promise<Listing> {
  const { id } = await call(listingEndpoints.readPublic, { params: { slug }, signal })
  return call(listingEndpoints.readOwn, { params: { id }, signal })
}
