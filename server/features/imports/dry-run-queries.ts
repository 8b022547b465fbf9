import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

/* What the ledger keeps of dry runs: which parts their rows are, until the file is checked as a whole. */

/** Forgets the seller's unfinished checks but the newest ones; one that a chunk is just coming for stays. */
export async function dropDryRunsBut(trx: Db, sellerId: string, newest: number): Promise<void> {
  await sql`
    delete from import where id in (
      select id from import where id in (
        select id from import where seller_id = ${sellerId} and dry_run and state = 'receiving'
        order by id desc offset ${newest}
      ) for update skip locked
    )
  `.execute(trx)
}

// What comes in one answer; a chunk that is longer comes alone.
const BYTES_AT_ONCE = 4 * 1024 ** 2

export type PackedChunk = { chunkIndex: number; lines: number; rows: Buffer }

/** The good rows of the next chunks of a dry run, in the order of the file. */
export async function listPackedRows(db: Db, importId: string, after: number): Promise<PackedChunk[]> {
  const { rows } = await sql<PackedChunk>`
    select chunk_index as "chunkIndex", lines, row_pairs as rows
    from (
      select chunk_index, lines, row_pairs,
             sum(octet_length(row_pairs)) over (order by chunk_index) - octet_length(row_pairs) as before
      from import_chunk
      where import_id = ${importId} and chunk_index > ${after} and row_pairs is not null
      order by chunk_index limit 500
    ) next
    where before < ${BYTES_AT_ONCE} order by chunk_index
  `.execute(db)
  return rows
}

export async function dropPackedRows(trx: Db, importId: string): Promise<void> {
  await sql`
    update import_chunk set row_pairs = null where import_id = ${importId} and row_pairs is not null
  `.execute(trx)
}
