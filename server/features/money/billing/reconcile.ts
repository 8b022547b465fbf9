import { z } from 'zod'
import { type Db, LOWEST_ID } from '#server/platform/database/database.ts'
import type { JobQueue, JobRun } from '#server/platform/jobs/job-definition.ts'
import { type ProviderCalls, ProviderFailure, type StripeClient } from './provider.ts'
import { listProviderSellers, type ProviderSeller } from './queries.ts'
import { readProPrice } from './setup/pro-price.ts'
import { syncConnect, syncSubscription } from './sync.ts'

/* Repairs plans after lost webhooks: every hour for sellers who are due, and for all by a command. */

type Value = string | boolean | Date | object | null

export type Reconciled = {
  readonly seller: string
  readonly changed: Readonly<Record<string, readonly [before: Value, after: Value]>>
  /** Set if the provider could not be read; then nothing changed. */
  readonly failure?: string
}

const PAGE = 100
// Far below the provider's limit (100 reads a second), so that the site's own calls still succeed.
const AT_ONCE = 4
const SELLER_TIMEOUT_MS = 30_000

type Deps = { db: Db; stripe: StripeClient }

/**
 * Rereads sellers known to the provider and yields each result: all sellers, or with `dueAt` only those due. Safe to
 * stop and repeat. Keeps administrators' grants.
 */
export async function* reconcilePayments(deps: Deps, dueAt?: Date): AsyncGenerator<Reconciled> {
  let after = LOWEST_ID
  for (;;) {
    const page = await listProviderSellers(deps.db, { after, limit: PAGE, dueAt })
    for (let from = 0; from < page.length; from += AT_ONCE) {
      yield* await Promise.all(page.slice(from, from + AT_ONCE).map((seller) => reconcileOne(deps, seller)))
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.id
  }
}

export const reconcileQueue: JobQueue<Record<string, never>> = {
  name: 'reconcile-payments',
  title: 'Reconcile payments',
  payload: z.object({}).strict(),
  // The next hour tries again.
  maxAttempts: 1,
  retryDelaySeconds: 60,
  resumable: true,
  // 50,000 sellers at a third of a second each, four at once, take 70 minutes; the rest is due the next hour.
  timeoutSeconds: 3_000,
  concurrency: 1,
  keyOf: () => 'reconcile-payments',
}

/** Rereads the sellers who are due and the price of Pro, and logs what changed. Does nothing while payments are off. */
export async function reconcileDue(
  { db, stripe, priceText }: { db: Db; stripe: StripeClient | undefined; priceText: string },
  { log, signal }: JobRun<unknown>,
  now: Date,
): Promise<{ read: number; changed: number; failed: number } | undefined> {
  if (!stripe) return undefined
  await readPrice({ db, stripe, priceText }, log)
  const totals = { read: 0, changed: 0, failed: 0 }
  for await (const { seller, changed, failure } of reconcilePayments({ db, stripe }, now)) {
    signal.throwIfAborted()
    totals.read += 1
    if (failure !== undefined) {
      totals.failed += 1
      await log(`${seller}: not read: ${failure}`, 'stderr')
    } else if (Object.keys(changed).length > 0) {
      totals.changed += 1
      await log(`${seller}: ${JSON.stringify(changed)}`)
    }
  }
  return totals
}

/** A failure here must not stop the sellers from being read if the provider recovers within the hour. */
async function readPrice(deps: Deps & { priceText: string }, log: JobRun<unknown>['log']): Promise<void> {
  try {
    const { problem } = await readProPrice(deps.db, deps.stripe.within(SELLER_TIMEOUT_MS), deps)
    if (problem !== null) await log(problem, 'stderr')
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    await log(`The price of Pro could not be read: ${error.message}`, 'stderr')
  }
}

async function reconcileOne({ db, stripe }: Deps, { id, slug }: ProviderSeller): Promise<Reconciled> {
  try {
    return { seller: slug, changed: await readBoth(db, stripe.within(SELLER_TIMEOUT_MS), id) }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return { seller: slug, changed: {}, failure: error.message }
  }
}

async function readBoth(db: Db, calls: ProviderCalls, sellerId: string): Promise<Reconciled['changed']> {
  const plan = await syncSubscription(db, calls, sellerId)
  const connect = await syncConnect(db, calls, sellerId)
  return { ...changesOf(plan?.written), ...changesOf(connect?.written) }
}

type Written = { before: Readonly<Record<string, Value>>; after: Readonly<Record<string, Value>> }

function changesOf(written: Written | undefined): Record<string, [Value, Value]> {
  const { before = {}, after = {} } = written ?? {}
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return Object.fromEntries(changed.map(([name, value]) => [name, [before[name] ?? null, value]]))
}
