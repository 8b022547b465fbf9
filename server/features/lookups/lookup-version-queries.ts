import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/*
 * Imports keep all names in memory while they run. So that none writes what was renamed or merged meanwhile, a page of
 * listings holds the names for the time of its transaction, and whoever changes names waits for such pages. Forms read
 * names anew each time.
 */

const lock = sql`hashtext('lookup names')`

/** Lets nobody rename or merge until the transaction ends; answers the version that names held in memory must have. */
export async function holdLookups(trx: Db): Promise<number> {
  await sql`select pg_advisory_xact_lock_shared(${lock})`.execute(trx)
  // A statement of its own: its snapshot must come after the lock.
  return readLookupVersion(trx)
}

export async function readLookupVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from lookup_version`.execute(db)
  return rows[0]?.version ?? 0
}

/**
 * Begins to change names: from here on only this transaction does, and names held in memory are old once it has
 * committed. First thing in a transaction, before any row is locked.
 */
export async function beginLookupChange(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lock})`.execute(trx)
  await sql`update lookup_version set version = version + 1`.execute(trx)
}
