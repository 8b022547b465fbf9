import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { readProviderQueue } from './billing-queues.ts'
import { insertEvent } from './event-queries.ts'
import { eventSubject } from './event-subject.ts'
import type { StripeClient } from './provider.ts'

/**
 * Takes a delivery of the provider: stored once, with the job that reads its subject again. However often and in
 * whatever order deliveries come, each says no more than "look".
 * @throws AppError MALFORMED for a signature that is wrong or too old
 */
export async function receiveEvent(
  { db, stripe }: { db: Db; stripe: StripeClient },
  { body, signature }: { body: Buffer; signature: string | undefined },
): Promise<void> {
  const event = stripe.readEvent(body, signature)
  if (!event) {
    throw new AppError('MALFORMED', 'The signature of this delivery is missing, wrong or too old.')
  }
  const subject = eventSubject(event)
  await db.transaction().execute(async (trx) => {
    const isNew = await insertEvent(trx, { id: event.id, type: event.type, subject })
    if (!isNew || subject === null) return
    await enqueueJob(trx, { queue: readProviderQueue, payload: { subject, eventId: event.id } })
  })
}
