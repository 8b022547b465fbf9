import type { Db } from '#server/platform/database/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import type { ReadProviderPayload } from './billing-queues.ts'
import { markEventHandled } from './event-queries.ts'
import type { StripeClient } from './provider.ts'
import { findSellerOf, getStanding } from './queries.ts'
import { syncConnect } from './sync-connect.ts'
import { syncSubscription } from './sync-subscription.ts'

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
