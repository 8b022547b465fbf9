import { mailGoneQueue } from '#server/features/market/for-sale/gone-sellers.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { mailGone } from './gone-mails.ts'

export function leadJobs(deps: Parameters<typeof mailGone>[0]): JobDefinition[] {
  return [defineJob(mailGoneQueue, (run) => mailGone(deps, run))]
}
