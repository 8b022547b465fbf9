import { z } from 'zod'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import type { LookupKind } from './lookup-kind.ts'

const HOUR = 3_600

/**
 * Has listings follow a lookup that was renamed or merged into another; of one that was merged it also clears away what is
 * left.
 */
export const relabelListingsQueue: JobQueue<{ kind: LookupKind; id: string }> = {
  name: 'relabel-listings',
  title: 'Relabel listings',
  payload: z.object({ kind: z.enum(['category', 'manufacturer', 'car_model']), id: z.uuid() }).strict(),
  // Nothing in the data makes it fail; what does is a database in trouble, which passes.
  maxAttempts: 5,
  retryDelaySeconds: 5,
  resumable: true,
  timeoutSeconds: 12 * HOUR,
  concurrency: 1,
  // One at a time, so that of lookups merged in a row each is done with before the next.
  keyOf: () => 'relabel-listings',
}
