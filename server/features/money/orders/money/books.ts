import { sql } from 'kysely'
import type { LedgerAccount } from '#contract/order/money/ledger.ts'
import type { OrderState } from '#contract/order/order-steps.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type { ProviderCalls } from '#server/features/money/billing/provider.ts'
import type { Check } from '#server/features/money/billing/setup/doctor.ts'
import { type AccountSum, sumAccounts } from '#server/features/money/orders/books/trial-balance.ts'
import { findOrderById } from '#server/features/money/orders/orders.ts'
import type { Db } from '#server/platform/database/database.ts'
import { compareBooks } from './compare-books.ts'
import { readOrderAtProvider, type StepDeps } from './provider-steps.ts'

/* Whether the ledger says what the provider says. Differences are listed, never mended silently. */

const OF_OTHERS: readonly LedgerAccount[] = ['held', 'core', 'tax', 'refunds-due', 'dispute']

/** What may be paid out to the operator: what is available at the provider and nobody's but ours. */
function payable(availableCents: number, sums: readonly AccountSum[]): number {
  const others = sums
    .filter(({ account }) => OF_OTHERS.includes(account))
    .reduce((all, { debitCents, creditCents }) => all + creditCents - debitCents, 0)
  return Math.max(0, availableCents - Math.max(0, others))
}

/** For `payments doctor`: whether the money of all orders adds up, here and at the provider. */
export async function* checkOrderBooks(db: Db, calls: ProviderCalls, now: Date): AsyncGenerator<Check> {
  const { differences, compared } = await compareBooks(db, calls, now)
  for (const { order, text } of differences) {
    const todo =
      'Look at the order under Manage Orders, and compare it with Stripe. Nothing is changed by itself.'
    yield { name: order === null ? 'Books' : `Order ${order}`, state: 'missing', found: text, todo }
  }
  const sums = await sumAccounts(db, now)
  yield balanceCheck(sums)
  if (differences.length > 0) return
  const found = `${compared} entries and transfers agree with Stripe; ${moneyInWords(payable(await calls.readAvailable(), sums))} may be paid out`
  yield { name: 'Orders', state: 'ok', found }
}

/** What each account has, by the ledger: the same as the trial balance of this moment. */
function balanceCheck(sums: readonly AccountSum[]): Check {
  const name = 'Trial balance'
  const off = sums.reduce((all, { debitCents, creditCents }) => all + debitCents - creditCents, 0)
  const found = sums
    .map(({ account, debitCents, creditCents }) => ({ account, cents: debitCents - creditCents }))
    .filter(({ cents }) => cents !== 0)
    .map(({ account, cents }) => `${account} ${moneyInWords(cents)}`)
    .join(', ')
  if (off === 0) return { name, state: 'ok', found: found || 'no entries' }
  const todo = 'Compare the journal with this: an entry was written without its other side.'
  return {
    name,
    state: 'missing',
    found: `debits and credits differ by ${moneyInWords(off)}: ${found}`,
    todo,
  }
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
