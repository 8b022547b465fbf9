import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import type { Letterhead } from './account-mails.ts'
import { sendResetLink, sendResetLinkQueue } from './reset.ts'
import { sendSignInLink, sendSignInLinkQueue } from './sign-in-links.ts'

export function accountJobs(deps: { now: () => Date; letterhead: Letterhead }): JobDefinition[] {
  return [
    defineJob(sendResetLinkQueue, (job) => sendResetLink(deps, job)),
    defineJob(sendSignInLinkQueue, (job) => sendSignInLink(deps, job)),
  ]
}
