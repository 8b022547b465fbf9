import { returnEvents } from '#contract/order/returns/return-words.ts'
import { type OrderSite, tell } from '#server/features/money/orders/letters/telling.ts'
import { listRefunds } from '#server/features/money/orders/money/refund-rows.ts'
import { leftOf } from '#server/features/money/orders/money/refunds.ts'
import { type By, moveOrder, type Order, writeEvent } from '#server/features/money/orders/orders.ts'
import { deliveredNow } from '#server/features/money/orders/release/release-day.ts'
import type { Db } from '#server/platform/database/database.ts'
import { firstCoreDeadline } from './return-deadlines.ts'
import { tellReturn } from './return-letters.ts'
import { getReturn, insertReturn, isOpenReturn, listReturns, moveReturn } from './return-rows.ts'
import { coreByOf, returnUntilOf } from './return-rules.ts'

type Deps = { now: () => Date; site: OrderSite }
type Delivering = By & { step: 'hand-over' | 'received' | 'arrive' }

/**
 * The buyer has the part, or counts as having it: the days for returns and for the core begin.
 * @throws AppError STATE
 */
export async function deliverOrder(
  trx: Db,
  order: Order,
  { step, ...by }: Delivering,
  deps: Deps,
): Promise<Order> {
  const now = deps.now()
  const left = leftOf(order, await listRefunds(trx, [order.id]))
  const coreBy = left.core > 0 ? coreByOf(order, now) : null
  const set = {
    ...(await deliveredNow(trx, order, now)),
    return_until: returnUntilOf(order, now),
    ...(coreBy && { core_state: 'open', core_by: coreBy }),
  }
  const moved = await moveOrder(trx, order, step, { ...by, now, set })
  // "It arrived" answers the question whether it ever will.
  const missing = (await listReturns(trx, [order.id])).filter(
    (row) => row.reason === 'not-arrived' && isOpenReturn(row),
  )
  for (const row of missing) await moveReturn(trx, { order: moved, row }, 'withdraw', { ...by, now })
  await tell(trx, moved, 'delivered', deps)
  if (coreBy) await openCore(trx, moved, { coreBy, coreCents: left.core }, deps)
  return moved
}

type Core = { coreBy: Date; coreCents: number }

/** The old part is to come back; its row waits for it from now on. */
async function openCore(trx: Db, order: Order, { coreBy, coreCents }: Core, deps: Deps): Promise<void> {
  const now = deps.now()
  const id = await insertReturn(trx, {
    orderId: order.id,
    kind: 'core',
    reason: 'core',
    state: 'approved',
    note: '',
    lineIds: order.lines.filter((line) => line.coreCents > 0).map((line) => line.id),
    partCents: 0,
    feeCents: 0,
    shippingCents: 0,
    coreCents,
    wayBack: 'buyer',
    createdAt: now,
    actAt: firstCoreDeadline(coreBy, now),
  })
  const detail = { returnId: id, of: 'core', amountCents: coreCents }
  await writeEvent(trx, order, { kind: returnEvents.core, at: now, side: 'clock', detail })
  await tellReturn(trx, { order, row: await getReturn(trx, order.id, id) }, 'core', deps)
}
