import { sql } from 'kysely'
import type { OrderState } from '#contract/order/order-steps.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type { ProviderCalls } from '#server/features/money/billing/provider.ts'
import type { Check } from '#server/features/money/billing/setup/doctor.ts'
import { findOrderById } from '#server/features/money/orders/orders.ts'
import type { Db } from '#server/platform/database/database.ts'
import { compareBooks } from './compare-books.ts'
import { readOrderAtProvider, type StepDeps } from './provider-steps.ts'

/* Whether the ledger says what the provider says. Differences are listed, never mended silently. */

/** What may be paid out to the operator: what is at the provider and nobody's but ours. */
async function payable(db: Db): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::float8 as cents from ledger_entry
    where account in ('provider', 'held', 'core', 'tax', 'refunds-due', 'dispute')`.execute(db)
  return rows[0]?.cents ?? 0
}

/** For `payments doctor`: whether the money of all orders adds up, here and at the provider. */
export async function* checkOrderBooks(db: Db, calls: ProviderCalls, now: Date): AsyncGenerator<Check> {
  const { differences, compared } = await compareBooks(db, calls, now)
  for (const { order, text } of differences) {
    const todo =
      'Look at the order under Manage Orders, and compare it with Stripe. Nothing is changed by itself.'
    yield { name: order === null ? 'Books' : `Order ${order}`, state: 'missing', found: text, todo }
  }
  if (differences.length > 0) return
  const found = `${compared} entries and transfers agree with Stripe; ${moneyInWords(await payable(db))} may be paid out`
  yield { name: 'Orders', state: 'ok', found }
}

/** What reading an order again changed, or a payment of the provider that no order here is for. */
export type ReconciledOrder =
  | { order: string; before: OrderState; after: OrderState }
  | { unknownPayment: string; orderId: string; cents: number }

const DAY_MS = 86_400_000

/**
 * Reads all orders again that money can still move for, and finds payments of the provider whose order is missing here:
 * those that were placed after a backup that was restored.
 */
export async function* reconcileOrders(
  deps: StepDeps,
  calls: () => ProviderCalls,
): AsyncGenerator<ReconciledOrder> {
  const { db, now } = deps
  const last = await lastChange(db, now())
  const { rows } = await sql<{ id: string; number: string; state: OrderState }>`
    select id, number, state from part_order
    where state in ('pending', 'authorized', 'capturing') or updated_at > ${new Date(now().getTime() - 30 * DAY_MS)}
    order by id`.execute(db)
  for (const { id, number, state: before } of rows) {
    await readOrderAtProvider(deps, id, calls())
    const after = (await findOrderById(db, id))?.state ?? before
    if (after !== before) yield { order: number, before, after }
  }
  for await (const { paymentId, orderId, cents } of calls().listOrderPayments(
    new Date(last.getTime() - DAY_MS),
  )) {
    if (!(await findOrderById(db, orderId))) yield { unknownPayment: paymentId, orderId, cents }
  }
}

/** When this database last heard of an order; without any, as far back as a backup may be. */
async function lastChange(db: Db, now: Date): Promise<Date> {
  const { rows } = await sql<{ at: Date | null }>`select max(updated_at) as at from part_order`.execute(db)
  return rows[0]?.at ?? new Date(now.getTime() - 90 * DAY_MS)
}
