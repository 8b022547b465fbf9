import { z } from 'zod'
import { everyId } from './job-filter.ts'

const stored = z.object({
  /** Behind which it goes on. */
  above: z.string(),
  done: z.number(),
  /** Jobs that could not be repeated. */
  left: z.number(),
  /** The first repetition and the job that it repeats, until it has ended well. */
  canary: z.object({ jobId: z.string(), of: z.string() }).nullable(),
  passed: z.boolean(),
})

/** How far a bulk action is: what it knows when another worker goes on with it. */
export type BulkProgress = z.infer<typeof stored>

export function readProgress(checkpoint: unknown): BulkProgress {
  const known = stored.safeParse(checkpoint)
  return known.success ? known.data : { above: everyId.above, done: 0, left: 0, canary: null, passed: false }
}
