import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '#server/platform/database/database.ts'

// An arbitrary number that must never change: it keeps processes from writing two backups at once.
const BACKUP_LOCK = 7_214_120_003

/** Takes the lock until the connection ends; returns false if another process has it. */
export async function takeBackupLock(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [
    BACKUP_LOCK,
  ])
  return rows[0]?.ours ?? false
}

/**
 * Whether a backup is being written, which must find the file of every row it has copied. Code that deletes files must
 * check this after finding them unused.
 */
export async function isBackupRunning(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks
    where locktype = 'advisory' and (classid::bigint << 32) + objid::bigint = ${BACKUP_LOCK} and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows.length > 0
}
