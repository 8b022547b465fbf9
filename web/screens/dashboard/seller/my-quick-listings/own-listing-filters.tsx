import { SegmentedControl, SimpleGrid, Stack } from '@mantine/core'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import type { ListControls } from '#web/components/listing-filters/use-list-state.ts'
import { CategorySelect } from '#web/components/listing-lookups/category-select.tsx'
import { ManufacturerSelect } from '#web/components/listing-lookups/manufacturer-select.tsx'
import { isSoldView, type OwnFilters } from './own-listings.ts'

const views = [
  { value: 'active', label: 'Active' },
  { value: 'sold', label: 'Sold' },
]

export function OwnListingFilters({ list }: { list: ListControls<OwnFilters> }) {
  const { filters, change } = list
  return (
    <Stack gap="md" mb="lg">
      <SegmentedControl
        aria-label="Show"
        data={views}
        value={isSoldView(list) ? 'sold' : 'active'}
        onChange={(state) => change({ state })}
        style={{ alignSelf: 'flex-start' }}
      />
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <SearchInput
          label="Search"
          placeholder="title, part #, model"
          value={filters.q}
          onSearch={(q) => change({ q }, { typing: true })}
        />
        <CategorySelect
          label="Category"
          placeholder="All categories"
          clearable
          value={filters.categoryId}
          onChange={(categoryId) => change({ categoryId })}
        />
        <ManufacturerSelect
          label="Manufacturer"
          placeholder="All manufacturers"
          clearable
          value={filters.manuId}
          onChange={(manuId) => change({ manuId })}
        />
      </SimpleGrid>
    </Stack>
  )
}
