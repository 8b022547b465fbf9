import { createHash } from 'node:crypto'
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

const ratio = z.number().min(0).max(1).default(0)

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
      /** When the platform's own balance is paid out. */
      payoutSchedule: z.enum(['manual', 'daily', 'weekly', 'monthly']).default('manual'),
      /** What card statements begin with. */
      statementPrefix: z.string().min(2).max(10).default('PARTHARBOR'),
      /** The platform's balance besides its balance transactions; large, so that refunds of fresh charges succeed. */
      openingBalanceCents: z.number().int().min(0).default(10_000_000),
      /** States in which the platform is registered for sales tax. */
      taxStates: z.array(z.string().regex(/^[A-Z]{2}$/)).default([]),
      taxRate: z.number().min(0).max(0.2).default(0.08),
    })
    .prefault({}),
  /** How long a charge is without its balance transaction, by the simulator's clock. */
  balanceDelayMs: ms.default(200),
  /**
   * `succeed`: at once, or when the balance suffices. `pending`: until this is changed. `fail`: new ones succeed and fail
   * after `failureDelayMs`.
   */
  refunds: z.enum(['succeed', 'pending', 'fail']).default('succeed'),
  /** `fail`: new payouts are paid, and fail after `failureDelayMs`. */
  payouts: z.enum(['succeed', 'fail']).default('succeed'),
  failureDelayMs: ms.default(1_000),
  /** What Radar says of the next payments. `highest` is blocked; `review` opens a review. */
  radar: z
    .strictObject({
      level: z.enum(['normal', 'elevated', 'highest']).default('normal'),
      review: z.boolean().default(false),
    })
    .prefault({}),
  /**
   * Whether sessions that nobody reads expire by themselves, some minutes late. If not, such a session can still be paid
   * (POST {page}/pay?late=1) until it is read.
   */
  expireUnread: z.boolean().default(true),
  webhooks: z
    .strictObject({
      /** Where to send webhooks; the startup address when omitted. */
      url: z.url().optional(),
      /** Send nothing until POST /simulator/deliver. */
      hold: z.boolean().default(false),
      /** Decides which events the ratios below mean: the same ones for the same seed and the same order of events. */
      seed: z.string().max(100).default(''),
      /** The share of events that are sent twice. */
      double: ratio,
      /** The share that is sent up to `shuffleMs` late, so that others overtake it. */
      shuffle: ratio,
      shuffleMs: ms.default(1_000),
      /** The share that is never sent, although the list of events has it. */
      drop: ratio,
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
  /** Events since the behavior was set; their draws depend on it. */
  eventsDrawn: number
  /** Lets happen what is due by the simulator's clock. */
  readonly passTime: () => Promise<void>
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
  readonly nowMs: number
}

export const clockOf = ({ behavior }: Simulator) => Date.now() + behavior.clockAheadMs

/** A number from 0 to 1, the same for the same seed. */
export function draw(seed: string): number {
  return createHash('sha256').update(seed).digest().readUInt32BE() / 2 ** 32
}

/** Runs `work` in a transaction. Webhooks it causes are sent after the commit. */
export async function inWork<T>(simulator: Simulator, work: (work: Work) => Promise<T>): Promise<T> {
  const db = await simulator.pool.connect()
  try {
    await db.query('begin')
    const nowMs = clockOf(simulator)
    const result = await work({ db, simulator, now: Math.floor(nowMs / 1000), nowMs })
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
