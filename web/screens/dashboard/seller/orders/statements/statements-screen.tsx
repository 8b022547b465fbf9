import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { bookEndpoints, type StatementSums } from '#contract/order/money/book-calls.ts'
import { call } from '#web/api/client.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { FileButton } from '#web/components/downloads.tsx'
import { dollars } from '#web/components/orders/order-facts.ts'
import { Page, Trail } from '#web/components/page/page.tsx'
import { type Column, RecordsList } from '#web/components/records-list.tsx'
import { paths } from '#web/paths.ts'
import { Empty } from '#web/site/page.tsx'

/** The yard's months, for its bookkeeper. */
export function Component() {
  const statements = useQuery({
    queryKey: ['statements'],
    queryFn: ({ signal }) => call(bookEndpoints.listStatements, { signal }),
  })
  return (
    <Page
      title="Statements"
      lead="What buyers paid, what went back, and what you got, month by month. Months are those of UTC."
    >
      <Trail links={[{ to: paths.sellerOrders, label: 'Orders' }]} here="Statements" />
      <RecordsList
        query={statements}
        items={statements.data?.items.map((item) => ({ ...item, id: item.month }))}
        failed="Unable to load your statements"
        loading="Loading your statements…"
        skeleton={{ rows: 6, height: 52 }}
        columns={columns}
        empty={
          <Empty
            title="No statements yet."
            text="The first one appears with your first paid order."
            drawing={emptyDrawing}
          />
        }
      />
    </Page>
  )
}

const monthInWords = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

const columns: readonly Column<StatementSums & { id: string }>[] = [
  {
    header: 'Month',
    cell: ({ month, isOver, orders }) => (
      <>
        <Text fw={650}>{monthInWords(month)}</Text>
        <Text size="sm" className="second">
          {orders} {orders === 1 ? 'order' : 'orders'}
          {!isOver && ' so far'}
        </Text>
      </>
    ),
  },
  { header: 'Paid by buyers', labeled: true, numeric: true, cell: ({ gross }) => dollars(gross) },
  { header: 'Refunded', labeled: true, numeric: true, cell: ({ refunds }) => dollars(refunds) },
  { header: 'Royalty', labeled: true, numeric: true, cell: ({ royalty }) => dollars(royalty) },
  { header: 'Transferred', labeled: true, numeric: true, cell: ({ transferred }) => dollars(transferred) },
  { header: 'Balance', labeled: true, numeric: true, cell: ({ closing }) => dollars(closing) },
  {
    header: 'Download',
    hideHeader: true,
    cell: ({ month }) => (
      <Group gap="xs" wrap="nowrap" justify="flex-end">
        <FileButton
          read={() => call(bookEndpoints.readStatementPdf, { params: { month } })}
          name={`statement-${month}.pdf`}
          label={`PDF, ${monthInWords(month)}`}
        >
          PDF
        </FileButton>
        <FileButton
          read={() => call(bookEndpoints.readStatementCsv, { params: { month } })}
          name={`statement-${month}.csv`}
          label={`CSV, ${monthInWords(month)}`}
        >
          CSV
        </FileButton>
      </Group>
    ),
  },
]
