import { sql } from 'kysely'
import { csvLine } from '#contract/csv/csv-cell.ts'
import { carriers, type OrderState } from '#contract/order/order-steps.ts'
import type { SellerOrder } from '#contract/order/order-views.ts'
import {
  MOST_SHIPPING_ROWS,
  type ShippingReply,
  type ShippingRow,
  shippingFields,
} from '#contract/order/shipping/shipping-list.ts'
import { isShippedAs, requireShippable, shipOrder } from '#server/features/money/orders/fulfilment.ts'
import type { OrderSite } from '#server/features/money/orders/letters/telling.ts'
import { type By, lockOrder, type Order, readOrders } from '#server/features/money/orders/orders.ts'
import { showToSeller } from '#server/features/money/orders/show-order.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileRow, Parcel, ShippingFile } from './shipping-file.ts'

/* Many orders shipped by one file. Each row is a step of its own, so that a bad one does not keep the others. */

type Deps = { now: () => Date; site: OrderSite }
type Shipping = { file: ShippingFile; sellerId: string; by: By; dryRun: boolean }

/**
 * Ships what the file says, or only finds out what it would do. Sent again, it changes nothing: a broken upload is mended by
 * repeating it.
 */
export async function shipByFile(
  db: Db,
  { file, sellerId, by, dryRun }: Shipping,
  deps: Deps,
): Promise<ShippingReply> {
  const orders = await readNamedOrders(db, sellerId, file.rows)
  const rows: ShippingRow[] = []
  for (const row of file.rows) {
    const order = orders.get(row.number)
    const outcome = await outcomeOf(row, order, (parcel, { id }) =>
      dryRun ? checkRow(db, id, parcel) : shipRow(db, { orderId: id, by, parcel }, deps),
    )
    rows.push({
      row: row.row,
      number: row.number,
      orderId: order?.id ?? null,
      part: order ? titlesOf(order) : null,
      buyer: order && order.capturedCents > 0 ? order.name : null,
      carrier: row.carrier,
      tracking: row.tracking,
      ...outcome,
    })
  }
  const named = shippingFields.map((field) => {
    const at = file.columns[field]
    return [field, at === undefined ? null : (file.header[at] ?? null)]
  })
  return {
    dryRun,
    header: [...file.header],
    columns: Object.fromEntries(named) as ShippingReply['columns'],
    notes: file.notes,
    rows,
  }
}

/** The yard's own: those of others look like missing ones. */
async function readNamedOrders(
  db: Db,
  sellerId: string,
  rows: readonly FileRow[],
): Promise<Map<string, Order>> {
  const numbers = [...new Set(rows.map(({ number }) => number))]
  const found = await readOrders(db, sql`o.seller_id = ${sellerId} and o.number = any(${numbers}::text[])`)
  return new Map(found.map((order) => [order.number, order]))
}

const titlesOf = ({ lines }: Order) =>
  lines
    .filter(({ state }) => state !== 'not-found')
    .map(({ facts }) => facts.title)
    .join(', ')

type Outcome = Pick<ShippingRow, 'outcome' | 'note'>
type Act = (parcel: Parcel, order: Order) => Promise<'ship' | 'shipped' | 'same'>

async function outcomeOf(row: FileRow, order: Order | undefined, act: Act): Promise<Outcome> {
  if (row.says === 'repeat') return { outcome: 'same', note: row.note }
  if (row.says !== 'ship') return { outcome: row.says, note: row.note }
  if (order === undefined) {
    return {
      outcome: 'problem',
      note: 'You have no order with this number. Compare it with the number on your Orders page.',
    }
  }
  try {
    const outcome = await act(row.parcel, order)
    return { outcome, note: outcome === 'same' ? 'Already shipped like this. Nothing changes.' : null }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'STATE') throw error
    return { outcome: 'problem', note: whyNot(order) ?? error.message }
  }
}

/** To the yard, where the order's own sentence speaks to the buyer or leaves out what to do. */
function whyNot({ state, delivery, carrier, tracking }: Order): string | undefined {
  if (delivery === 'pickup' && (state === 'confirmed' || state === 'ready'))
    return 'The buyer picks this order up. Open it, and mark it as ready or hand it over.'
  if (state === 'shipped' && carrier !== null) {
    const label = carriers[carrier as keyof typeof carriers] ?? carrier
    return `Already shipped with ${label}${tracking ? `, ${tracking}` : ', without a tracking number'}. A file does not change that.`
  }
  return SENTENCES[state]
}

const SENTENCES: Partial<Record<OrderState, string>> = {
  pending: 'This order is not paid yet. Do not ship it.',
  authorized: 'You have not confirmed this order yet. Confirm it first, so that the money is taken.',
}

/** What a row would do. */
async function checkRow(db: Db, orderId: string, parcel: Parcel): Promise<'ship' | 'same'> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (await isShippedAs(trx, order, parcel)) return 'same'
    await requireShippable(trx, order)
    return 'ship'
  })
}

function shipRow(
  db: Db,
  { orderId, by, parcel }: { orderId: string; by: By; parcel: Parcel },
  deps: Deps,
): Promise<'shipped' | 'same'> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (await isShippedAs(trx, order, parcel)) return 'same'
    await shipOrder(trx, { orderId, by, ...parcel }, deps)
    return 'shipped'
  })
}

/* The list to fill in. */

const HEADER = [
  ...[
    'Order',
    'Ship by',
    'Part',
    'Stock number',
    'Buyer',
    'Street',
    'Apartment',
    'City',
    'State',
    'ZIP',
    'Phone',
  ],
  ...['Carrier', 'Tracking number'],
]

/** What is to be shipped, most urgent first: filled in, it is the file that ships it. */
export async function shippingListCsv(db: Db, sellerId: string, now: Date): Promise<string> {
  const orders = await readOrders(
    db,
    sql`o.seller_id = ${sellerId} and o.state = 'confirmed' and o.delivery = 'ship'`,
    sql`order by o.ship_by nulls last, o.id limit ${MOST_SHIPPING_ROWS}`,
  )
  const zones = new Map(orders.map(({ id, timeZone }) => [id, timeZone]))
  const shown = (await showToSeller(db, orders, now)).filter(({ actions }) => actions.includes('ship'))
  const rows = shown.map((order) => rowOf(order, zones.get(order.id) ?? 'UTC'))
  // Spreadsheets take a file without the mark for one of their own old encoding.
  return `\ufeff${[HEADER, ...rows].map(csvLine).join('')}`
}

function rowOf({ number, shipsBy, parts, buyer }: SellerOrder, timeZone: string): string[] {
  const there = parts.filter(({ state }) => state !== 'not-found')
  const { address } = buyer
  return [
    number,
    shipsBy ? new Date(shipsBy).toLocaleDateString('en-CA', { timeZone }) : '',
    there.map(({ title, quantity }) => (quantity > 1 ? `${quantity} × ${title}` : title)).join('; '),
    there.flatMap(({ stockNumber }) => stockNumber ?? []).join('; '),
    buyer.name,
    ...(address && 'line1' in address
      ? [address.line1 ?? '', address.line2, address.city, address.state, address.zip]
      : ['', '', '', '', '']),
    buyer.phone ?? '',
    '',
    '',
  ]
}
