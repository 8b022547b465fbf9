import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { type SummaryDeps, sendWeeklySummaries } from './send-weekly-summaries.ts'
import { weeklySummaryQueue } from './summary-queues.ts'

export function analyticsJobs(deps: SummaryDeps): JobDefinition[] {
  return [defineJob(weeklySummaryQueue, ({ signal }) => sendWeeklySummaries(deps, signal))]
}
