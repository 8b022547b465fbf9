import { sql } from 'kysely'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { GiveUp, type JobRun } from '#server/platform/jobs/job-definition.ts'
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
  detachCustomer,
  findSellerOf,
  getStanding,
  lockConnect,
  lockPlan,
  markForeignCustomer,
  markPlanRead,
  writeConnect,
  writePlan,
} from './queries.ts'

type SyncedConnect = {
  readonly account: PayoutAccount
  /** Undefined if a later read was already written. */
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
  /** Undefined if a later read was already written. */
  readonly written: { readonly before: PlanState; readonly after: PlanState } | undefined
}

/**
 * Reads a seller's subscriptions and stores the resulting plan. Reads may overlap and finish in any order; the one that
 * began last wins, since it saw the newest state. Does nothing for a seller without a customer.
 * @throws ProviderFailure
 */
export async function syncSubscription(
  db: Db,
  calls: ProviderCalls,
  sellerId: string,
): Promise<SyncedPlan | undefined> {
  const { number, customerId, home } = await beginRead(db, sellerId)
  if (customerId === null) return undefined
  const found = await findSubscriptions(calls, { customerId, home })
  if (found === 'elsewhere') {
    await markForeignCustomer(db, sellerId, new Date())
    throw otherHome()
  }
  const subscriptions = found === 'gone' ? [] : found.subscriptions
  const written = await db.transaction().execute(async (trx) => {
    const known = await lockPlan(trx, sellerId, number)
    if (!known) return undefined
    const { granted, ...before } = known
    const after = planState(subscriptions, granted)
    await writePlan(trx, sellerId, after)
    if (found === 'gone') {
      await detachCustomer(trx, sellerId, customerId)
      await writeAudit(trx, {
        action: 'customer-missing',
        target: sellerId,
        detail: { customer: customerId },
      })
    }
    const foundAt = found === 'gone' ? null : found.home
    await markPlanRead(trx, sellerId, { read: number, home: foundAt, now: new Date() })
    if (after.planProblem === 'OTHER_PRICE' && before.planProblem !== 'OTHER_PRICE') {
      const other = subscriptions.find(({ isOfPro }) => !isOfPro)
      const detail = { subscription: other?.id ?? null, price: other?.priceId ?? null }
      await writeAudit(trx, { action: 'subscription-of-other-price', target: sellerId, detail })
    }
    if (before.tier !== after.tier) {
      const detail = { from: before.tier, to: after.tier, subscription: after.subscriptionStatus }
      await writeAudit(trx, { action: 'tier-changed', target: sellerId, detail })
    }
    return { before, after }
  })
  return { subscriptions, written }
}

type Found = { readonly subscriptions: Subscription[]; readonly home: string | null }

/**
 * A missing customer is `gone` only if it was seen in this account and mode before. With a key of another account or
 * mode everything is missing, which does not mean that anything ended.
 */
async function findSubscriptions(
  calls: ProviderCalls,
  { customerId, home }: { customerId: string; home: string | null },
): Promise<Found | 'gone' | 'elsewhere'> {
  try {
    const subscriptions = await calls.listSubscriptions(customerId)
    return { subscriptions, home: home ?? (await findHome(calls)) }
  } catch (error) {
    if (!(error instanceof ProviderFailure && error.isMissing)) throw error
    if (error.isOtherMode || home === null) return 'elsewhere'
    return (await calls.getHome()) === home ? 'gone' : 'elsewhere'
  }
}

/** Null if a restricted key may not read its own account. */
async function findHome(calls: ProviderCalls): Promise<string | null> {
  try {
    return await calls.getHome()
  } catch (error) {
    if (error instanceof ProviderFailure && error.lackingPermission !== undefined) return null
    throw error
  }
}

const OTHER_HOME = 'other_home'

export const isForeignCustomer = (error: unknown): boolean =>
  error instanceof ProviderFailure && error.code === OTHER_HOME

const otherHome = () =>
  new ProviderFailure(
    'This customer belongs to another account or mode of the payment provider than STRIPE_SECRET_KEY. The plan did not change',
    { code: OTHER_HOME, status: undefined, mayPass: false, cause: undefined },
  )

// No person is waiting, so a slow provider gets its time; the job's own limit is a minute.
export const JOB_TIMEOUT_MS = 40_000

/**
 * Rereads the subject of an event. Needs no fence: reads are numbered, so an outdated run cannot overwrite a later
 * read.
 */
export async function readProvider(
  { db, stripe }: { db: Db; stripe: StripeClient | undefined },
  { payload: { subject, eventId } }: JobRun<ReadProviderPayload>,
): Promise<void> {
  const sellerId = stripe && (await findSellerOf(db, subject))
  if (sellerId) {
    const calls = stripe.within(JOB_TIMEOUT_MS)
    const { customerId } = await getStanding(db, sellerId)
    try {
      if (subject === customerId) await syncSubscription(db, calls, sellerId)
      else await syncConnect(db, calls, sellerId)
    } catch (error) {
      if (isForeignCustomer(error)) throw new GiveUp(String(error))
      throw error
    }
  }
  if (eventId !== undefined) await markEventHandled(db, eventId)
}

/** Updates the email address of a person's customers at the provider. Skips deleted customers. */
export async function updateCustomerEmail(
  { db, stripe }: { db: Db; stripe: StripeClient | undefined },
  { payload: { userId } }: JobRun<{ userId: string }>,
): Promise<void> {
  const { rows } = await sql<{ customerId: string; email: string }>`
    select s.stripe_customer_id as "customerId", u.email::text as email
    from app_user u
    join seller_member m on m.user_id = u.id and m.role = 'owner'
    join seller s on s.id = m.seller_id
    where u.id = ${userId} and s.stripe_customer_id is not null`.execute(db)
  for (const { customerId, email } of rows) {
    try {
      await stripe?.within(JOB_TIMEOUT_MS).updateCustomerEmail(customerId, email)
    } catch (error) {
      if (!(error instanceof ProviderFailure && error.isMissing)) throw error
    }
  }
}
