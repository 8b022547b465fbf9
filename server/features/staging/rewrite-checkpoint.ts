import { z } from 'zod'
import type { Json, JsonValue } from '#db/schema.gen.ts'
import type { Segment } from './segment.ts'

const state = z.json() as z.ZodType<JsonValue>

const underWay = z.object({
  fileId: z.string(),
  /** The version that is being rewritten. */
  version: z.int(),
  /** The row to go on with, counted from 0. */
  next: z.int().min(0),
  /** Segments that stand in the place of those of the version: place, hash, rows, bytes. `sweep-imports` keeps these. */
  replaced: z.array(z.tuple([z.int(), z.string(), z.int(), z.number()])),
  state,
})

const saved = z.object({
  saved: z.object({ version: z.int(), isNew: z.boolean(), state, stopped: z.string().optional() }),
})

/** How far a rewrite is; after its end, what came of it. */
export type RewriteCheckpoint = z.output<typeof underWay>
export type Saved = z.output<typeof saved>['saved']

/** Undefined at the beginning, and where a checkpoint is none of ours. */
export function readCheckpoint(checkpoint: Json | null): RewriteCheckpoint | { saved: Saved } | undefined {
  const read = z.union([saved, underWay]).safeParse(checkpoint)
  return read.success ? read.data : undefined
}

export const replacementsOf = (replaced: ReadonlyMap<number, Segment>): RewriteCheckpoint['replaced'] =>
  [...replaced].map(([place, { sha256, rows, bytes }]) => [place, sha256, rows, bytes])

export const readReplacements = (replaced: RewriteCheckpoint['replaced']): Map<number, Segment> =>
  new Map(replaced.map(([place, sha256, rows, bytes]) => [place, { sha256, rows, bytes }]))
