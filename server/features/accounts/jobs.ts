import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import type { Letterhead } from './account-mails.ts'
import { sendResetLinkQueue } from './account-queues.ts'
import { sendResetLink } from './send-reset-link.ts'

export function accountJobs(deps: { now: () => Date; letterhead: Letterhead }): JobDefinition[] {
  return [defineJob(sendResetLinkQueue, (job) => sendResetLink(deps, job))]
}
