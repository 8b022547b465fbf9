import { z } from 'zod'

const ms = z.number().int().min(0).max(3_600_000)

/**
 * How the simulator misbehaves, as a test tells it (POST /simulator/behaviour). What is left out is as it should be, so
 * that `{}` heals everything.
 */
export const behaviourSchema = z.strictObject({
  /**
   * A status: that answer, and nothing is done. `hang`: no answer, nothing done. `lose-answer`: it is done, and the
   * connection breaks before the answer.
   */
  fail: z.union([z.literal([400, 402, 429, 500, 502, 503]), z.enum(['hang', 'lose-answer'])]).optional(),
  /** Only requests to paths that begin so; all of the API when left out. */
  onPaths: z.array(z.string().startsWith('/')).default(['/v1/']),
  /** Only the next so many requests fail. */
  times: z.number().int().positive().optional(),
  /** How late reads are answered, after they looked; of several one after the other, round and round. */
  delayReadsMs: z.union([ms, z.array(ms).min(1).max(100)]).default(0),
  /** How far its clock is ahead: links and sessions expire without anybody waiting. */
  clockAheadMs: z.number().int().min(0).default(0),
  webhooks: z
    .strictObject({
      /** Where to; what `startSimulator` was told when left out. */
      url: z.url().optional(),
      delayMs: ms.default(0),
      /** Every event twice. */
      duplicate: z.boolean().default(false),
      /** In any order. */
      shuffle: z.boolean().default(false),
      /** Not at all, until POST /simulator/deliver. */
      hold: z.boolean().default(false),
    })
    .prefault({}),
})
export type Behaviour = z.output<typeof behaviourSchema>

export const GOOD_BEHAVIOUR: Behaviour = behaviourSchema.parse({})
