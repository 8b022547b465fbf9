import type { Db } from '#server/platform/database/database.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { readProviderQueue } from './events.ts'
import type { StripeClient } from './provider.ts'
import { readProvider } from './sync.ts'

type Deps = { db: Db; stripe: StripeClient | undefined }

export function billingJobs(deps: Deps): JobDefinition[] {
  return [defineJob(readProviderQueue, (job) => readProvider(deps, job))]
}
