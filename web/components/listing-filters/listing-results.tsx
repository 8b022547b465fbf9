import { Button, Group, NativeSelect, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { type Listing, type ListingPage, pageSizes } from '#contract/listings.ts'
import emptyDrawing from '#web/artwork/empty.svg?raw'
import { ListingGrid, ListingSkeleton } from '#web/components/listing-card/listing-card.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { LoadError } from '#web/components/page/load-error.tsx'
import { Pager } from '#web/components/pager.tsx'
import { isCapped, type ListPages, type PageSizes, productCount } from './list-state.ts'
import classes from './listing-results.module.css'

/** The line that says how much was found; the focus goes here when the card that had it leaves the list. */
export const countId = 'listing-count'

/** Cards that stand in sight on a large screen before any scrolling. */
const inSight = 4

type Nothing = { title: string; text?: string; action?: ReactNode }

type ListingResultsProps = {
  list: ListPages
  answer: UseQueryResult<ListingPage>
  /** The sentence where the list cannot be loaded. */
  failure: string
  /** What to say while there is nothing at all; what matches no filter is said here. */
  none: Nothing
  /** Whether the cards carry buttons; their place is kept while loading. */
  withActions?: boolean
  card: (listing: Listing, first: boolean) => ReactNode
}

/** Count, pages above and below, cards; or why there are none. */
export function ListingResults(props: ListingResultsProps) {
  const { list, answer, failure, withActions = false } = props
  const found = answer.data
  // A list that is there stays, though asking again behind it failed.
  if (answer.isError && !found) {
    return <LoadError message={failure} onRetry={() => void answer.refetch()} retrying={answer.isFetching} />
  }
  const pages = found?.lastPage ?? 1
  return (
    <>
      <Group gap="md" mb="md" mih="2.75rem">
        <Text id={countId} tabIndex={-1} role="status" fw={600} flex={1}>
          {found ? `${productCount(found)} found` : 'Loading products…'}
        </Text>
        <PageSize value={list.perPage} onChange={list.resize} />
        <Pager page={list.page} pageCount={pages} onChange={list.turnTo} label="Pages, above the list" />
      </Group>
      {found ? (
        // The cards of before, while the next ones are on their way.
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
        <Pager page={list.page} pageCount={pages} onChange={list.turnTo} label="Pages, below the list" />
      </Group>
    </>
  )
}

const narrowSearch = (shown: number) =>
  `These are the first ${shown.toLocaleString('en-US')} products. Narrow your search, by model or year for example, to see the others.`

function Cards({ list, none, card, found }: ListingResultsProps & { found: ListingPage }) {
  if (found.items.length > 0) {
    return (
      <ListingGrid>
        {found.items.map((listing, place) => (
          <Fragment key={listing.id}>{card(listing, place < inSight)}</Fragment>
        ))}
      </ListingGrid>
    )
  }
  if (found.total > 0) {
    return (
      <EmptyState
        title={`There is no page ${list.page}`}
        text={isCapped(found) ? narrowSearch(found.total) : 'The list has become shorter.'}
        action={<Button onClick={() => list.turnTo(1)}>Go to the first page</Button>}
      />
    )
  }
  if (list.isFiltered) {
    return (
      <EmptyState
        title="No products match these filters."
        text="Try fewer words, another category, or only the digits of the part number."
        action={<Button onClick={list.clear}>Clear filters</Button>}
        drawing={emptyDrawing}
      />
    )
  }
  return <EmptyState {...none} drawing={emptyDrawing} />
}

type PageSizeProps = { value: number; onChange: (size: number) => void; sizes?: PageSizes }

/** How many cards a page shows. */
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
