import { z } from 'zod'
import type { Json, JsonValue } from '#db/schema.gen.ts'

const checkpoint = z.object({
  /** The last listing that is done with; null before the first one. */
  after: z.string().nullable(),
  /** Live listings that were left out at the beginning, those that are done with and those up to the end, all counted. */
  from: z.int().min(0),
  done: z.int().min(0),
  to: z.int().min(0),
  /** The bulk save that is being written, and how many listings it has. */
  save: z.object({ changeSetId: z.string(), listings: z.int() }).nullable(),
  counts: z.json() as z.ZodType<JsonValue>,
})

/** How far the writing of live listings is. */
export type LiveCheckpoint = z.output<typeof checkpoint>

export function readLiveCheckpoint(kept: Json | null): LiveCheckpoint | undefined {
  const read = checkpoint.safeParse(kept)
  return read.success ? read.data : undefined
}
