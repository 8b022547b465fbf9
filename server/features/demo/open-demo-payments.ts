import { z } from 'zod'
import { changeGrant } from '#server/features/billing/plans.ts'
import type { ProviderCalls, StripeClient } from '#server/features/billing/provider.ts'
import { isLive } from '#server/features/billing/provider-state.ts'
import { ensureAccount, ensureCustomer } from '#server/features/billing/requests.ts'
import { syncConnect, syncSubscription } from '#server/features/billing/sync.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { demoEmails } from './demo-sign-ins.ts'
import { listSellerIds } from './queries.ts'

/** Gives the demo's Pro seller what they would have at the payment provider. */
export const openDemoPaymentsQueue: JobQueue<Record<string, never>> = {
  name: 'open-demo-payments',
  title: 'Open demo payments',
  payload: z.object({}).strict(),
  // At the first start it is enqueued before the simulator listens; with the pauses it tries for about half an hour.
  maxAttempts: 10,
  retryDelaySeconds: 2,
  resumable: true,
  timeoutSeconds: 60,
  concurrency: 1,
}

const WITHIN_MS = 40_000

/**
 * Opens a customer with a paid subscription and a verified payout account for the demo's Pro seller, with the same calls
 * that real sellers cause, so that portal, balance and payout settings have something to show. Every step finds what an
 * earlier run has done. The grant that stood in for the subscription ends, so that cancelling it leads back to Free.
 */
export async function openDemoPayments(db: Db, stripe: StripeClient): Promise<void> {
  const email = demoEmails.pro
  const sellerId = (await listSellerIds(db, [email])).get(email)
  if (sellerId === undefined) return
  const calls = stripe.within(WITHIN_MS)
  await subscribe(db, calls, { sellerId, email })
  await ensureAccount(db, calls, { sellerId, email, metadata: { simulator: 'verified' } })
  await syncConnect(db, calls, sellerId)
}

async function subscribe(
  db: Db,
  calls: ProviderCalls,
  { sellerId, email }: { sellerId: string; email: string },
): Promise<void> {
  const customer = { sellerId, name: 'Green Country Salvage', email, paymentMethod: 'pm_card_visa' }
  const customerId = await ensureCustomer(db, calls, customer)
  const subscriptions = await calls.listSubscriptions(customerId)
  if (!subscriptions.some(isLive)) await calls.createSubscription(customerId, `demo ${customerId}`)
  const synced = await syncSubscription(db, calls, sellerId)
  if (!synced?.subscriptions.some(isLive)) return
  await db
    .transaction()
    .execute((trx) => changeGrant(trx, { sellerId, granted: false, canRead: true, by: {} }))
}
