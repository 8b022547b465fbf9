import { z } from 'zod'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

/** Keeps the database in shape: partitions for the months to come, and away with what nobody needs any more. */
export const tidyDatabaseQueue: JobQueue<Record<string, never>> = {
  name: 'tidy-database',
  title: 'Tidy database',
  payload: z.object({}).strict(),
  maxAttempts: 3,
  retryDelaySeconds: 60,
  resumable: true,
  timeoutSeconds: 1_800,
  concurrency: 1,
}

/** Removes the files of artifacts whose jobs are gone. */
export const sweepArtifactsQueue: JobQueue<Record<string, never>> = {
  ...tidyDatabaseQueue,
  name: 'sweep-artifacts',
  title: 'Sweep artifacts',
  maxAttempts: 1,
}
