import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import type { Log } from '#server/platform/log.ts'

/** The plan for sale: one monthly price. */
export type Plan = {
  readonly priceId: string
  readonly productName: string
  readonly unitAmountCents: number
}

const ms = z.number().int().min(0).max(3_600_000)

/** How the simulator misbehaves for a test (POST /simulator/behavior). Omitted means normal, so `{}` heals everything. */
export const behaviorSchema = z.strictObject({
  /**
   * A status: replies with it and does nothing. `hang`: no reply, nothing done. `lose-answer`: does the work, but the
   * connection breaks before the reply.
   */
  fail: z.union([z.literal([400, 402, 429, 500, 502, 503]), z.enum(['hang', 'lose-answer'])]).optional(),
  /** Only requests to paths with one of these prefixes fail. */
  onPaths: z.array(z.string().startsWith('/')).default(['/v1/']),
  /** Only this many requests fail. */
  times: z.number().int().positive().optional(),
  /** Delays of replies to reads, after reading; used in turn. */
  delayReadsMs: z.array(ms).max(100).default([]),
  /** How far its clock is ahead, so that links and sessions expire without waiting. */
  clockAheadMs: z.number().int().min(0).default(0),
  /** Missing parts of the operator's account; complete if omitted. */
  setup: z
    .strictObject({
      price: z.enum(['right', 'missing', 'archived', 'yearly']).default('right'),
      unitAmountCents: z.number().int().positive().optional(),
      currency: z.string().length(3).default('usd'),
      chargesEnabled: z.boolean().default(true),
      connect: z.boolean().default(true),
      /** When omitted, both endpoints receive all events. */
      endpoints: z
        .array(
          z.strictObject({
            connect: z.boolean(),
            events: z.array(z.string()),
            url: z.string().optional(),
            status: z.enum(['enabled', 'disabled']).optional(),
          }),
        )
        .optional(),
      /** `bare`: people can neither cancel nor change their card there. */
      portal: z.enum(['right', 'bare', 'none']).default('right'),
      /** Permissions that the key does not have, such as `rak_customer_write`. */
      lacks: z.array(z.string()).default([]),
    })
    .prefault({}),
  webhooks: z
    .strictObject({
      /** Where to send webhooks; the startup address when omitted. */
      url: z.url().optional(),
      /** Send nothing until POST /simulator/deliver. */
      hold: z.boolean().default(false),
    })
    .prefault({}),
})
type Behavior = z.output<typeof behaviorSchema>

export const NORMAL: Behavior = behaviorSchema.parse({})

/** The state that all requests of a running simulator share. */
export type Simulator = {
  readonly pool: Pool
  readonly log: Log
  readonly plan: Plan
  readonly productName: string
  readonly secretKey: string
  /** Its own URL, which hosted pages begin with. */
  readonly url: string
  /** Its configured behavior; replaced as a whole. */
  behavior: Behavior
  /** Where webhooks are sent; also shown in the list of endpoints. */
  readonly webhookUrl: string | undefined
  /** Wakes the sender of webhooks. */
  readonly deliver: () => void
}

/** The pool, or a connection in a transaction. */
export type Db = Pool | PoolClient

/** One transaction and what it needs to know. */
export type Work = {
  readonly db: Db
  readonly simulator: Simulator
  /** Seconds since 1970, as in all of Stripe's times; the same for the whole transaction. */
  readonly now: number
}

/** Runs `work` in a transaction. Webhooks it causes are sent after the commit. */
export async function inWork<T>(simulator: Simulator, work: (work: Work) => Promise<T>): Promise<T> {
  const db = await simulator.pool.connect()
  try {
    await db.query('begin')
    const now = Math.floor((Date.now() + simulator.behavior.clockAheadMs) / 1000)
    const result = await work({ db, simulator, now })
    await db.query('commit')
    db.release()
    simulator.deliver()
    return result
  } catch (error) {
    await db.query('rollback').then(
      () => db.release(),
      // A broken connection: the pool must not hand it out again.
      () => db.release(true),
    )
    throw error
  }
}
