import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import type { ListState } from '#web/components/listing-filters/filter-state.ts'

export const noFilters = { q: '', categoryId: '', manuId: '', state: 'active' } as const
export type OwnFilters = typeof noFilters
export type OwnListState = ListState<OwnFilters>

export const isSoldView = ({ filters }: OwnListState): boolean => filters.state === 'sold'

export function useOwnListings(list: OwnListState) {
  const query = {
    ...list.filters,
    state: isSoldView(list) ? ('sold' as const) : ('active' as const),
    page: list.page,
    perPage: list.perPage,
  }
  return useQuery({
    queryKey: ['listings', 'own', query],
    queryFn: ({ signal }) => call(listingEndpoints.listOwn, { query, signal }),
    // The cards of before stay until the next ones are there, instead of a flash of grey.
    placeholderData: keepPreviousData,
  })
}
