import type { Letterhead } from '#server/features/accounts/account-mails.ts'
import { customerEmailQueue } from '#server/features/accounts/email/address-links.ts'
import type { Db } from '#server/platform/database/database.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { endSubscription, endSubscriptionQueue } from './endings.ts'
import { readProviderQueue } from './events.ts'
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
  now: () => Date
}

export function billingJobs({ now, ...deps }: Deps): JobDefinition[] {
  return [
    defineJob(readProviderQueue, (job) => readProvider(deps, job)),
    defineJob(reconcileQueue, (job) => reconcileDue(deps, job, now())),
    defineJob(endSubscriptionQueue, (job) => endSubscription(deps, job)),
    defineJob(customerEmailQueue, (job) => updateCustomerEmail(deps, job)),
  ]
}
