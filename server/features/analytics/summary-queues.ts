import { z } from 'zod'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

/** Looks every hour for whom it is Monday morning, and mails them the summary of their week. */
export const weeklySummaryQueue: JobQueue<Record<string, never>> = {
  name: 'weekly-summary',
  title: 'Weekly summaries',
  payload: z.object({}).strict(),
  // The next look is an hour away.
  maxAttempts: 3,
  retryDelaySeconds: 60,
  resumable: true,
  timeoutSeconds: 1_800,
  concurrency: 1,
}
