import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { LimitClass } from '#contract/routes.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/net/addresses.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor?: Actor
  }
}

/**
 * Returns whose limit a request counts toward: the user's, or the IP address's if signed out. A user's API tokens share
 * a separate limit, so a dealer's looping script does not lock out its people.
 */
export function callerKey({ actor, ip }: FastifyRequest): string {
  if (!actor) return `ip:${networkOf(ip)}`
  return actor.scopes ? `api:${actor.userId}` : `user:${actor.userId}`
}

type Limit = { most: number; seconds: number }

/**
 * Requests per caller. Reads are counted in the process (a counter in PostgreSQL reaches at most about 3,400 per second).
 * Writes, registrations and mails are counted in the database, across processes. Sign-ins also have a doubling throttle.
 * All limits are far above what a person or an importer needs.
 */
export const limits: Record<LimitClass, Limit & { shared: boolean }> = {
  read: { most: 6_000, seconds: 60, shared: false },
  write: { most: 1_500, seconds: 60, shared: true },
  // A million rows in chunks of 100 are 10,000 calls.
  import: { most: 12_000, seconds: 60, shared: true },
  'sign-in': { most: 600, seconds: 60, shared: false },
  register: { most: 500, seconds: 3_600, shared: true },
  mail: { most: 60, seconds: 3_600, shared: true },
  // The payment provider allows 100 calls per second for all callers together.
  payments: { most: 120, seconds: 60, shared: true },
}

/** Metrics and the API documentation. Replies are cached, and one page of the documentation loads a dozen files. */
export const OPERATOR_CALLS: Limit = { most: 600, seconds: 60 }

type Counted = { used: number; secondsLeft: number }

// Counts concurrent calls of one caller in one statement. Counted separately, each would hold a connection while
// waiting for the same row: 480 registrations at once used up all connections for seconds.
const counters = new WeakMap<Db, BatchedCalls<undefined, Counted>>()
const MOST_AT_ONCE = 1_000

/**
 * Counts one request in the caller's current window.
 * @throws AppError TOO_MANY with the seconds until the window ends
 */
export async function takeFromWindow(db: Db, key: string, limit: Limit): Promise<void> {
  const count = counters.get(db) ?? openBatchedCalls<undefined, Counted>(MOST_AT_ONCE)
  counters.set(db, count)
  const { used, secondsLeft } = await count(`${limit.seconds} ${key}`, undefined, (calls) =>
    countAll(db, { key, seconds: limit.seconds, calls: calls.length }),
  )
  if (used > limit.most) throw tooMany(secondsLeft)
}

/** Counts one request in the current window (at most a day long) and returns the count including it. */
export async function countInWindow(db: Db, key: string, seconds: number): Promise<Counted> {
  const [counted] = await countAll(db, { key, seconds, calls: 1 })
  if (!counted) throw new Error('a request was not counted')
  return counted
}

/** Counts requests of one caller and returns the count after each. */
async function countAll(
  db: Db,
  { key, seconds, calls }: { key: string; seconds: number; calls: number },
): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    insert into rate_window as w (key, window_start, used)
    values (${key}, to_timestamp(floor(extract(epoch from now()) / ${seconds}) * ${seconds}), ${calls})
    on conflict (key, window_start) do update set used = w.used + excluded.used
    returning used, ceil(extract(epoch from window_start) + ${seconds} - extract(epoch from now()))::int as "secondsLeft"
  `.execute(db)
  const [after] = rows
  if (!after) return []
  return Array.from({ length: calls }, (_, at) => ({ ...after, used: after.used - calls + at + 1 }))
}

export function tooMany(seconds: number): AppError {
  const wait = Math.max(1, Math.ceil(seconds))
  return new AppError('TOO_MANY', `Too many requests. Please try again in ${wait} seconds.`, {
    retryAfterSeconds: wait,
  })
}

/** Calls that are batched, so that one statement serves several callers. */
type BatchedCalls<Input, Result> = (
  key: string,
  input: Input,
  read: (inputs: readonly Input[]) => Promise<readonly Result[]>,
) => Promise<Result>

type PendingCall<Input, Result> = {
  input: Input
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Callers that arrive while a read of the same key is running share the next one, up to `maxBatch` per read. That read
 * starts after their calls, so no caller gets stale data. `read` must return its results in the order of its inputs.
 */
export function openBatchedCalls<Input, Result>(maxBatch: number): BatchedCalls<Input, Result> {
  const queues = new Map<string, PendingCall<Input, Result>[]>()
  const drain = async (
    key: string,
    queue: PendingCall<Input, Result>[],
    read: (inputs: readonly Input[]) => Promise<readonly Result[]>,
  ) => {
    while (queue.length > 0) {
      const batch = queue.splice(0, maxBatch)
      try {
        const results = await read(batch.map(({ input }) => input))
        if (results.length !== batch.length)
          throw new Error('a batched call returned too few or too many results')
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    // In the same tick as the check above: a caller must not join a queue that is no longer drained.
    queues.delete(key)
  }
  return (key, input, read) =>
    new Promise((resolve, reject) => {
      const pending = { input, resolve, reject }
      const queue = queues.get(key)
      if (queue) {
        queue.push(pending)
        return
      }
      const own = [pending]
      queues.set(key, own)
      void drain(key, own, read)
    })
}
