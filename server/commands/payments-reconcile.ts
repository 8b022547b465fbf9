import { moneyInWords } from '#contract/text/typed-number.ts'
import type { Config } from '#server/config.ts'
import { type Reconciled, reconcilePayments } from '#server/features/money/billing/reconcile.ts'
import { openStripeClient } from '#server/features/money/billing/stripe/stripe-client.ts'
import { type ReconciledOrder, reconcileOrders } from '#server/features/money/orders/money/books.ts'
import { keepDifferences } from '#server/features/money/orders/money/compare-books.ts'
import { type Db, openDatabase } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { requireCurrentSchema, requireDatabaseUrl, withDatabase } from './database-of.ts'
import { openTestPayments } from './simulator.ts'
import { readArguments } from './usage.ts'

// Four sellers are read at once; the fifth connection pages through the sellers.
const POOL_SIZE = 5
const ORDER_MS = 60_000
// A hundred balance transactions a call.
const BOOKS_MS = 10 * 60_000

/**
 * Syncs every seller's subscription and payout account from the provider and prints what changed. With `--json` it
 * prints one JSON line per seller and one for the totals.
 * @throws Refusal if a seller could not be read, so that the program exits with status 1
 */
export async function paymentsReconcile(config: Config, log: Log, args: readonly string[]): Promise<void> {
  const { json: asJson } = readArguments('payments reconcile', args)
  const { payments } = config
  if (payments.kind === 'off')
    throw new Refusal('Payments are off (PAYMENTS): there is nothing to reconcile.')
  await withDatabase(config, log, async (served) => {
    await requireCurrentSchema(served)
    const databaseUrl = requireDatabaseUrl(served)
    const database = openDatabase(databaseUrl, { max: POOL_SIZE, applicationName: 'payments-reconcile', log })
    const test =
      payments.kind === 'simulator'
        ? await openTestPayments({ ...served, databaseUrl }, payments, log)
        : undefined
    try {
      const stripe = openStripeClient(test?.payments ?? payments)
      const site = { publicUrl: config.publicUrl, productName: config.productName }
      const orders = { db: database.db, site, now: () => new Date() }
      await reportOrders(
        reconcileOrders(orders, () => stripe.within(ORDER_MS)),
        asJson,
      )
      await reportBooks(database.db, { calls: stripe.within(BOOKS_MS), now: new Date(), site }, asJson)
      await report(reconcilePayments({ db: database.db, stripe }), asJson)
    } finally {
      await test?.close()
      await database.close()
    }
  })
}

async function reportOrders(reconciled: AsyncIterable<ReconciledOrder>, asJson: boolean): Promise<void> {
  for await (const found of reconciled) {
    if (asJson) console.log(JSON.stringify(found))
    else if ('order' in found) console.log(`${found.order}  ${found.before} → ${found.after}`)
    else {
      console.log(
        `${found.unknownPayment}  ${moneyInWords(found.cents)} for order ${found.orderId}, which is not in this database: refund it in Stripe, or restore a newer backup.`,
      )
    }
  }
}

/** Compares the books after orders were read again, and keeps what differs for administrators. */
async function reportBooks(
  db: Db,
  keeping: Parameters<typeof keepDifferences>[1],
  asJson: boolean,
): Promise<void> {
  const { differences, compared } = await keepDifferences(db, keeping)
  for (const difference of differences) {
    const { order, text } = difference
    console.log(asJson ? JSON.stringify(difference) : `${order ?? 'No order'}  ${text}`)
  }
  if (asJson) console.log(JSON.stringify({ compared, differences: differences.length }))
  else console.log(`Entries and transfers compared: ${compared}, of which differ: ${differences.length}.`)
}

async function report(reconciled: AsyncIterable<Reconciled>, asJson: boolean): Promise<void> {
  const totals = { sellers: 0, changed: 0, failed: 0 }
  for await (const seller of reconciled) {
    const changed = Object.keys(seller.changed).length > 0
    const failed = seller.failure !== undefined
    totals.sellers += 1
    totals.changed += Number(changed)
    totals.failed += Number(failed)
    if (changed || failed) console.log(asJson ? JSON.stringify(seller) : inWords(seller))
  }
  console.log(
    asJson ? JSON.stringify(totals) : `Sellers read: ${totals.sellers}, of which changed: ${totals.changed}.`,
  )
  if (totals.failed > 0) {
    throw new Refusal(`Sellers that could not be read: ${totals.failed}. Run this again later.`)
  }
}

function inWords({ seller, changed, failure }: Reconciled): string {
  if (failure !== undefined) return `${seller}  not read: ${failure}`
  const words = Object.entries(changed).map(
    ([name, [before, after]]) => `${name} ${valueInWords(before)} → ${valueInWords(after)}`,
  )
  return `${seller}  ${words.join(', ')}`
}

function valueInWords(value: unknown): string {
  if (value === null) return 'none'
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
