import { z } from 'zod'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

/** Takes up renames and merges of lookups that nobody works on. */
export const finishMergesQueue: JobQueue<Record<string, never>> = {
  name: 'finish-merges',
  title: 'Finish renamed and merged lookups',
  payload: z.object({}).strict(),
  maxAttempts: 1,
  retryDelaySeconds: 5,
  resumable: true,
  timeoutSeconds: 60,
  concurrency: 1,
}
