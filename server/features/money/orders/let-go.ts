import { sql } from 'kysely'
import type { OrderSide } from '#contract/order/order-steps.ts'
import { releaseOfferHolds } from '#server/features/market/for-sale/holds.ts'
import { type ProviderCalls, ProviderFailure } from '#server/features/money/billing/provider.ts'
import { mailOfferEnded } from '#server/features/talk/leads/gone-mails.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { letPartGo } from './buyer-deeds.ts'
import { tell } from './letters/telling.ts'
import { readOrderAtProvider, type StepDeps } from './money/provider-steps.ts'
import { lockOrder, moveOrder, type Order, readOrders } from './orders.ts'

/*
 * Letting a part go that a buyer holds: its seller ends it before it is paid, or an administrator hides it. The payment page
 * is closed and read first, since it may have been paid a moment ago.
 */

export type LetGoDeps = StepDeps & { calls: () => ProviderCalls }

type Letting = { side: Extract<OrderSide, 'seller' | 'admin' | 'buyer'>; reason: string }

/**
 * Lets go of the parts of these listings, as far as possible: unpaid orders are canceled; paid but unconfirmed ones only
 * for administrators. Tells the buyers. Returns the parts that stay in an order.
 */
export async function letGoOfParts(
  deps: LetGoDeps,
  listingIds: readonly string[],
  by: Letting,
): Promise<ReadonlyMap<string, { orderId: string; number: string }>> {
  const kept = new Map<string, { orderId: string; number: string }>()
  const held = await readOrders(
    deps.db,
    sql`o.state in ('pending', 'authorized', 'capturing') and o.id in (
      select l.order_id from order_line l
      where l.listing_id = any(${[...listingIds]}::uuid[]) and l.state <> 'not-found')`,
  )
  for (const order of held) {
    const isFree = await letGoOfOrder(deps, order, by)
    if (isFree) continue
    for (const { listingId } of order.lines) kept.set(listingId, { orderId: order.id, number: order.number })
  }
  const free = listingIds.filter((id) => !kept.has(id))
  await inTransaction(deps.db, async (trx) => {
    for (const leadId of await releaseOfferHolds(trx, free, deps.now()))
      await mailOfferEnded(trx, leadId, deps)
  })
  return kept
}

/** Returns whether the order has let its part go. */
export async function letGoOfOrder(deps: LetGoDeps, order: Order, by: Letting): Promise<boolean> {
  if (order.state === 'pending' && !(await closePage(deps, order))) return false
  return inTransaction(deps.db, (trx) => dropOrder(trx, order.id, by, deps))
}

/** False if the provider cannot be reached: then the hold stays. */
async function closePage(deps: LetGoDeps, order: Order): Promise<boolean> {
  try {
    const calls = deps.calls()
    if (order.sessionId !== null) await calls.closeSession(order.sessionId)
    await readOrderAtProvider(deps, order.id, calls)
    return true
  } catch (error) {
    if (error instanceof ProviderFailure) return false
    throw error
  }
}

/** Drops an order that is not captured: unpaid for anyone, authorized for administrators only. */
async function dropOrder(
  trx: Db,
  orderId: string,
  { side, reason }: Letting,
  deps: StepDeps,
): Promise<boolean> {
  const order = await lockOrder(trx, orderId)
  const mayDrop =
    order.state === 'pending' ||
    order.state === 'quoting' ||
    (order.state === 'authorized' && side === 'admin')
  if (!mayDrop) return order.state !== 'authorized' && order.state !== 'capturing'
  const now = deps.now()
  const set = { act_at: null, expires_at: null }
  const moved = await moveOrder(trx, order, 'drop', { side, now, set, detail: { reason } })
  await letPartGo(trx, order, deps)
  if (side !== 'buyer') await tell(trx, moved, 'dropped', { ...deps, reason })
  return true
}

/** A yard was disabled: what is not confirmed ends, what is paid is held for an administrator. */
export async function settleOrdersOfGoneSeller(deps: LetGoDeps, sellerId: string): Promise<void> {
  const open = await readOrders(
    deps.db,
    sql`o.seller_id = ${sellerId} and o.state in ('quoting', 'pending', 'authorized', 'confirmed', 'ready')`,
  )
  for (const order of open) {
    if (order.state !== 'confirmed' && order.state !== 'ready') {
      await letGoOfOrder(deps, order, { side: 'admin', reason: 'The yard no longer sells here.' })
      continue
    }
    await sql`
      update part_order set held_at = coalesce(held_at, ${deps.now()}), held_reason = coalesce(held_reason, 'The yard is disabled.'),
        attention = 'The yard of this paid order is disabled.'
      where id = ${order.id}`.execute(deps.db)
  }
}
