import type { Letterhead } from '#server/features/people/accounts/account-mails.ts'
import { customerEmailQueue } from '#server/features/people/accounts/email/address-links.ts'
import type { Db } from '#server/platform/database/database.ts'
import { defineJob, type JobDefinition, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { endSubscription, endSubscriptionQueue } from './endings.ts'
import {
  isAccount,
  isOrderSubject,
  markEventHandled,
  type ReadProviderPayload,
  readProviderQueue,
} from './events.ts'
import type { StripeClient } from './provider.ts'
import { reconcileDue, reconcileQueue } from './reconcile.ts'
import { readProvider, updateCustomerEmail } from './sync.ts'

type Deps = {
  db: Db
  /** Undefined while payments are off. */
  stripe: StripeClient | undefined
  letterhead: Letterhead
  /** PRO_PRICE_TEXT. */
  priceText: string
  /** Reads an order at the provider again, by its id or its payment's, or the payouts of an account. */
  readOrder: (subject: string, eventId: string | undefined) => Promise<void>
  now: () => Date
}

export function billingJobs({ now, ...deps }: Deps): JobDefinition[] {
  return [
    defineJob(readProviderQueue, (job) => readSubject(deps, job)),
    defineJob(reconcileQueue, (job) => reconcileDue(deps, job, now())),
    defineJob(endSubscriptionQueue, (job) => endSubscription(deps, job)),
    defineJob(customerEmailQueue, (job) => updateCustomerEmail(deps, job)),
  ]
}

async function readSubject(
  { readOrder, ...deps }: Omit<Deps, 'now'>,
  job: JobRun<ReadProviderPayload>,
): Promise<void> {
  const { subject, eventId } = job.payload
  if (isOrderSubject(subject)) await readOrder(subject, eventId)
  else {
    await readProvider(deps, job)
    if (isAccount(subject)) await readOrder(subject, eventId)
  }
  if (eventId !== undefined) await markEventHandled(deps.db, eventId)
}
