import { post } from '#server/features/money/orders/money/ledger.ts'
import type { Order } from '#server/features/money/orders/orders.ts'
import type { Db } from '#server/platform/database/database.ts'

/*
 * To be replaced at the merge by `takeBack` of server/features/money/orders/release/, which also wants a reversal of the
 * transfer; what it brings pays the debt.
 */

/** What was transferred is the order's again: as the yard's debt. */
export function takeBack(
  trx: Db,
  order: Order,
  { cents, why, now }: { cents: number; why: string; now: Date },
): Promise<void> {
  const amounts = { 'seller-debt': cents, held: -cents }
  return post(trx, { orderId: order.id, at: now, why: 'taken back', providerId: why, amounts })
}
