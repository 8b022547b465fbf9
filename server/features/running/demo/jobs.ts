import type { StripeClient } from '#server/features/money/billing/provider.ts'
import type { Db } from '#server/platform/database/database.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { openDemoPayments, openDemoPaymentsQueue } from './load-demo.ts'

type Deps = {
  db: Db
  /** Undefined if payments are real or off: the demo must not create a customer at the real provider. */
  simulator: StripeClient | undefined
}

export function demoJobs({ db, simulator }: Deps): JobDefinition[] {
  return [
    defineJob(openDemoPaymentsQueue, async () => {
      if (simulator) await openDemoPayments(db, simulator)
    }),
  ]
}
