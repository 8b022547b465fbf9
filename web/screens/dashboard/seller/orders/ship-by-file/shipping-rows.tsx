import { Badge, Text } from '@mantine/core'
import { carriers } from '#contract/order/order-steps.ts'
import type { ShippingReply, ShippingRow } from '#contract/order/shipping/shipping-list.ts'
import { TextLink } from '#web/components/links.tsx'
import { type Column, RecordsList } from '#web/components/records-list.tsx'
import { paths } from '#web/paths.ts'
import classes from '#web/screens/dashboard/seller/orders/orders.module.css'
import { Empty } from '#web/site/page.tsx'

type Outcome = ShippingRow['outcome']

/** What needs a person comes first. */
const outcomes: Readonly<Record<Outcome, { rank: number; label: string; color: string }>> = {
  problem: { rank: 0, label: 'Not shipped', color: 'bad' },
  ship: { rank: 1, label: 'Will be shipped', color: 'good' },
  shipped: { rank: 1, label: 'Shipped', color: 'good' },
  same: { rank: 2, label: 'No change', color: 'gray' },
  blank: { rank: 3, label: 'Not filled in', color: 'gray' },
}

export const countOf = ({ rows }: Pick<ShippingReply, 'rows'>, outcome: Outcome): number =>
  rows.filter((row) => row.outcome === outcome).length

export const ordersInWords = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'order' : 'orders'}`

const counted: readonly [outcome: Outcome, ofOne: string, ofSeveral: string][] = [
  ['ship', 'order will be shipped', 'orders will be shipped'],
  [
    'shipped',
    'order is marked as shipped, and its buyer gets an email',
    'orders are marked as shipped, and their buyers get an email',
  ],
  ['problem', 'row needs a look', 'rows need a look'],
  ['same', 'row changes nothing', 'rows change nothing'],
  ['blank', 'row is not filled in', 'rows are not filled in'],
]

/** “12 orders will be shipped. 2 rows need a look.” */
export function summaryOf(result: Pick<ShippingReply, 'rows'>): string {
  const sentences = counted.flatMap(([outcome, ofOne, ofSeveral]) => {
    const count = countOf(result, outcome)
    return count === 0 ? [] : [`${count.toLocaleString('en-US')} ${count === 1 ? ofOne : ofSeveral}.`]
  })
  return sentences.length === 0 ? 'No rows with orders were found.' : sentences.join(' ')
}

const columns: readonly Column<ShippingRow & { id: string }>[] = [
  { header: 'Row', labeled: true, numeric: true, cell: ({ row }) => row.toLocaleString('en-US') },
  {
    header: 'Order',
    cell: ({ number, orderId, part, buyer }) => (
      <>
        {orderId === null ? (
          <Text component="span">{number || 'No number'}</Text>
        ) : (
          <TextLink to={paths.sellerOrder(orderId)}>{number}</TextLink>
        )}
        {part !== null && (
          <Text size="sm" className="second">
            {[part, buyer].filter(Boolean).join(' · ')}
          </Text>
        )}
      </>
    ),
  },
  {
    header: 'Carrier and tracking',
    className: classes.parcel,
    cell: ({ carrier, tracking }) =>
      [carrier && carriers[carrier], tracking].filter(Boolean).join(' ') || '–',
  },
  {
    header: 'Result',
    cell: ({ outcome, note }) => (
      <>
        <Badge component="span" size="md" color={outcomes[outcome].color}>
          {outcomes[outcome].label}
        </Badge>
        {note !== null && <Text size="sm">{note}</Text>}
      </>
    ),
  },
]

const loaded = {
  isError: false,
  isFetching: false,
  isPlaceholderData: false,
  refetch: () => Promise.resolve(),
}

/** What each row of the file does, or did. */
export function ShippingRows({ rows }: { rows: readonly ShippingRow[] }) {
  const items = rows
    .map((row) => ({ ...row, id: String(row.row) }))
    .toSorted((a, b) => outcomes[a.outcome].rank - outcomes[b.outcome].rank || a.row - b.row)
  return (
    <RecordsList
      query={loaded}
      items={items}
      loading="Reading the file…"
      skeleton={{ rows: 5, height: 52 }}
      columns={columns}
      empty={
        <Empty
          title="No rows with orders"
          text="Each row needs an order number such as PH-100234, a carrier, and a tracking number."
        />
      }
    />
  )
}
