import { writeAudit } from '#server/platform/database/audit.ts'
import { LOWEST_ID } from '#server/platform/database/cursors.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { markEventHandled, type ReadProviderPayload } from './events.ts'
import { type ProviderCalls, ProviderFailure, type StripeClient } from './provider.ts'
import {
  type ConnectState,
  connectState,
  type PayoutAccount,
  type PlanState,
  planState,
  type Subscription,
} from './provider-state.ts'
import {
  beginRead,
  findSellerOf,
  getStanding,
  listProviderSellers,
  lockConnect,
  lockPlan,
  markPlanRead,
  type ProviderSeller,
  writeConnect,
  writePlan,
} from './queries.ts'

type SyncedConnect = {
  readonly account: PayoutAccount
  /** Undefined if a read that began later was already written. */
  readonly written: { readonly before: ConnectState; readonly after: ConnectState } | undefined
}

/**
 * Reads a seller's payout account and stores its state, ordered as in `syncSubscription`. Does nothing for a seller
 * without an account.
 * @throws ProviderFailure
 */
export async function syncConnect(
  db: Db,
  calls: ProviderCalls,
  sellerId: string,
): Promise<SyncedConnect | undefined> {
  const { number, accountId } = await beginRead(db, sellerId)
  if (accountId === null) return undefined
  const account = await calls.getAccount(accountId)
  const written = await db.transaction().execute(async (trx) => {
    const before = await lockConnect(trx, sellerId, number)
    if (!before) return undefined
    const after = connectState(account)
    await writeConnect(trx, sellerId, { ...after, read: number })
    return { before, after }
  })
  return { account, written }
}

type SyncedPlan = {
  readonly subscriptions: readonly Subscription[]
  /** Undefined if a read that began later was already written. */
  readonly written: { readonly before: PlanState; readonly after: PlanState } | undefined
}

/**
 * Reads a seller's subscriptions and stores the resulting plan. Many reads may run at once and end in any order: of two,
 * the one that began last wins, since it saw no less. Does nothing for a seller without a customer.
 * @throws ProviderFailure
 */
export async function syncSubscription(
  db: Db,
  calls: ProviderCalls,
  sellerId: string,
): Promise<SyncedPlan | undefined> {
  const { number, customerId } = await beginRead(db, sellerId)
  if (customerId === null) return undefined
  const subscriptions = await calls.listSubscriptions(customerId)
  const written = await db.transaction().execute(async (trx) => {
    const known = await lockPlan(trx, sellerId, number)
    if (!known) return undefined
    const { granted, ...before } = known
    const after = planState(subscriptions, granted)
    await writePlan(trx, sellerId, after)
    await markPlanRead(trx, sellerId, number)
    if (before.tier !== after.tier) {
      const detail = { from: before.tier, to: after.tier, subscription: after.subscriptionStatus }
      await writeAudit(trx, { action: 'tier-changed', target: sellerId, detail })
    }
    return { before, after }
  })
  return { subscriptions, written }
}

// Every other status may still cost the seller money.
const OVER = new Set(['canceled', 'incomplete_expired'])

/**
 * Cancels a seller's subscriptions at the provider and stores the plan that results. Safe to repeat.
 * @throws ProviderFailure
 */
export async function endSubscriptions(
  { db, stripe }: { db: Db; stripe: StripeClient },
  sellerId: string,
): Promise<void> {
  const calls = stripe.within(JOB_TIMEOUT_MS)
  const { customerId } = await getStanding(db, sellerId)
  if (customerId === null) return
  try {
    for (const { id, status } of await calls.listSubscriptions(customerId)) {
      if (!OVER.has(status)) await calls.cancelSubscription(id)
    }
    await syncSubscription(db, calls, sellerId)
  } catch (error) {
    // The customer was deleted at the provider, and its subscriptions with it.
    if (!(error instanceof ProviderFailure && error.isMissing)) throw error
  }
}

// No person is waiting, so a slow provider gets its time; the job's own limit is a minute.
const JOB_TIMEOUT_MS = 40_000

/**
 * Reads the subject of an event again. It needs no fence: reads are numbered, so a run that was taken over cannot
 * overwrite what a later read saw.
 */
export async function readProvider(
  { db, stripe }: { db: Db; stripe: StripeClient | undefined },
  { payload: { subject, eventId } }: JobRun<ReadProviderPayload>,
): Promise<void> {
  const sellerId = stripe && (await findSellerOf(db, subject))
  if (sellerId) {
    const calls = stripe.within(JOB_TIMEOUT_MS)
    const { customerId } = await getStanding(db, sellerId)
    if (subject === customerId) await syncSubscription(db, calls, sellerId)
    else await syncConnect(db, calls, sellerId)
  }
  if (eventId !== undefined) await markEventHandled(db, eventId)
}

type Value = string | boolean | Date | null

export type Reconciled = {
  readonly seller: string
  readonly changed: Readonly<Record<string, readonly [before: Value, after: Value]>>
  /** Why the provider could not be read; then nothing changed. */
  readonly failure?: string
}

const PAGE = 100
// Far below the provider's limit (100 reads a second), so that the site's own calls are not turned away.
const AT_ONCE = 4
const SELLER_TIMEOUT_MS = 30_000

/**
 * Reads every seller whom the provider knows again and reports each: the repair after an outage or lost webhooks. Safe
 * to stop and repeat. Grants by an administrator stay.
 */
export async function* reconcilePayments(deps: { db: Db; stripe: StripeClient }): AsyncGenerator<Reconciled> {
  let after = LOWEST_ID
  for (;;) {
    const page = await listProviderSellers(deps.db, { after, limit: PAGE })
    for (let from = 0; from < page.length; from += AT_ONCE) {
      yield* await Promise.all(page.slice(from, from + AT_ONCE).map((seller) => reconcileOne(deps, seller)))
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.id
  }
}

async function reconcileOne(
  { db, stripe }: { db: Db; stripe: StripeClient },
  { id, slug }: ProviderSeller,
): Promise<Reconciled> {
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
