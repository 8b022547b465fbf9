import { Button, Drawer, Group, SimpleGrid, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { ListingCard } from '#web/components/listing-card/listing-card.tsx'
import { ListingResults } from '#web/components/listing-filters/listing-results.tsx'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { type ListControls, useListState } from '#web/components/listing-filters/use-list-state.ts'
import { Page } from '#web/components/page.tsx'
import { paths } from '#web/paths.ts'
import { PartFilters } from './part-filters.tsx'
import { filterCount, noFilters, type PublicFilters, usePublicListings } from './public-listings.ts'

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
          <FilterDrawer list={list} total={listings.data?.total} />
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

type FilterDrawerProps = { list: ListControls<PublicFilters>; total: number | undefined }

/** On a phone the filters wait behind one button, so that the first parts stand in sight. */
function FilterDrawer({ list, total }: FilterDrawerProps) {
  const [opened, { open, close }] = useDisclosure(false)
  const { q } = list.filters
  const set = filterCount(list) - (q === '' ? 0 : 1)
  return (
    <>
      <Button
        variant="default"
        size="md"
        hiddenFrom="sm"
        onClick={open}
        leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
      >
        {set === 0 ? 'Filters' : `Filters (${set})`}
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        position="bottom"
        size="auto"
        title="Filters"
        closeButtonProps={{ 'aria-label': 'Close filters' }}
      >
        <Stack gap="md" pb="md">
          <PartFilters list={list} />
          <Group grow>
            <Button variant="default" onClick={list.clear}>
              Clear filters
            </Button>
            <Button onClick={close}>
              {total === undefined ? 'Show parts' : `Show ${total.toLocaleString('en-US')}`}
            </Button>
          </Group>
        </Stack>
      </Drawer>
    </>
  )
}
