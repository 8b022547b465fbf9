import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import type { KeptRow } from './kept-row.ts'

/** Remembers what a full stock had beside the rows that were staged, so that its plan does not end it as missing. */
export async function insertKeptRows(
  trx: Db,
  { importId, chunkIndex }: { importId: string; chunkIndex: number },
  kept: readonly KeptRow[],
): Promise<void> {
  if (kept.length === 0) return
  const numbers = kept.map(({ rowNo }) => rowNo)
  const keys = kept.map(({ key }) => key ?? null)
  const partKeys = kept.map(({ partKey }) => partKey ?? null)
  await sql`
    insert into promotion_kept_row (import_id, chunk_index, row_no, source_key, part_key)
    select ${importId}, ${chunkIndex}, row_no, decode(key, 'hex'), decode(part_key, 'hex')
    from unnest(${numbers}::integer[], ${keys}::text[], ${partKeys}::text[]) as kept(row_no, key, part_key)
  `.execute(trx)
}

/** Rows of the file of which nobody can say which part they are. */
export async function countUnreadRows(db: Db, importId: string | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from promotion_kept_row where import_id = ${importId} and source_key is null
  `.execute(db)
  return rows[0]?.count ?? 0
}
