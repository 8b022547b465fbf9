import type { StripeClient } from '#server/features/billing/provider.ts'
import type { Db } from '#server/platform/database.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { openDemoPaymentsQueue } from './demo-queues.ts'
import { openDemoPayments } from './open-demo-payments.ts'

type Deps = { db: Db; stripe: StripeClient | undefined }

export function demoJobs({ db, stripe }: Deps): JobDefinition[] {
  return [
    defineJob(openDemoPaymentsQueue, async () => {
      if (stripe) await openDemoPayments(db, stripe)
    }),
  ]
}
