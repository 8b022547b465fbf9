import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import type { Letterhead } from './account-mails.ts'
import { sendResetLink, sendResetLinkQueue } from './reset.ts'

export function accountJobs(deps: { now: () => Date; letterhead: Letterhead }): JobDefinition[] {
  return [defineJob(sendResetLinkQueue, (job) => sendResetLink(deps, job))]
}
