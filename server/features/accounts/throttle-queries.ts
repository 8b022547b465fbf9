import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { FIRST_WAIT_SECONDS, FORGET_MS, LONGEST_WAIT_SECONDS, type ThrottleRule } from './sign-in-throttle.ts'

// Beyond 2^20 the longest wait has long been reached, and a power of a large count would overflow.
const MOST_DOUBLINGS = 20

/**
 * Counts an attempt as failed before it is checked, in one statement, so that of any number of parallel attempts no
 * more than allowed get through. Answers until when the next one must wait, or undefined if this one must wait
 * itself: then nothing was counted. The epoch stands for "not blocked", whatever the clocks of other processes say.
 */
export async function countAttempt(db: Db, { key, allowed }: ThrottleRule, now: Date) {
  const forgotten = new Date(now.getTime() - FORGET_MS)
  const failures = sql`case when t.last_failure_at < ${forgotten} then 1 else t.failures + 1 end`
  const { rows } = await sql<{ blockedUntil: Date }>`
    insert into sign_in_throttle as t (key, failures, blocked_until, last_failure_at)
    values (${key}, 1, 'epoch', ${now})
    on conflict (key) do update set
      failures = ${failures},
      last_failure_at = ${now},
      blocked_until = case when ${failures} < ${allowed} then 'epoch' else
        ${now}::timestamptz + least(
          ${FIRST_WAIT_SECONDS} * 2.0 ^ least(${failures} - ${allowed}, ${MOST_DOUBLINGS}),
          ${LONGEST_WAIT_SECONDS}
        ) * interval '1 second' end
    where t.blocked_until <= ${now}
    returning t.blocked_until as "blockedUntil"
  `.execute(db)
  return rows[0]?.blockedUntil
}

/** Until when attempts that count against these keys must wait; undefined if the next may come now. */
export async function findBlockedUntil(
  db: Db,
  keys: readonly string[],
  now: Date,
): Promise<Date | undefined> {
  const { rows } = await sql<{ blockedUntil: Date | null }>`
    select max(blocked_until) as "blockedUntil" from sign_in_throttle
    where key = any(${keys}) and blocked_until > ${now}
  `.execute(db)
  return rows[0]?.blockedUntil ?? undefined
}

/**
 * Takes back what an attempt was counted as that succeeded, or that nobody looked at; a wait that other attempts brought
 * stays.
 */
export async function uncountAttempt(db: Db, key: string, blockedUntil: Date): Promise<void> {
  await sql`
    update sign_in_throttle set
      failures = greatest(failures - 1, 0),
      blocked_until = case when blocked_until = ${blockedUntil} then 'epoch' else blocked_until end
    where key = ${key}
  `.execute(db)
}

export async function deleteAttempts(db: Db, key: string): Promise<void> {
  await sql`delete from sign_in_throttle where key = ${key}`.execute(db)
}

/** Forgets what was counted against every key that begins so. */
export async function deleteAttemptsBelow(db: Db, prefix: string): Promise<void> {
  await sql`delete from sign_in_throttle where starts_with(key, ${prefix})`.execute(db)
}
