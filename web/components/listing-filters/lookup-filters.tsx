import { CategorySelect } from '#web/components/listing-lookups/category-select.tsx'
import { ManufacturerSelect } from '#web/components/listing-lookups/manufacturer-select.tsx'

type LookupFiltersProps = {
  disabled?: boolean
  filters: { categoryId: string; manuId: string }
  onCategory: (categoryId: string) => void
  onManufacturer: (manuId: string) => void
}

/** The filters that every list of parts has; an empty id filters nothing. */
export function LookupFilters({ disabled = false, filters, onCategory, onManufacturer }: LookupFiltersProps) {
  return (
    <>
      <CategorySelect
        label="Category"
        placeholder="All categories"
        clearable
        disabled={disabled}
        value={filters.categoryId}
        onChange={onCategory}
      />
      <ManufacturerSelect
        label="Manufacturer"
        placeholder="All manufacturers"
        clearable
        disabled={disabled}
        value={filters.manuId}
        onChange={(manuId) => onManufacturer(manuId)}
      />
    </>
  )
}
