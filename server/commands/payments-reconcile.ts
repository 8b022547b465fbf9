import { parseArgs } from 'node:util'
import type { Config } from '#server/config.ts'
import { openStripeClient } from '#server/features/billing/stripe-client.ts'
import { type Reconciled, reconcilePayments } from '#server/features/billing/sync.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { requireCurrentSchema, requireDatabaseUrl, withDatabase } from './database-of.ts'
import { openTestPayments } from './simulator.ts'

const USAGE = 'Usage: npm run partharbor -- payments reconcile [--json]'

// As many as are read at one time, and one for their pages.
const POOL_SIZE = 5

/**
 * Reads every seller's subscription and payout account from the provider again and prints what changed; with `--json` a
 * line of JSON for each, and one for the sums.
 * @throws Refusal where a seller could not be read, so that the program ends with status 1
 */
export async function paymentsReconcile(config: Config, log: Log, args: readonly string[]): Promise<void> {
  const asJson = readJson(args)
  const { payments } = config
  if (payments.kind === 'off') throw new Refusal('Payments are off (PAYMENTS): there is nothing to read.')
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
      await tellAll(reconcilePayments({ db: database.db, stripe }), asJson)
    } finally {
      await test?.close()
      await database.close()
    }
  })
}

async function tellAll(reconciled: AsyncIterable<Reconciled>, asJson: boolean): Promise<void> {
  const sums = { sellers: 0, changed: 0, failed: 0 }
  for await (const one of reconciled) {
    const [changed, failed] = [isChanged(one), one.failure !== undefined]
    sums.sellers += 1
    sums.changed += Number(changed)
    sums.failed += Number(failed)
    if (changed || failed) console.log(asJson ? JSON.stringify(one) : inWords(one))
  }
  console.log(
    asJson ? JSON.stringify(sums) : `Sellers read: ${sums.sellers}, of which changed: ${sums.changed}.`,
  )
  if (sums.failed > 0) {
    throw new Refusal(`Sellers that could not be read: ${sums.failed}. Run this again later.`)
  }
}

function readJson(args: readonly string[]): boolean {
  try {
    return parseArgs({ args: [...args], options: { json: { type: 'boolean' } } }).values.json ?? false
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  }
}

const isChanged = ({ changed }: Reconciled) => Object.keys(changed).length > 0

function inWords({ seller, changed, failure }: Reconciled): string {
  if (failure !== undefined) return `${seller}  not read: ${failure}`
  const words = Object.entries(changed).map(
    ([name, [before, after]]) => `${name} ${valueInWords(before)} → ${valueInWords(after)}`,
  )
  return `${seller}  ${words.join(', ')}`
}

function valueInWords(value: unknown): string {
  if (value === null) return 'none'
  return value instanceof Date ? value.toISOString() : String(value)
}
