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
 * Whose limit a request counts toward: the user's, or else the address's. All API tokens of a user share one limit of their
 * own, so that a dealer's system in a loop does not lock its people out.
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

/**
 * Counts one request in the caller's current window.
 * @throws AppError TOO_MANY with the seconds until the window ends
 */
export async function takeFromWindow(db: Db, key: string, limit: Limit): Promise<void> {
  const { used, secondsLeft } = await countInWindow(db, key, limit.seconds)
  if (used > limit.most) throw tooMany(secondsLeft)
}

/** Counts one request in the current window (at most a day long) and returns the count including it. */
export async function countInWindow(
  db: Db,
  key: string,
  seconds: number,
): Promise<{ used: number; secondsLeft: number }> {
  const { rows } = await sql<{ used: number; secondsLeft: number }>`
    insert into rate_window as w (key, window_start, used)
    values (${key}, to_timestamp(floor(extract(epoch from now()) / ${seconds}) * ${seconds}), 1)
    on conflict (key, window_start) do update set used = w.used + 1
    returning used, ceil(extract(epoch from window_start) + ${seconds} - extract(epoch from now()))::int as "secondsLeft"
  `.execute(db)
  const [window] = rows
  if (!window) throw new Error('a request was not counted')
  return window
}

export function tooMany(seconds: number): AppError {
  const wait = Math.max(1, Math.ceil(seconds))
  return new AppError('TOO_MANY', `Too many requests. Please try again in ${wait} seconds.`, {
    retryAfterSeconds: wait,
  })
}
