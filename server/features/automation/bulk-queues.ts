import { z } from 'zod'
import { jobStatuses } from '#contract/automation.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

export const BULK_QUEUE = 'bulk-jobs'

const DAY = 86_400

export type BulkPayload = {
  action: 'retry' | 'cancel'
  queues: string[]
  statuses: (typeof jobStatuses)[number][]
  words: string
  /** How many there were when it was asked for. */
  matching: number
}

/** Retries or cancels all jobs of a filter that were there before it. */
export const bulkJobsQueue: JobQueue<BulkPayload> = {
  name: BULK_QUEUE,
  title: 'Bulk actions on jobs',
  payload: z
    .object({
      action: z.enum(['retry', 'cancel']),
      queues: z.array(z.string()),
      statuses: z.array(z.enum(jobStatuses)).min(1),
      words: z.string().max(200),
      matching: z.number().int().min(0),
    })
    .strict(),
  maxAttempts: 5,
  retryDelaySeconds: 5,
  resumable: true,
  // It waits for its canary, and an ingest may take twelve hours.
  timeoutSeconds: DAY,
  concurrency: 2,
}
