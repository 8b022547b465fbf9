import { z } from 'zod'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

/** Gives the demo's Pro seller what they would have at the payment provider. */
export const openDemoPaymentsQueue: JobQueue<Record<string, never>> = {
  name: 'open-demo-payments',
  title: 'Open demo payments',
  payload: z.object({}).strict(),
  // At the first start it is enqueued before the simulator listens; with the pauses it tries for about half an hour.
  maxAttempts: 10,
  retryDelaySeconds: 2,
  resumable: true,
  timeoutSeconds: 60,
  concurrency: 1,
}
