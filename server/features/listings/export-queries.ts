import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { Search } from './search.ts'
import { looked } from './search-queries.ts'

// Looked at in one statement: 30 ms, however few of them match.
const ROWS_A_WINDOW = sql`10000`

/**
 * What matches among the next ten thousand listings below an id, newest first, and the last id that was looked at; null at
 * the end. `search` undefined means all.
 */
export async function listMatchesBelow(
  db: Db,
  search: Search | undefined,
  below: string,
): Promise<{ ids: string[]; last: string | null }> {
  const { rows } = await sql<{ ids: string[] | null; last: string | null }>`
    with passed as materialized (
      select * from listing_search where listing_id < ${below} order by listing_id desc limit ${ROWS_A_WINDOW}
    )
    select array(select t.listing_id from passed t where ${search ? looked(search) : sql`true`}
                 order by t.listing_id desc) as ids,
           (select listing_id from passed order by listing_id limit 1) as last
  `.execute(db)
  return { ids: rows[0]?.ids ?? [], last: rows[0]?.last ?? null }
}
