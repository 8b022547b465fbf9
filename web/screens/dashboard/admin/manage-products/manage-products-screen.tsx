import { Button, Group, NativeSelect, SimpleGrid, Stack } from '@mantine/core'
import { Link } from 'react-router'
import type { ListingPage } from '#contract/listings.ts'
import {
  type AdminFilters,
  adminPageSizes,
  ExportAllParts,
  NoProducts,
  noFilters,
  statusOptions,
  useAllListings,
} from '#web/components/admin/all-listings.tsx'
import { ListingCards } from '#web/components/admin/listing-cards.tsx'
import { ListingSkeleton } from '#web/components/listing-card/listing-card.tsx'
import { FilterDrawer, LookupFilters } from '#web/components/listing-filters/filter-drawer.tsx'
import { type ListControls, useListState } from '#web/components/listing-filters/list-state.ts'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { LoadError } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import { paths } from '#web/paths.ts'
import classes from './manage-products.module.css'
import { PageTurner } from './page-turner.tsx'

export function Component() {
  const list = useListState(noFilters, adminPageSizes)
  const listings = useAllListings(list)
  return (
    <Page
      title="Manage Products"
      lead="Every seller’s listings, hidden ones too."
      actions={
        <>
          <ExportAllParts filters={list.filters} disabled={!listings.data?.total} />
          <Button component={Link} to={paths.bulkEdit} variant="default">
            Bulk Edit
          </Button>
        </>
      }
    >
      <ProductFilters list={list} found={listings.data} />
      {listings.isError && !listings.data ? (
        <LoadError
          message="Unable to load the products"
          onRetry={() => void listings.refetch()}
          retrying={listings.isFetching}
        />
      ) : (
        <Products list={list} listings={listings} />
      )}
    </Page>
  )
}

type ProductsProps = {
  list: ListControls<AdminFilters>
  listings: ReturnType<typeof useAllListings>
}

function Products({ list, listings: { data: found, isPlaceholderData } }: ProductsProps) {
  return (
    <Stack gap="md">
      <PageTurner list={list} found={found} label="Pages, above the list" />
      {found ? (
        <div aria-busy={isPlaceholderData} className={classes.cards}>
          {found.items.length > 0 ? (
            <ListingCards items={found.items} />
          ) : (
            <NoProducts
              total={found.total}
              onClear={list.isFiltered ? list.clear : undefined}
              action={found.total > 0 && <Button onClick={() => list.turnTo(1)}>Go to the first page</Button>}
            />
          )}
        </div>
      ) : (
        <ListingSkeleton count={list.perPage} withActions flat />
      )}
      <Group justify="flex-end" grow>
        <PageTurner list={list} found={found} label="Pages, below the list" />
      </Group>
    </Stack>
  )
}

type ProductFiltersProps = { list: ListControls<AdminFilters>; found: ListingPage | undefined }

function ProductFilters({ list, found }: ProductFiltersProps) {
  const { filters, change, clear, isFiltered } = list
  const { q: _, ...others } = filters
  const chosen = Object.values(others).filter(Boolean).length
  return (
    <Stack gap="md" mb="lg">
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <SearchInput
          label="Search"
          placeholder="title, part #, stock number"
          flex={1}
          value={filters.q}
          onSearch={(q) => change({ q }, { typing: true })}
        />
        <FilterDrawer count={chosen} found={found} onClear={clear}>
          <Choices list={list} />
        </FilterDrawer>
      </Group>
      <SimpleGrid cols={{ base: 3, xl: 6 }} spacing="md" visibleFrom="sm">
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
        data={statusOptions}
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
      <SearchInput
        label="Seller"
        placeholder="Name or email"
        value={filters.seller}
        onSearch={(seller) => change({ seller }, { typing: true })}
      />
      <SearchInput
        label="Dealer"
        placeholder="Name begins with"
        value={filters.dealer}
        onSearch={(dealer) => change({ dealer }, { typing: true })}
      />
    </>
  )
}
