import { useQuery } from '@tanstack/react-query'
import { type Listing, listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import type { ListingEditor } from '#web/components/listing-form/listing-editor.ts'
import { paths } from '#web/paths.ts'

/** What a seller may do with a listing of their own. */
export const ownListingEditor: ListingEditor = {
  own: true,
  leadsTo: paths.myListings,
  read: (id) => call(listingEndpoints.readOwn, { params: { id } }),
  save: (id, body, file) => call(listingEndpoints.updateOwn, { params: { id }, body, file }),
  restore: (id) => call(listingEndpoints.restoreOwn, { params: { id } }),
}

/** The listing at an address, as its seller may edit it; somebody else's is answered like one that does not exist. */
export function useOwnListing(slug: string) {
  const listing = useQuery({
    queryKey: ['listing', 'own', slug],
    queryFn: ({ signal }) => readOwnListing(slug, signal),
    // A form begins with what is true now; what was read before would be refused as stale on saving.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return listing
}

async function readOwnListing(slug: string, signal: AbortSignal): Promise<Listing> {
  const { id } = await call(listingEndpoints.readPublic, { params: { slug }, signal })
  return call(listingEndpoints.readOwn, { params: { id }, signal })
}
