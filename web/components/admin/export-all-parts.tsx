import { adminListingEndpoints } from '#contract/admin-listings.ts'
import { call } from '#web/api/client.ts'
import { ExportButton } from '#web/components/export-button.tsx'
import type { FilterValues } from '#web/components/listing-filters/filter-state.ts'
import { type AdminFilters, filterQuery } from './all-listings.ts'

type ExportAllPartsProps = { filters: FilterValues<AdminFilters>; disabled: boolean }

/** All pages of what the filters show, as one file. */
export function ExportAllParts({ filters, disabled }: ExportAllPartsProps) {
  const read = () => call(adminListingEndpoints.exportAll, { query: filterQuery(filters) })
  return <ExportButton read={read} disabled={disabled} />
}
