import { useQuery } from '@tanstack/react-query'
import { type Listing, listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'

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
