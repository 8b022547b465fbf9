import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { adminListingEndpoints } from '#contract/admin-listings.ts'
import { listingStatuses } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import type { FilterValues, ListState, PageSizes } from '#web/components/listing-filters/filter-state.ts'

/** Spec, section 9. */
export const adminPageSizes: PageSizes = [4, 8, 12, 24]

export const noFilters = { q: '', status: '', categoryId: '', manuId: '', model: '' } as const
export type AdminFilters = typeof noFilters

export const allListingsKey = ['listings', 'all'] as const

/** What the server takes; a status that the address made up filters nothing. */
export const filterQuery = (filters: FilterValues<AdminFilters>) => ({
  ...filters,
  status: listingStatuses.find((status) => status === filters.status) ?? ('' as const),
})

/** Listings of every seller and status, as the admin's list shows them. */
export function useAllListings({ filters, page, perPage }: ListState<AdminFilters>) {
  const query = { ...filterQuery(filters), page, perPage }
  return useQuery({
    queryKey: [...allListingsKey, query],
    queryFn: ({ signal }) => call(adminListingEndpoints.listAll, { query, signal }),
    placeholderData: keepPreviousData,
  })
}
