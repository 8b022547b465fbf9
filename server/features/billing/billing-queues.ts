import { z } from 'zod'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

export type ReadProviderPayload = {
  /** A customer or a payout account, in the provider's words. */
  subject: string
  /** The delivery because of which it is read. */
  eventId?: string | undefined
}

/** Reads a customer or a payout account again and writes what the provider says of its seller. */
export const readProviderQueue: JobQueue<ReadProviderPayload> = {
  name: 'read-provider',
  title: 'Read payment provider',
  payload: z
    .object({ subject: z.string().min(1).max(255), eventId: z.string().min(1).max(255).optional() })
    .strict(),
  // With the pauses about nine hours; after a longer outage `payments reconcile` reads everybody again.
  maxAttempts: 16,
  retryDelaySeconds: 5,
  resumable: true,
  timeoutSeconds: 60,
  // A job waits for the provider nearly all of its time.
  concurrency: 6,
}
