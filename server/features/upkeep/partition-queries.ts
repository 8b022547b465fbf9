import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

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

/**
 * Tables split by month whose default partition may be thinned out, and the column that splits them. The audit is not
 * among them: a trigger keeps its rows from being deleted one by one.
 */
export const SPLIT_TABLES = [
  { table: 'job_event', time: 'at' },
  { table: 'listing_change', time: 'at' },
  { table: 'listing_view', time: 'day' },
] as const

/**
 * Deletes some rows that came while their month had no partition, and that are older than their table's rule keeps. They
 * lie in the default partition, which is never dropped.
 */
export async function deleteStrays(
  db: Db,
  { table, time }: (typeof SPLIT_TABLES)[number],
  limit: number,
): Promise<number> {
  const rest = sql.table(`${table}_rest`)
  const { numAffectedRows } = await sql`
    delete from ${rest} where ctid = any(array(
      select ctid from ${rest}
      where ${sql.ref(time)} < now() - (select keep from retention_rule where table_name = ${table})
      limit ${limit}
    ))`.execute(db)
  return Number(numAffectedRows)
}

/** Empties the audit's default partition, as a whole like a month, once every entry in it is older than is kept. */
export async function emptyPastAudit(db: Db): Promise<boolean> {
  // Asked without the lock first: nearly always there is nothing in it.
  if (!(await isAuditRestPast(db))) return false
  return db.transaction().execute(async (trx) => {
    await limitLockWait(trx)
    await sql`lock table audit_entry_rest in access exclusive mode`.execute(trx)
    if (!(await isAuditRestPast(trx))) return false
    await sql`truncate audit_entry_rest`.execute(trx)
    return true
  })
}

async function isAuditRestPast(db: Db): Promise<boolean> {
  const { rows } = await sql<{ past: boolean }>`
    select coalesce(max(at) < now() - (select keep from retention_rule where table_name = 'audit_entry'), false) as past
    from audit_entry_rest`.execute(db)
  return rows[0]?.past ?? false
}
