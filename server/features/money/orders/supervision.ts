import { BEFORE_CAPTURE_ENDS_MS, DAY_MS, isEnded } from '#contract/order/order-steps.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { tell } from './letters/telling.ts'
import type { RefundDeps } from './money/refunds.ts'
import { revokeLinks } from './order-links.ts'
import {
  type By,
  changeOrder,
  lockOrder,
  type Order,
  type OrderChanges,
  writeEvent,
  wrongState,
} from './orders.ts'

/* Stopping an order, and letting it go on: by an administrator, or because the provider warns of fraud. */

type Stopping = { orderId: string; by: By; reason: string; audit?: AuditActor }

export function holdOrder(
  db: Db,
  { orderId, by, reason, audit }: Stopping,
  deps: RefundDeps,
): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (order.heldAt !== null) return order
    if (isEnded(order.state)) throw wrongState(order)
    const now = deps.now()
    await changeOrder(trx, orderId, { held_at: now, held_reason: reason })
    await writeEvent(trx, order, { kind: 'held', at: now, ...by, detail: { reason } })
    if (audit)
      await writeAudit(trx, {
        action: 'order-held',
        target: orderId,
        detail: { number: order.number },
        ...audit,
      })
    const held = await lockOrder(trx, orderId)
    await tell(trx, held, 'held', deps)
    return held
  })
}

/** Somebody else has a link to the order: none works any more, and its buyer can ask for new ones. */
export function endOrderLinks(
  db: Db,
  { orderId, by, audit }: { orderId: string; by: By; audit: AuditActor },
  { now }: Pick<RefundDeps, 'now'>,
): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    await revokeLinks(trx, orderId)
    await writeEvent(trx, order, { kind: 'links-ended', at: now(), ...by })
    const detail = { number: order.number }
    await writeAudit(trx, { action: 'order-links-ended', target: orderId, detail, ...audit })
    return order
  })
}

/**
 * Of an order that was stopped, the columns of a deadline that passed or is near: a day from now, but never when the bank
 * has let go of the money.
 */
export function dayAfterStop({ state, actAt, captureBefore }: Order, now: Date): OrderChanges {
  const isYards = state === 'authorized' || state === 'confirmed'
  const soonest = now.getTime() + DAY_MS
  if (!isYards || actAt === null || actAt.getTime() >= soonest) return {}
  if (state === 'confirmed') return { act_at: new Date(soonest) }
  const latest = (captureBefore?.getTime() ?? Number.POSITIVE_INFINITY) - BEFORE_CAPTURE_ENDS_MS
  const at = new Date(Math.min(soonest, latest))
  return { act_at: at, confirm_by: at }
}

/** Deadlines that passed meanwhile act with the next sweep, except that the yard gets a day for what it was kept from. */
export function releaseOrder(
  db: Db,
  { orderId, by, audit }: Omit<Stopping, 'reason'>,
  deps: RefundDeps,
): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (order.heldAt === null) return order
    const now = deps.now()
    await changeOrder(trx, orderId, {
      held_at: null,
      held_reason: null,
      attention: null,
      decide_by: null,
      ...dayAfterStop(order, now),
    })
    await writeEvent(trx, order, { kind: 'released', at: now, ...by })
    if (audit)
      await writeAudit(trx, {
        action: 'order-released',
        target: orderId,
        detail: { number: order.number },
        ...audit,
      })
    const released = await lockOrder(trx, orderId)
    await tell(trx, released, 'released', deps)
    return released
  })
}
