import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { searchEndpoints } from '#contract/search/parts-search.ts'
import { call } from '#web/api/client.ts'
import type { ListState } from '#web/components/listing-filters/list-state.ts'

export const sortOrders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'price-low', label: 'Price: low to high' },
  { value: 'price-high', label: 'Price: high to low' },
] as const
type SortOrder = (typeof sortOrders)[number]['value']

export const noFilters = { q: '', categoryId: '', manuId: '', modelId: '', year: '', sort: 'newest' } as const
export type PublicFilters = typeof noFilters
type PublicListState = ListState<PublicFilters>

const sortOf = (typed: string): SortOrder =>
  sortOrders.find(({ value }) => value === typed)?.value ?? noFilters.sort

/** The number of active filters. The sort order doesn't count. */
export const filterCount = ({ filters }: PublicListState): number =>
  [filters.q, filters.categoryId, filters.manuId, filters.modelId, filters.year].filter(Boolean).length

export function usePublicListings(list: PublicListState) {
  const { filters, page, perPage } = list
  const query = { ...filters, sort: sortOf(filters.sort), page, perPage }
  return useQuery({
    queryKey: ['listings', 'public', query],
    queryFn: ({ signal }) => call(searchEndpoints.searchPublic, { query, signal }),
    placeholderData: keepPreviousData,
  })
}
