import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { type SummaryDeps, sendWeeklySummaries, weeklySummaryQueue } from './weekly-summary.ts'

export function analyticsJobs(deps: SummaryDeps): JobDefinition[] {
  return [defineJob(weeklySummaryQueue, ({ signal }) => sendWeeklySummaries(deps, signal))]
}
