import { Button, Group, Stack } from '@mantine/core'
import { Link } from 'react-router'
import {
  type AdminFilters,
  adminPageSizes,
  noFilters,
  useAllListings,
} from '#web/components/admin/all-listings.ts'
import { ExportAllParts } from '#web/components/admin/export-all-parts.tsx'
import { ListingCards } from '#web/components/admin/listing-cards.tsx'
import { NoProducts } from '#web/components/admin/no-products.tsx'
import { PageTurner } from '#web/components/admin/page-turner.tsx'
import { ListingSkeleton } from '#web/components/listing-card/listing-skeleton.tsx'
import { type ListControls, useListState } from '#web/components/listing-filters/use-list-state.ts'
import { LoadError } from '#web/components/load-error.tsx'
import { Page } from '#web/components/page.tsx'
import { paths } from '#web/paths.ts'
import classes from './manage-products.module.css'
import { ProductFilters } from './product-filters.tsx'

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
