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

export type SyncedConnect = {
  readonly account: PayoutAccount
  /** Undefined where a read that began later had been written already. */
  readonly written: { readonly before: ConnectState; readonly after: ConnectState } | undefined
}

/**
 * Reads a seller's payout account and writes how far it is; in the order of `syncSubscription`. A seller without an
 * account is left alone.
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

export type SyncedPlan = {
  /** As they were read. */
  readonly subscriptions: readonly Subscription[]
  /** Undefined where a read that began later had been written already. */
  readonly written: { readonly before: PlanState; readonly after: PlanState } | undefined
}

/**
 * Reads a seller's subscriptions and writes how they stand with the plans. Many may run at once and end in any order: of
 * two reads the one that began last wins, since it saw no less. A seller without a customer is left alone.
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

// Nobody waits for it, so a slow provider gets its time; the job's own limit is a minute.
const WITHIN_MS = 40_000

/**
 * Reads the subject of an event again. It fences nothing: reads are numbered, so a run that was taken over can only write
 * what it saw, and not over what was seen later.
 */
export async function readProvider(
  { db, stripe }: { db: Db; stripe: StripeClient | undefined },
  { payload: { subject, eventId } }: JobRun<ReadProviderPayload>,
): Promise<void> {
  const sellerId = stripe && (await findSellerOf(db, subject))
  if (sellerId) {
    const calls = stripe.within(WITHIN_MS)
    const { customerId } = await getStanding(db, sellerId)
    if (subject === customerId) await syncSubscription(db, calls, sellerId)
    else await syncConnect(db, calls, sellerId)
  }
  if (eventId !== undefined) await markEventHandled(db, eventId)
}

type Value = string | boolean | Date | null

export type Reconciled = {
  readonly seller: string
  /** What stands differently now, as before and after. */
  readonly changed: Readonly<Record<string, readonly [before: Value, after: Value]>>
  /** Why the provider could not be read; what stood is left as it was. */
  readonly failure?: string
}

const PAGE = 100
// Far below what the provider takes (100 reads a second), so that the shop's own calls are not turned away.
const AT_ONCE = 4
const RECONCILE_PAYMENTS_WITHIN_MS = 30_000

/**
 * Reads every seller whom the provider knows again, and tells of each how it went: the repair after an outage, or after
 * webhooks were lost. Safe to break off and to repeat. An administrator's grant stands whatever the provider says.
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
    return { seller: slug, changed: await readBoth(db, stripe.within(RECONCILE_PAYMENTS_WITHIN_MS), id) }
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
