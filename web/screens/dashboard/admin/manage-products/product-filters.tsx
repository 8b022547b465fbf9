import { Button, Group, NativeSelect, SimpleGrid, Stack } from '@mantine/core'
import type { ListingPage } from '#contract/listings.ts'
import type { AdminFilters } from '#web/components/admin/all-listings.ts'
import { FilterDrawer } from '#web/components/listing-filters/filter-drawer.tsx'
import { LookupFilters } from '#web/components/listing-filters/lookup-filters.tsx'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import type { ListControls } from '#web/components/listing-filters/use-list-state.ts'

const statuses = [
  { value: '', label: 'All Status' },
  { value: 'ACTIVE', label: 'ACTIVE' },
  { value: 'HIDDEN', label: 'HIDDEN' },
]

type ProductFiltersProps = { list: ListControls<AdminFilters>; found: ListingPage | undefined }

export function ProductFilters({ list, found }: ProductFiltersProps) {
  const { filters, change, clear, isFiltered } = list
  const chosen = [filters.status, filters.categoryId, filters.manuId, filters.model].filter(Boolean).length
  return (
    <Stack gap="md" mb="lg">
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <SearchInput
          label="Search"
          placeholder="title, part #, stock number, seller’s words"
          flex={1}
          value={filters.q}
          onSearch={(q) => change({ q }, { typing: true })}
        />
        <FilterDrawer count={chosen} found={found} onClear={clear}>
          <Choices list={list} />
        </FilterDrawer>
      </Group>
      <SimpleGrid cols={4} spacing="md" visibleFrom="sm">
        <Choices list={list} />
      </SimpleGrid>
      {isFiltered && (
        <Button variant="subtle" onClick={clear} style={{ alignSelf: 'flex-start' }} visibleFrom="sm">
          Clear filters
        </Button>
      )}
    </Stack>
  )
}

function Choices({ list: { filters, change } }: { list: ListControls<AdminFilters> }) {
  return (
    <>
      <NativeSelect
        label="Status"
        data={statuses}
        value={filters.status}
        onChange={(event) => change({ status: event.currentTarget.value })}
      />
      <LookupFilters
        filters={filters}
        onCategory={(categoryId) => change({ categoryId })}
        onManufacturer={(manuId) => change({ manuId })}
      />
      <SearchInput
        label="Model"
        placeholder="All models"
        value={filters.model}
        onSearch={(model) => change({ model }, { typing: true })}
      />
    </>
  )
}
