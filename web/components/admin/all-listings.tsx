import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { adminListingEndpoints } from '#contract/admin/listings.ts'
import { listingStatuses } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { ExportButton } from '#web/components/downloads.tsx'
import type { FilterValues, ListState, PageSizes } from '#web/components/listing-filters/list-state.ts'
import { Empty } from '#web/site/page.tsx'

/** Given by the spec. */
export const adminPageSizes: PageSizes = [4, 8, 12, 24]

export const noFilters = {
  q: '',
  status: '',
  categoryId: '',
  manuId: '',
  model: '',
  seller: '',
  dealer: '',
} as const
export type AdminFilters = typeof noFilters

export const statusOptions = [
  { value: '', label: 'All Status' },
  ...listingStatuses.map((status) => ({ value: status, label: status })),
]

export const allListingsKey = ['listings', 'all'] as const

/** The query for the server; an unknown status in the URL filters nothing. */
export const filterQuery = (filters: FilterValues<AdminFilters>) => ({
  ...filters,
  status: listingStatuses.find((status) => status === filters.status) ?? ('' as const),
})

export function useAllListings({ filters, page, perPage }: ListState<AdminFilters>) {
  const query = { ...filterQuery(filters), page, perPage }
  return useQuery({
    queryKey: [...allListingsKey, query],
    queryFn: ({ signal }) => call(adminListingEndpoints.listAll, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

type ExportAllPartsProps = { filters: FilterValues<AdminFilters>; disabled: boolean }

export function ExportAllParts({ filters, disabled }: ExportAllPartsProps) {
  const read = () => call(adminListingEndpoints.exportAll, { query: filterQuery(filters) })
  return <ExportButton read={read} disabled={disabled} />
}

type NoProductsProps = {
  /** The total that the server reported, even though it returned none. */
  total: number
  onClear?: (() => void) | undefined
  action?: ReactNode
}

export function NoProducts({ total, onClear, action }: NoProductsProps) {
  if (total === 0 && onClear) {
    return (
      <Empty
        title="No parts match your filters."
        text="Try fewer words, another status, or only the digits of the part number."
        action={<Button onClick={onClear}>Clear filters</Button>}
        drawing={emptyDrawing}
      />
    )
  }
  return (
    <Empty
      title="No Products To Manage"
      text={
        total > 0
          ? 'Products could not be loaded. Try Load More or reload the page.'
          : 'You have no products yet. Create listings from Seller dashboards.'
      }
      action={action}
      drawing={emptyDrawing}
    />
  )
}
