import { sql } from 'kysely'
import { isEnded } from '#contract/orders.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { tell } from './letters/telling.ts'
import type { RefundDeps } from './money/refunds.ts'
import { type By, changeOrder, lockOrder, type Order, writeEvent, wrongState } from './orders.ts'

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
    const soonest = new Date(now.getTime() + 24 * 3_600_000)
    await sql`
      update part_order set held_at = null, held_reason = null, attention = null,
        act_at = case when act_at < ${soonest} and state in ('authorized', 'confirmed')
                      then least(${soonest}, case when state = 'authorized' then capture_before - interval '12 hours' end)
                      else act_at end,
        updated_at = now()
      where id = ${orderId}`.execute(trx)
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
