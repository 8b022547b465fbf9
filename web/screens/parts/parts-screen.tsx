import { Button, Group, NativeSelect, SimpleGrid, Stack } from '@mantine/core'
import { useMemo } from 'react'
import { ListingCard } from '#web/components/listing-card/listing-card.tsx'
import { FilterDrawer, LookupFilters } from '#web/components/listing-filters/filter-drawer.tsx'
import { type ListControls, useListState } from '#web/components/listing-filters/list-state.ts'
import { ListingResults } from '#web/components/listing-filters/listing-results.tsx'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { withChosen } from '#web/components/listing-lookups/lookup-options.ts'
import { modelsOfYear, useCarModels } from '#web/components/listing-lookups/lookup-queries.ts'
import { SearchSelect } from '#web/components/listing-lookups/lookup-selects.tsx'
import { Page } from '#web/components/page/page.tsx'
import { paths } from '#web/paths.ts'
import {
  filterCount,
  noFilters,
  type PublicFilters,
  sortOrders,
  usePublicListings,
} from './public-listings.ts'

export function Component() {
  const list = useListState(noFilters)
  const listings = usePublicListings(list)
  const filtered = filterCount(list) > 0
  return (
    <Page title="Find Auto Parts" lead="Used and OEM parts, straight from the yards.">
      <Stack gap="md" mb="lg">
        <Group gap="sm" align="flex-end" wrap="nowrap">
          <SearchInput
            label="Search"
            placeholder="Camry alternator or part number"
            size="md"
            flex={1}
            value={list.filters.q}
            onSearch={(q) => list.change({ q }, { typing: true })}
          />
          <FilterDrawer
            count={filterCount(list) - (list.filters.q === '' ? 0 : 1)}
            found={listings.data}
            onClear={list.clear}
          >
            <PartFilters list={list} />
          </FilterDrawer>
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 3, md: 5 }} spacing="md" visibleFrom="sm">
          <PartFilters list={list} />
        </SimpleGrid>
        {filtered && (
          <Button variant="subtle" onClick={list.clear} style={{ alignSelf: 'flex-start' }} visibleFrom="sm">
            Clear filters
          </Button>
        )}
      </Stack>
      <ListingResults
        list={{ ...list, isFiltered: filtered }}
        answer={listings}
        failure="Unable to load the parts"
        none={{ title: 'No parts yet.', text: 'Check back soon.' }}
        card={(listing, first) => (
          <ListingCard listing={listing} to={paths.part(listing.partslug)} first={first} />
        )}
      />
    </Page>
  )
}

/** Cars older than this are rare; text search finds them. */
const oldestYear = 1950

const years = Array.from({ length: new Date().getFullYear() - oldestYear + 1 }, (_, back) =>
  String(new Date().getFullYear() - back),
)

function PartFilters({ list }: { list: ListControls<PublicFilters> }) {
  const { filters, change } = list
  const { data } = useCarModels(filters.manuId)
  const { modelId, year } = filters
  const models = useMemo(() => {
    const chosen = data?.find(({ id }) => id === modelId)
    const known = modelsOfYear(data ?? [], year).map(({ id, carname }) => ({ value: id, label: carname }))
    return withChosen(known, chosen && { value: chosen.id, label: chosen.carname })
  }, [data, modelId, year])
  return (
    <>
      <LookupFilters
        filters={filters}
        onCategory={(categoryId) => change({ categoryId })}
        onManufacturer={(manuId) => change({ manuId, modelId: '' })}
      />
      <SearchSelect
        label="Model"
        placeholder={filters.manuId === '' ? 'Choose a manufacturer' : 'All models'}
        disabled={filters.manuId === ''}
        clearable
        data={models}
        value={filters.modelId || null}
        onChange={(modelId) => change({ modelId: modelId ?? '' })}
        nothingFoundMessage={year === '' ? 'No such model' : `No such model in ${year}`}
      />
      <SearchSelect
        label="Year"
        placeholder="All years"
        clearable
        data={years}
        value={filters.year || null}
        onChange={(year) => change({ year: year ?? '' })}
        nothingFoundMessage="No such year"
      />
      <NativeSelect
        label="Sort"
        data={[...sortOrders]}
        value={filters.sort}
        onChange={(event) => change({ sort: event.currentTarget.value })}
      />
    </>
  )
}
