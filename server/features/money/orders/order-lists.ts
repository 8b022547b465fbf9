import { type RawBuilder, sql } from 'kysely'
import { isId } from '#contract/endpoint.ts'
import type { OrderState } from '#contract/order/order-steps.ts'
import type { ReturnState } from '#contract/order/returns/return-steps.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { likePart } from '#server/platform/database/quoted-text.ts'
import { waitsForEvidence, waitsForYard } from './disputes/dispute-rows.ts'
import { isOwnedBy } from './order-links.ts'
import { findOrder, type Order, orderNotFound, readOrders } from './orders.ts'

/* Lists of orders: a buyer's, a yard's, and all. */

export type Paging = { page: number; perPage: number }

async function listPage(
  db: Db,
  condition: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  { page, perPage }: Paging,
): Promise<{ orders: Order[]; total: number }> {
  const [orders, counted] = await Promise.all([
    readOrders(db, condition, sql`order by ${order} limit ${perPage} offset ${(page - 1) * perPage}`),
    countOrders(db, condition),
  ])
  return { orders, total: counted }
}

async function countOrders(db: Db, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from part_order o join seller s on s.id = o.seller_id where ${condition}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export const listBuyerOrders = (db: Db, actor: Actor, paging: Paging) =>
  listPage(db, isOwnedBy(actor), sql`o.id desc`, paging)

const hasReturn = (states: readonly ReturnState[]) => sql`exists (
  select from order_return r where r.order_id = o.id and r.state = any(${[...states]}::text[]))`

/** Whether the yard has something to do. */
const isTodo = sql`(
  (o.state in ('authorized', 'confirmed', 'ready') and not o.disputed)
  or (o.state = 'quoting' and o.shipping_cents is null) or o.restock = 'asked' or ${waitsForYard}
  or ${hasReturn(['asked', 'sent'])})`

const isOpenOrder = sql`o.state in ('quoting', 'pending', 'authorized', 'capturing', 'confirmed', 'ready', 'shipped')`

const SHOWN = {
  todo: isTodo,
  open: sql`(${isOpenOrder} or o.restock = 'asked' or o.open_returns > 0)`,
  all: sql`true`,
} as const

/** Finds a number, a name, a part or a stock number; administrators also an email or an id of the provider. */
function matches(q: string | undefined, isAdmin: boolean): RawBuilder<unknown> {
  if (!q) return sql`true`
  const like = likePart(q)
  const ofAdmin = isAdmin
    ? sql`or o.email ilike ${like} or s.name ilike ${like} or o.payment_id = ${q} or o.session_id = ${q} or o.charge_id = ${q}`
    : sql``
  return sql`(
    o.number ilike ${like} or o.name ilike ${like}
    or exists (select from order_line l where l.order_id = o.id
               and (l.facts ->> 'title' ilike ${like} or l.facts ->> 'stockNumber' ilike ${like}
                    or l.facts ->> 'partNumber' ilike ${like}))
    ${ofAdmin})`
}

const inState = (state: OrderState | undefined) => (state === undefined ? sql`true` : sql`o.state = ${state}`)

export type SellerFilter = Paging & {
  show: keyof typeof SHOWN
  state?: OrderState | undefined
  q?: string | undefined
}

export async function listSellerOrders(db: Db, sellerId: string, filter: SellerFilter) {
  const own = sql`o.seller_id = ${sellerId}`
  // What ends first comes first.
  const order = filter.show === 'all' ? sql`o.id desc` : sql`${isTodo} desc, o.act_at nulls last, o.id`
  const condition = sql`${own} and ${SHOWN[filter.show]} and ${inState(filter.state)} and ${matches(filter.q, false)}`
  const [page, todo, open] = await Promise.all([
    listPage(db, condition, order, filter),
    countOrders(db, sql`${own} and ${isTodo}`),
    countOrders(db, sql`${own} and ${SHOWN.open}`),
  ])
  return { ...page, counts: { todo, open } }
}

export type AdminFilter = Paging & {
  state?: OrderState | undefined
  q?: string | undefined
  attention?: boolean | undefined
  sellerId?: string | undefined
}

const needsLook = sql`(
  o.attention is not null or o.held_at is not null or ${waitsForEvidence} or ${hasReturn(['deciding'])})`

export async function listAllOrders(db: Db, filter: AdminFilter) {
  const ofSeller = filter.sellerId === undefined ? sql`true` : sql`o.seller_id = ${filter.sellerId}`
  const condition = sql`${inState(filter.state)} and ${ofSeller} and ${filter.attention ? needsLook : sql`true`}
    and ${matches(filter.q, true)}`
  const [page, attention] = await Promise.all([
    listPage(db, condition, sql`${waitsForEvidence} desc, ${needsLook} desc, o.id desc`, filter),
    countOrders(db, needsLook),
  ])
  return { ...page, counts: { attention } }
}

/** Other yards' orders look like missing ones. @throws AppError NOT_FOUND */
export async function getSellerOrder(db: Db, actor: Actor, id: string): Promise<Order> {
  const found = isId(id)
    ? await findOrder(db, sql`o.id = ${id} and o.seller_id = ${actor.sellerId}`)
    : undefined
  if (!found) throw orderNotFound()
  return found
}
