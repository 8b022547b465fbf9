import { Button, Group, SimpleGrid, Stack } from '@mantine/core'
import { ListingCard } from '#web/components/listing-card/listing-card.tsx'
import { FilterDrawer } from '#web/components/listing-filters/filter-drawer.tsx'
import { ListingResults } from '#web/components/listing-filters/listing-results.tsx'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { useListState } from '#web/components/listing-filters/use-list-state.ts'
import { Page } from '#web/components/page.tsx'
import { paths } from '#web/paths.ts'
import { PartFilters } from './part-filters.tsx'
import { filterCount, noFilters, usePublicListings } from './public-listings.ts'

export function Component() {
  const list = useListState(noFilters)
  const listings = usePublicListings(list)
  const filtered = filterCount(list) > 0
  return (
    <Page title="Find Auto Parts" lead="Used and OEM parts, straight from the yards that have them.">
      <Stack gap="md" mb="lg">
        <Group gap="sm" align="flex-end" wrap="nowrap">
          <SearchInput
            label="Search"
            placeholder="alternator camry, or a part number"
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
        none={{ title: 'No parts listed yet.', text: 'The first ones will stand here soon.' }}
        card={(listing, first) => (
          <ListingCard listing={listing} to={paths.part(listing.partslug)} first={first} />
        )}
      />
    </Page>
  )
}
