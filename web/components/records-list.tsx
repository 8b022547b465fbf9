import { Button, Group, Skeleton, Stack, Table } from '@mantine/core'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { Empty } from '#web/site/page.tsx'
import { LoadError } from './page/load-error.tsx'
import classes from './records-list.module.css'

export type Column<Item> = {
  header: string
  /** The header is only read aloud: a column of buttons explains itself. */
  hideHeader?: boolean
  /** A phone shows records as blocks, where the value needs its header in front. */
  labeled?: boolean
  numeric?: boolean
  className?: string | undefined
  cell: (item: Item) => ReactNode
}

type ListQuery = {
  isError: boolean
  isFetching: boolean
  isPlaceholderData: boolean
  refetch: () => Promise<unknown>
}

type MorePages = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

type RecordsListProps<Item> = {
  query: ListQuery
  /** Undefined until the first page is loaded. */
  items: readonly Item[] | undefined
  /** Shown with a retry button if nothing could be loaded; leave it out if the screen shows the error itself. */
  failed?: string
  /** Read aloud in place of the skeleton. */
  loading: string
  skeleton: { rows: number; height: number }
  empty: ReactNode
  summary?: ReactNode
  footer?: ReactNode
} & (TableProps<Item> | { children: (items: readonly Item[], isBusy: boolean) => ReactNode })

type TableProps<Item> = {
  columns: readonly Column<Item>[]
  rowProps?: (item: Item) => ComponentPropsWithoutRef<'tr'> & { 'data-chosen'?: boolean | undefined }
}

/** A list of records in each of its states: failed, loading, empty, or a table (or what `children` renders). */
export function RecordsList<Item extends { id: string }>(props: RecordsListProps<Item>) {
  const { query, items, failed, loading, skeleton, empty, summary, footer } = props
  if (!items && query.isError) {
    return failed === undefined ? null : (
      <LoadError message={failed} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    )
  }
  if (!items) {
    return (
      <Stack gap={1} role="status" aria-label={loading}>
        {Array.from({ length: skeleton.rows }, (_, row) => row).map((row) => (
          <Skeleton key={row} height={skeleton.height} radius={0} />
        ))}
      </Stack>
    )
  }
  const isBusy = query.isPlaceholderData
  return (
    <Stack gap="md">
      {items.length > 0 && summary}
      {items.length === 0 && empty}
      {items.length > 0 &&
        ('columns' in props ? (
          <RecordsTable {...props} items={items} isBusy={isBusy} />
        ) : (
          props.children(items, isBusy)
        ))}
      {footer}
    </Stack>
  )
}

type RecordsTableProps<Item> = TableProps<Item> & { items: readonly Item[]; isBusy: boolean }

const RecordsTable = <Item extends { id: string }>({ isBusy, ...props }: RecordsTableProps<Item>) => (
  <div className={classes.frame} aria-busy={isBusy}>
    <RecordRows {...props} />
  </div>
)

type ScrolledRecordsProps<Item> = Omit<RecordsTableProps<Item>, 'isBusy'> & { label: string }

/** A table that scrolls by itself, for many records on a page about something else. */
export const ScrolledRecords = <Item extends { id: string }>({
  label,
  ...props
}: ScrolledRecordsProps<Item>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access
  <section className={`${classes.frame} ${classes.scrolled}`} aria-label={label} tabIndex={0}>
    <RecordRows {...props} stickyHeader />
  </section>
)

type RecordRowsProps<Item> = Omit<RecordsTableProps<Item>, 'isBusy'> & { stickyHeader?: boolean }

function RecordRows<Item extends { id: string }>(props: RecordRowsProps<Item>) {
  const { items, columns, rowProps, stickyHeader = false } = props
  return (
    <Table className={classes.table} stickyHeader={stickyHeader}>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ header, hideHeader, numeric }) => (
            <Table.Th key={header} className={numeric ? classes.number : undefined}>
              {hideHeader ? <span className={classes.hidden}>{header}</span> : header}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((item) => (
          <Table.Tr key={item.id} {...rowProps?.(item)}>
            {columns.map(({ header, labeled, numeric, className, cell }) => (
              <Table.Td
                key={header}
                data-label={labeled ? header : undefined}
                className={numeric ? classes.number : className}
              >
                {cell(item)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

export function LoadMore({
  query: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  query: MorePages
}) {
  if (!hasNextPage) return null
  return (
    <Group justify="center">
      <Button variant="default" onClick={() => void fetchNextPage()} loading={isFetchingNextPage}>
        Load More
      </Button>
    </Group>
  )
}

/** For an address with a page number past the end of the list. */
export function NoSuchPage({ page, onFirst }: { page: number; onFirst: () => void }) {
  return (
    <Empty
      title={`There is no page ${page}`}
      text="That page no longer exists."
      action={<Button onClick={onFirst}>Go to the first page</Button>}
    />
  )
}
