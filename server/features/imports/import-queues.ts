import { z } from 'zod'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

/** Removes what imports left that nobody needs any more. */
export const sweepImportsQueue: JobQueue<Record<string, never>> = {
  name: 'sweep-imports',
  title: 'Sweep imports',
  payload: z.object({}).strict(),
  maxAttempts: 1,
  retryDelaySeconds: 60,
  resumable: true,
  // A hundred thousand segments on a slow bucket.
  timeoutSeconds: 3_600,
  concurrency: 1,
}
