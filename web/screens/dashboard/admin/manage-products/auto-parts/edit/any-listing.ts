import { useQuery } from '@tanstack/react-query'
import { adminListingEndpoints } from '#contract/admin-listings.ts'
import { type Listing, listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import type { ListingEditor } from '#web/components/listing-form/listing-editor.ts'
import { paths } from '#web/paths.ts'

const readAny = (id: string, signal?: AbortSignal): Promise<Listing> =>
  call(adminListingEndpoints.readAny, { params: { id }, ...(signal && { signal }) })

/** What an admin may do with a listing of anybody. */
export const anyListingEditor: ListingEditor = {
  own: false,
  leadsTo: paths.manageProducts,
  read: (id) => readAny(id),
  save: (id, body, file) => call(adminListingEndpoints.updateAny, { params: { id }, body, file }),
  maySetStatus: true,
  mayMoveAddress: true,
}

/** The listing at an address, whoever sells it and whether or not it is hidden. */
export function useAnyListing(slug: string) {
  return useQuery({
    queryKey: ['listing', 'any', slug],
    queryFn: async ({ signal }) => {
      const { id } = await call(listingEndpoints.readPublic, { params: { slug }, signal })
      return readAny(id, signal)
    },
    // A form begins with what is true now; what was read before would be refused as stale on saving.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}
