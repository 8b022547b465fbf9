import { z } from 'zod'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

export type Steps = { steps: number; ms: number }

/** Many steps with a checkpoint behind each. */
export const stepsQueue: JobQueue<Steps> = {
  name: 'steps',
  title: 'Steps',
  payload: z.object({ steps: z.number(), ms: z.number() }),
  maxAttempts: 1,
  retryDelaySeconds: 1,
  resumable: true,
  timeoutSeconds: 300,
  concurrency: 4,
}

/** One long step that must not be repeated. */
export const onceQueue: JobQueue<Steps> = { ...stepsQueue, name: 'once', resumable: false }

/** Steps with a question before each. */
export const asksQueue: JobQueue<Steps> = { ...stepsQueue, name: 'asks' }
