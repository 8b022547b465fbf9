import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/**
 * Goes on with a change set in a further transaction, for work that is one change to people and many transactions to the
 * database: the pages of an import.
 */
export async function joinChangeSet(trx: Db, changeSetId: string): Promise<void> {
  await sql`select set_config('partharbor.change_set', ${changeSetId}, true)`.execute(trx)
}
