import { type RawBuilder, sql } from 'kysely'
import { combinedCents, type ShippingRule } from '#contract/order/combined-shipping.ts'
import type { LineKind } from '#contract/order/order-quote.ts'
import {
  allowsStep,
  type Delivery,
  type IfMissing,
  type OrderSide,
  type OrderState,
  type OrderStep,
  orderSteps,
  type SaleMode,
} from '#contract/order/order-steps.ts'
import type { JsonObject } from '#db/schema.gen.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/* An order: its row, its lines, and the one way in which its state changes. */

/** What was said about a part when it was bought. */
export type LineFacts = {
  /** The yard's name, as its page showed it. */
  yard: string
  title: string
  grade: string | null
  partNumber: string | null
  stockNumber: string | null
  donorVin: string | null
  miles: number | null
  terms: string[]
  returnDays: number | null
  restockPct: number | null
  coreDays: number | null
  restricted: string | null
  fits: string | null
  /** Where it is in the yard: for the yard alone. */
  shelf: string | null
}

export type OrderLine = {
  readonly id: string
  readonly listingId: string
  readonly state: 'wanted' | 'found' | 'not-found' | 'returned'
  readonly quantity: number
  readonly priceCents: number
  readonly coreCents: number
  /** To ship it alone; null if the yard named a price for the order. */
  readonly shippingCents: number | null
  readonly facts: LineFacts
}

/** A row of `part_order` with its lines. Times are instants; amounts are cents. */
export type Order = {
  readonly id: string
  readonly number: string
  readonly sellerId: string
  readonly sellerName: string
  readonly buyerUserId: string | null
  readonly leadId: string | null
  readonly state: OrderState
  readonly mode: SaleMode
  readonly currency: string
  readonly email: string
  readonly name: string
  readonly phone: string | null
  readonly delivery: Delivery
  readonly line1: string | null
  readonly line2: string | null
  readonly city: string | null
  readonly region: string | null
  readonly zip: string | null
  readonly vin: string | null
  readonly vinConfirmed: boolean
  readonly shippingCents: number | null
  readonly combinedShipping: ShippingRule
  readonly ifMissing: IfMissing | null
  /** Whether the provider adds sales tax. */
  readonly taxed: boolean
  /** What was taken of it: 0 until the order is paid. */
  readonly taxCents: number
  readonly royaltyPercent: number
  readonly royaltyFloorCents: number
  readonly royaltyCents: number
  readonly daysToShip: number
  readonly timeZone: string
  readonly capturedCents: number
  readonly refundedCents: number
  readonly feeCents: number | null
  readonly sessionId: string | null
  readonly sessionUrl: string | null
  readonly paymentId: string | null
  readonly chargeId: string | null
  readonly captureBefore: Date | null
  readonly risk: string | null
  readonly expiresAt: Date | null
  readonly actAt: Date | null
  readonly confirmBy: Date | null
  readonly shipBy: Date | null
  readonly delayedUntil: Date | null
  readonly delayToldAt: Date | null
  readonly carrier: string | null
  readonly tracking: string | null
  readonly shippedAt: Date | null
  readonly readyAt: Date | null
  readonly deliveredAt: Date | null
  readonly askedArrived: number
  readonly pickupCode: string | null
  readonly pickupTries: number
  readonly cancelAskedAt: Date | null
  readonly cancelReason: string | null
  readonly heldAt: Date | null
  readonly heldReason: string | null
  /** The buyer's bank has not decided yet. */
  readonly disputed: boolean
  /** What banks took in disputes and have not given back. */
  readonly takenCents: number
  readonly attention: string | null
  readonly restock: 'asked' | 'sell' | 'scrap' | null
  readonly releaseAt: Date | null
  readonly returnUntil: Date | null
  readonly openReturns: number
  readonly coreState: 'open' | 'back' | 'lapsed' | null
  readonly coreBy: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly lines: readonly OrderLine[]
}

const columns = sql`
  o.id, o.number, o.seller_id as "sellerId", coalesce(lines.lines -> 0 -> 'facts' ->> 'yard', s.name) as "sellerName", o.buyer_user_id as "buyerUserId",
  o.lead_id as "leadId", o.state, o.mode, o.currency, o.email, o.name, o.phone, o.delivery, o.line1, o.line2, o.city,
  o.region, o.zip, o.vin, o.vin_confirmed as "vinConfirmed", o.shipping_cents::float8 as "shippingCents",
  o.combined_shipping as "combinedShipping", o.if_missing as "ifMissing",
  o.taxed, o.tax_cents::float8 as "taxCents", o.royalty_percent::float8 as "royaltyPercent",
  o.royalty_floor_cents as "royaltyFloorCents", o.royalty_cents::float8 as "royaltyCents",
  o.days_to_ship as "daysToShip", o.time_zone as "timeZone", o.captured_cents::float8 as "capturedCents",
  o.refunded_cents::float8 as "refundedCents", o.fee_cents::float8 as "feeCents", o.session_id as "sessionId",
  o.session_url as "sessionUrl", o.payment_id as "paymentId", o.charge_id as "chargeId",
  o.capture_before as "captureBefore", o.risk, o.expires_at as "expiresAt", o.act_at as "actAt",
  o.confirm_by as "confirmBy", o.ship_by as "shipBy", o.delayed_until as "delayedUntil",
  o.delay_told_at as "delayToldAt", o.carrier, o.tracking, o.shipped_at as "shippedAt", o.ready_at as "readyAt",
  o.delivered_at as "deliveredAt", o.asked_arrived as "askedArrived", o.pickup_code as "pickupCode",
  o.pickup_tries as "pickupTries", o.cancel_asked_at as "cancelAskedAt", o.cancel_reason as "cancelReason",
  o.held_at as "heldAt", o.held_reason as "heldReason", o.disputed, o.attention, o.restock,
  o.release_at as "releaseAt", o.return_until as "returnUntil", o.open_returns as "openReturns",
  o.core_state as "coreState", o.core_by as "coreBy",
  (select coalesce(sum(taken_cents), 0)::float8 from order_dispute d where d.order_id = o.id) as "takenCents",
  o.created_at as "createdAt", o.updated_at as "updatedAt", lines.lines`

const joins = sql`
  join seller s on s.id = o.seller_id
  join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'listingId', l.listing_id, 'state', l.state,
             'quantity', l.quantity, 'priceCents', l.price_cents, 'coreCents', l.core_cents,
             'shippingCents', l.shipping_cents, 'facts', l.facts)
             order by l.id), '[]') as lines
    from order_line l where l.order_id = o.id
  ) lines on true`

/** Reads the orders `o` of a condition, in the order of a clause. */
export async function readOrders(
  db: Db,
  condition: RawBuilder<unknown>,
  rest: RawBuilder<unknown> = sql``,
): Promise<Order[]> {
  const { rows } = await sql<Order>`${selectOrders(condition)} ${rest}`.execute(db)
  return rows
}

const selectOrders = (condition: RawBuilder<unknown>) => sql`
  select ${columns} from part_order o ${joins} where ${condition}`

/** Of a condition that one order meets: planned once, as every step of an order reads it. */
export async function findOrder(db: Db, condition: RawBuilder<unknown>): Promise<Order | undefined> {
  const { rows } = await sql<Order>`/* prepared */ ${selectOrders(condition)}`.execute(db)
  return rows[0]
}

export const findOrderById = (db: Db, id: string): Promise<Order | undefined> =>
  findOrder(db, sql`o.id = ${id}`)

export const findOrderByPayment = (db: Db, paymentId: string) =>
  findOrder(db, sql`o.payment_id = ${paymentId}`)

export const orderNotFound = () => new AppError('NOT_FOUND', 'There is no such order.')

/** Reads an order and keeps others from changing it until the transaction ends. */
export async function lockOrder(trx: Db, id: string): Promise<Order> {
  await sql`select from part_order where id = ${id} for no key update`.execute(trx)
  const found = await findOrderById(trx, id)
  if (!found) throw orderNotFound()
  return found
}

/* Amounts. */

type Priced = Pick<
  Order,
  'lines' | 'shippingCents' | 'combinedShipping' | 'taxCents' | 'delivery' | 'state' | 'mode'
>

/**
 * The lines that the order's money is for. What a yard did not find before the money was taken costs nothing; what it missed
 * later was paid, and is refunded. An order that ended because of it shows what it would have cost.
 */
export const pricedLines = ({ lines, state, mode }: Pick<Order, 'lines' | 'state' | 'mode'>) =>
  mode === 'instant' || state === 'not-found' ? lines : lines.filter((line) => line.state !== 'not-found')

const sumOf = (lines: readonly OrderLine[], centsOf: (line: OrderLine) => number): number =>
  lines.reduce((sum, line) => sum + centsOf(line) * line.quantity, 0)

export const partsCents = (order: Pick<Order, 'lines' | 'state' | 'mode'>): number =>
  sumOf(pricedLines(order), ({ priceCents }) => priceCents)

export const coreCents = (order: Pick<Order, 'lines' | 'state' | 'mode'>): number =>
  sumOf(pricedLines(order), (line) => line.coreCents)

/**
 * To ship only these lines of an order: by the yard's rule as copied, and never more than the buyer agreed to. A price that
 * the yard named is for the parcel, and stays.
 */
export function shippingCentsOf(order: Priced, lines: readonly OrderLine[]): number | null {
  const { shippingCents, combinedShipping, delivery } = order
  if (shippingCents === null || delivery === 'pickup') return shippingCents
  const alone = lines.map((line) => line.shippingCents)
  const isNamed = order.lines.some((line) => line.shippingCents === null)
  return isNamed || !alone.every((cents) => cents !== null)
    ? shippingCents
    : Math.min(shippingCents, combinedCents(combinedShipping, alone))
}

/** What the order costs by kind, without what costs nothing; undefined until the shipping price is known. */
export function amountsOf(order: Priced): { kind: LineKind; cents: number }[] | undefined {
  const shipping = shippingCentsOf(order, pricedLines(order))
  if (shipping === null) return undefined
  const all = [
    { kind: 'part', cents: partsCents(order) },
    { kind: 'shipping', cents: shipping },
    { kind: 'core', cents: coreCents(order) },
    { kind: 'tax', cents: order.taxCents },
  ] as const
  return all.filter(({ kind, cents }) => kind === 'part' || cents > 0)
}

export const totalCents = (order: Priced): number | undefined =>
  amountsOf(order)?.reduce((sum, { cents }) => sum + cents, 0)

/** Whether sales tax comes on top of the total: it is known once the order is paid. */
export const isBeforeTax = ({ taxed, state }: Pick<Order, 'taxed' | 'state'>): boolean =>
  taxed && (state === 'quoting' || state === 'pending')

/* Moving. */

export type By = { readonly side: OrderSide; readonly userId?: string | undefined }

const WHY_NOT: Partial<Record<OrderState, string>> = {
  quoting: 'This order is waiting for a shipping price.',
  pending: 'This order is not paid yet.',
  authorized: 'The yard has not confirmed this order yet.',
  capturing: 'The payment of this order is being taken right now. Try again in a moment.',
  confirmed: 'This order is confirmed already.',
  ready: 'This order is ready to be picked up already.',
  shipped: 'This order is already on its way.',
  delivered: 'This order is already delivered.',
  closed: 'This order is closed.',
  expired: 'This order has expired: it was not paid in time.',
  canceled: 'This order is canceled.',
  'not-found': 'The yard could not find this part, so the order has ended.',
  refunded: 'This order is refunded.',
}

/** The table does not allow it. */
export const wrongState = ({ state }: Pick<Order, 'state'>): AppError =>
  new AppError('STATE', WHY_NOT[state] ?? 'This order cannot be changed like that.')

/** Steps that an administrator's hold stops, or a dispute. */
const STOPPED: readonly OrderStep[] = ['confirm', 'ship', 'ready', 'hand-over']

/**
 * What the provider says has happened already: a hold stops people only.
 * @throws AppError STATE
 */
export function requireStep(order: Order, step: OrderStep, side: OrderSide = 'seller'): void {
  if (!allowsStep(step, order)) throw wrongState(order)
  if (side === 'provider' || !STOPPED.includes(step)) return
  if (order.disputed)
    throw new AppError(
      'STATE',
      'The buyer’s bank disputes this payment. Do not ship it until that is decided.',
    )
  if (order.heldAt === null) return
  throw new AppError('STATE', 'This order is being reviewed. Do not ship it until it is released.')
}

/** Columns of `part_order` to set. */
export type OrderChanges = Readonly<Record<string, string | number | boolean | Date | null>>

export async function changeOrder(trx: Db, id: string, changes: OrderChanges): Promise<void> {
  const sets = Object.entries(changes).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  await sql`
    update part_order set ${sql.join([...sets, sql`updated_at = now()`])} where id = ${id}`.execute(trx)
}

export type NewEvent = By & { kind: string; at: Date; detail?: JsonObject }

export async function writeEvent(
  trx: Db,
  { id, state }: Pick<Order, 'id' | 'state'>,
  { kind, at, side, userId, detail = {} }: NewEvent,
): Promise<void> {
  await sql`
    insert into order_event (order_id, at, kind, side, actor_user_id, state, detail)
    values (${id}, ${at}, ${kind}, ${side}, ${userId ?? null}, ${state}, ${JSON.stringify(detail)}::jsonb)
  `.execute(trx)
}

export type Move = By & { now: Date; set?: OrderChanges; detail?: JsonObject }

/**
 * Takes a step with a locked order: its state, the columns that come with it, and its event. Returns the changed order.
 * @throws AppError STATE for a step that the table does not have
 */
export async function moveOrder(trx: Db, order: Order, step: OrderStep, move: Move): Promise<Order> {
  requireStep(order, step, move.side)
  const { to } = orderSteps[step]
  const { now, set = {}, side, userId, detail } = move
  await changeOrder(trx, order.id, { state: to, ...set })
  await writeEvent(
    trx,
    { id: order.id, state: to },
    { kind: step, at: now, side, userId, ...(detail && { detail }) },
  )
  const moved = await findOrderById(trx, order.id)
  if (!moved) throw orderNotFound()
  return moved
}

/** Whether this step was taken before: asking for it again is no error, and changes nothing. */
export async function wasTaken(
  db: Db,
  orderId: string,
  step: OrderStep | 'disowned' | 'fraud-warning' | 'review-opened',
): Promise<boolean> {
  const { rows } = await sql`
    select from order_event where order_id = ${orderId} and kind = ${step} limit 1`.execute(db)
  return rows.length > 0
}

export type OrderEvent = { at: Date; kind: string; side: OrderSide; detail: JsonObject }

export async function listEvents(db: Db, orderIds: readonly string[]): Promise<Map<string, OrderEvent[]>> {
  const { rows } = await sql<OrderEvent & { orderId: string }>`
    select order_id as "orderId", at, kind, side, detail from order_event
    where order_id = any(${orderIds}::uuid[]) order by id`.execute(db)
  return Map.groupBy(rows, ({ orderId }) => orderId)
}

/* Placing. */

export type NewOrder = {
  sellerId: string
  buyerUserId: string | null
  leadId: string | null
  state: 'quoting' | 'pending'
  mode: SaleMode
  email: string
  name: string
  phone: string | null
  delivery: Delivery
  line1: string | null
  line2: string | null
  city: string | null
  region: string | null
  zip: string | null
  vin: string | null
  shippingCents: number | null
  taxed: boolean
  combinedShipping: ShippingRule
  ifMissing: IfMissing | null
  royaltyPercent: number
  royaltyFloorCents: number
  daysToShip: number
  timeZone: string
  expiresAt: Date
  clientKey: Buffer | null
}

export type NewLine = {
  listingId: string
  quantity: number
  priceCents: number
  coreCents: number
  shippingCents: number | null
  facts: LineFacts
}

export async function insertOrder(trx: Db, order: NewOrder, lines: readonly NewLine[]): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into part_order (seller_id, buyer_user_id, lead_id, state, mode, email, name, phone, delivery, line1, line2,
      city, region, zip, vin, shipping_cents, taxed, combined_shipping, if_missing, royalty_percent, royalty_floor_cents, days_to_ship, time_zone, expires_at,
      act_at, client_key)
    values (${order.sellerId}, ${order.buyerUserId}, ${order.leadId}, ${order.state}, ${order.mode}, ${order.email},
      ${order.name}, ${order.phone}, ${order.delivery}, ${order.line1}, ${order.line2}, ${order.city}, ${order.region},
      ${order.zip}, ${order.vin}, ${order.shippingCents}, ${order.taxed}, ${order.combinedShipping}, ${order.ifMissing}, ${order.royaltyPercent},
      ${order.royaltyFloorCents}, ${order.daysToShip}, ${order.timeZone}, ${order.expiresAt}, ${order.expiresAt}, ${order.clientKey})
    returning id`.execute(trx)
  const { id } = onlyRow(rows)
  for (const line of lines) {
    await sql`
      insert into order_line (order_id, listing_id, quantity, price_cents, core_cents, shipping_cents, facts)
      values (${id}, ${line.listingId}, ${line.quantity}, ${line.priceCents}, ${line.coreCents}, ${line.shippingCents},
              ${JSON.stringify(line.facts)}::jsonb)`.execute(trx)
  }
  return id
}
