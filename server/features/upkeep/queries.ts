import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

// A new or dropped partition locks its table for a moment. Whoever would have to wait longer than this for the lock
// makes everybody behind him wait, too; the next round tries again.
const LOCK_WAIT = '3s'

export async function ensureMonthPartitions(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await limitLockWait(trx)
    await sql`select ensure_month_partitions()`.execute(trx)
  })
}

/** Partitions whose newest possible row is older than their table's rule keeps. */
export async function listPastPartitions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name
    from retention_rule rule
    join pg_inherits on inhparent = to_regclass(rule.table_name)
    join pg_class child on child.oid = inhrelid
    where child.relname ~ '_\\d{6}$'
      and to_date(right(child.relname, 6), 'YYYYMM') + interval '1 month' <= now() - rule.keep
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}

export async function dropPartition(db: Db, name: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await limitLockWait(trx)
    await sql`drop table if exists ${sql.table(name)}`.execute(trx)
  })
}

async function limitLockWait(trx: Db): Promise<void> {
  await sql`select set_config('lock_timeout', ${LOCK_WAIT}, true)`.execute(trx)
}

/** Deletes some rows that are of no use any more and answers how many; nobody has to wait for a long transaction. */
export type DeleteSome = (db: Db, before: Date, limit: number) => Promise<number>

export const deleteEndedSessions: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from session where token_hash in (
      select token_hash from session where expires_at < ${before} limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}

export const deleteOldThrottles: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from sign_in_throttle where key in (
      select key from sign_in_throttle
      where last_failure_at < ${before} and blocked_until < ${before} limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}

export const deleteOldRateWindows: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from rate_window where (key, window_start) in (
      select key, window_start from rate_window where window_start < ${before} limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}

export const deleteOldReplies: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from idempotency_record where (owner, key) in (
      select owner, key from idempotency_record where created_at < ${before} limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}
