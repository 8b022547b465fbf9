import { Button, Group, NativeSelect, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { type ListingPage, pageSizes } from '#contract/listings.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { ListingGrid, ListingSkeleton } from '#web/components/listing-card/listing-card.tsx'
import { QueryError } from '#web/components/page/load-error.tsx'
import { Pager } from '#web/components/pager.tsx'
import { Empty } from '#web/site/page.tsx'
import { isCapped, type ListPages, type PageSizes, productCount } from './list-state.ts'
import classes from './listing-results.module.css'

/** The result count, which receives focus when the focused card leaves the list. */
export const countId = 'listing-count'

/** Cards visible on a large screen without scrolling. */
const visibleAtFirst = 4

type EmptyText = { title: string; text?: string; action?: ReactNode }

/** A page of listings, or of cards. */
type PageOf<Item> = Omit<ListingPage, 'items'> & { items: Item[] }

type ListingResultsProps<Item> = {
  list: ListPages
  answer: UseQueryResult<PageOf<Item>>
  failure: string
  none: EmptyText
  /** Whether the cards have buttons, so that placeholders leave room for them. */
  withActions?: boolean
  /** Beside the number of results, such as their order. */
  aside?: ReactNode
  card: (listing: Item, first: boolean) => ReactNode
  /** Shows the listings in another way than as a grid of cards. */
  rows?: ((listings: readonly Item[]) => ReactNode) | undefined
}

export function ListingResults<Item extends { id: string }>(props: ListingResultsProps<Item>) {
  const { list, answer, failure, withActions = false, aside } = props
  const found = answer.data
  // Keep showing a loaded list if only a refresh failed.
  if (answer.isError && !found) {
    return <QueryError message={failure} query={answer} />
  }
  const pages = found?.lastPage ?? 1
  return (
    <>
      <Group gap="md" className={classes.top}>
        <Text id={countId} tabIndex={-1} role="status" fw={600} flex={1}>
          {found ? `${productCount(found)} found` : 'Loading products…'}
        </Text>
        {aside}
        <div className={classes.pager}>
          <Pager page={list.page} pageCount={pages} onChange={list.turnTo} label="Pages, above the list" />
        </div>
      </Group>
      {found ? (
        <div aria-busy={answer.isPlaceholderData} className={classes.cards}>
          <Cards {...props} found={found} />
        </div>
      ) : (
        <ListingSkeleton count={list.perPage} withActions={withActions} />
      )}
      <Group justify="flex-end" mt="lg">
        {found && isCapped(found) && list.page === pages && (
          <Text className="second" flex={1}>
            {narrowSearch(found.total)}
          </Text>
        )}
        <PageSize value={list.perPage} onChange={list.resize} />
        <Pager page={list.page} pageCount={pages} onChange={list.turnTo} label="Pages, below the list" />
      </Group>
    </>
  )
}

const narrowSearch = (shown: number) =>
  `Showing the first ${shown.toLocaleString('en-US')} products. To see others, narrow your search, for example by model or year.`

function Cards<Item extends { id: string }>({
  list,
  none,
  card,
  rows,
  found,
  withActions = false,
}: ListingResultsProps<Item> & { found: PageOf<Item> }) {
  if (found.items.length > 0) {
    if (rows) return rows(found.items)
    return (
      <ListingGrid withActions={withActions}>
        {found.items.map((listing, place) => (
          <Fragment key={listing.id}>{card(listing, place < visibleAtFirst)}</Fragment>
        ))}
      </ListingGrid>
    )
  }
  if (found.total > 0) {
    return (
      <Empty
        title={`There is no page ${list.page}`}
        text={isCapped(found) ? narrowSearch(found.total) : 'That page no longer exists.'}
        action={<Button onClick={() => list.turnTo(1)}>Go to the first page</Button>}
      />
    )
  }
  if (list.isFiltered) {
    return (
      <Empty
        title="No parts match your filters."
        text="Try fewer words, another category or just the digits of the part number."
        action={<Button onClick={list.clear}>Clear filters</Button>}
        drawing={emptyDrawing}
      />
    )
  }
  return <Empty {...none} drawing={emptyDrawing} />
}

type PageSizeProps = { value: number; onChange: (size: number) => void; sizes?: PageSizes }

export function PageSize({ value, onChange, sizes = pageSizes }: PageSizeProps) {
  return (
    <Group component="label" gap="xs" wrap="nowrap">
      <Text component="span" size="sm" className="second">
        Per page
      </Text>
      <NativeSelect
        value={String(value)}
        data={sizes.map(String)}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
        w="5.25rem"
      />
    </Group>
  )
}
