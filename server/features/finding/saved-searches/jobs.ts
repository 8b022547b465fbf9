import type { ReadPartsQuery } from '#server/features/finding/search/query/reading.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { type MailDeps, mailFoundParts, mailFoundQueue } from './found-mails.ts'
import { matchArrivals, matchArrivalsQueue } from './match-arrivals.ts'

export function savedSearchJobs(deps: MailDeps & { ask: ReadPartsQuery }): JobDefinition[] {
  return [
    defineJob(matchArrivalsQueue, (run) => matchArrivals(deps, run)),
    defineJob(mailFoundQueue, ({ signal }) => mailFoundParts(deps, signal)),
  ]
}
