import type { Config } from '#server/config.ts'
import { type Check, checkPayments } from '#server/features/money/billing/setup/doctor.ts'
import { openStripeClient } from '#server/features/money/billing/stripe/stripe-client.ts'
import { checkOrderBooks } from '#server/features/money/orders/money/books.ts'
import { checkReleases } from '#server/features/money/orders/release/due-releases.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { requireCurrentSchema, requireDatabaseUrl, withDatabase } from './database-of.ts'
import { openTestPayments } from './simulator.ts'

// A hundred balance transactions a call.
const BOOKS_MS = 10 * 60_000
const SIGNS = { ok: 'ok      ', missing: 'MISSING ', unproven: 'unproven' } as const

/**
 * Checks everything that payments need, against Stripe or the simulator, and prints what is missing and what to do.
 * @throws Refusal if something is missing, so that the program exits with status 1
 */
export async function paymentsDoctor(config: Config, log: Log): Promise<void> {
  const { payments, publicUrl, proPriceText: priceText } = config
  if (payments.kind === 'off') {
    throw new Refusal(
      'Payments are off. Set STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRO_PRICE_ID (docs/going-live.md).',
    )
  }
  await withDatabase(config, log, async (served) => {
    await requireCurrentSchema(served)
    const databaseUrl = requireDatabaseUrl(served)
    const database = openDatabase(databaseUrl, { max: 1, applicationName: 'payments-doctor', log })
    const test =
      payments.kind === 'simulator'
        ? await openTestPayments({ ...served, databaseUrl }, payments, log)
        : undefined
    try {
      const deps = {
        db: database.db,
        priceText,
        publicUrl,
        hasOrders: config.orders,
        hasTax: config.salesTax,
      }
      await report(allChecks({ ...deps, payments: test?.payments ?? payments }))
    } finally {
      await test?.close()
      await database.close()
    }
  })
}

/** Books are read only if the provider answers. */
async function* allChecks(deps: Parameters<typeof checkPayments>[0]): AsyncGenerator<Check> {
  let hasKey = false
  for await (const check of checkPayments(deps)) {
    hasKey ||= check.name === 'Key' && check.state === 'ok'
    yield check
  }
  if (!hasKey) return
  const now = new Date()
  yield* checkOrderBooks(deps.db, openStripeClient(deps.payments).within(BOOKS_MS), now)
  yield* checkReleases(deps.db, now)
}

async function report(checks: AsyncIterable<Check>): Promise<void> {
  let isMissing = 0
  for await (const { name, state, found, todo } of checks) {
    isMissing += Number(state === 'missing')
    console.log(`${SIGNS[state]}  ${name}: ${found}${todo === undefined ? '' : `\n          → ${todo}`}`)
  }
  if (isMissing > 0) {
    throw new Refusal(`${isMissing === 1 ? 'One thing is' : `${isMissing} things are`} missing.`)
  }
  console.log('Nothing is missing.')
}
