import { Group, SegmentedControl, SimpleGrid, Stack } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import type { ListingPage } from '#contract/listings.ts'
import { FilterDrawer } from '#web/components/listing-filters/filter-drawer.tsx'
import { LookupFilters } from '#web/components/listing-filters/lookup-filters.tsx'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import type { ListControls } from '#web/components/listing-filters/use-list-state.ts'
import { isSoldView, type OwnFilters } from './own-listings.ts'

const views = [
  { value: 'active', label: 'Active' },
  { value: 'sold', label: 'Sold' },
]

type OwnListingFiltersProps = { list: ListControls<OwnFilters>; found: ListingPage | undefined }

export function OwnListingFilters({ list, found }: OwnListingFiltersProps) {
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
      <Group gap="md" align="flex-end" wrap="nowrap">
        <SearchInput
          label="Search"
          placeholder="title, part #, model"
          flex={1}
          value={filters.q}
          onSearch={(q) => change({ q }, { typing: true })}
        />
        <SimpleGrid cols={2} spacing="md" flex={2} visibleFrom="sm">
          <Choices list={list} />
        </SimpleGrid>
        <FilterDrawer
          count={[filters.categoryId, filters.manuId].filter(Boolean).length}
          found={found}
          onClear={() => change({ categoryId: '', manuId: '' })}
        >
          <Choices list={list} />
        </FilterDrawer>
      </Group>
    </Stack>
  )
}

function Choices({ list: { filters, change } }: { list: ListControls<OwnFilters> }) {
  return (
    <LookupFilters
      filters={filters}
      onCategory={(categoryId) => change({ categoryId })}
      onManufacturer={(manuId) => change({ manuId })}
    />
  )
}
