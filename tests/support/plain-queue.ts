import { z } from 'zod'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

/** What a job is given that needs nothing. */
export type Nothing = Record<string, never>

/** A queue with nothing special about it: one attempt, a minute, two at a time. What a test is about it sets itself. */
export function plainQueue<Payload>(
  name: string,
  settings: Partial<JobQueue<Payload>> & Pick<JobQueue<Payload>, 'payload'>,
): JobQueue<Payload>
export function plainQueue(name: string, settings?: Partial<JobQueue<Nothing>>): JobQueue<Nothing>
export function plainQueue(name: string, settings: Partial<JobQueue<Nothing>> = {}): JobQueue<Nothing> {
  return {
    name,
    title: name,
    payload: z.object({}).strict(),
    maxAttempts: 1,
    retryDelaySeconds: 1,
    resumable: true,
    timeoutSeconds: 60,
    concurrency: 2,
    ...settings,
  }
}
