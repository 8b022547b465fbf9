import type { MailSite } from '#server/features/talk/mail/mail-text.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { hideBanned, hideBannedQueue } from './hide-banned.ts'

export function bannedPartJobs({ site }: { site: MailSite }): JobDefinition[] {
  return [defineJob(hideBannedQueue, (run) => hideBanned(site, run))]
}
