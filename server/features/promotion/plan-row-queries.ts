import { sql } from 'kysely'
import { IMPORTED_RECORD_ID } from '#server/features/staging/staged-record.ts'
import { copyLine, copyLines, copyRows } from '#server/platform/copy-rows.ts'
import type { Db } from '#server/platform/database.ts'
import type { NewNamePlaces } from './plan-name-book.ts'
import type { RowIdentity } from './row-identity.ts'

/* The rows of a plan as they were read, in a temporary table of one connection (see `plan-queries.ts`). */

/** Begins anew on a connection on which an earlier plan may have been broken off. */
export async function openPlanRows(connection: Db): Promise<void> {
  // A worker that is killed must not leave a long statement behind that nobody waits for.
  await sql`set client_connection_check_interval = '1s'`.execute(connection)
  await sql`drop table if exists pg_temp.plan_row, pg_temp.plan_first_key`.execute(connection)
  await sql`
    create temp table plan_row (
      row_no integer not null, key bytea not null, hash bytea not null, stock text, record_id text,
      new_category integer, new_manufacturer integer, new_model integer, refused boolean not null,
      part_key bytea, part_hash bytea, listing_id uuid, changes boolean
    )`.execute(connection)
  await sql`
    create temp table plan_first_key (record_id text not null, key bytea not null, part_key bytea)
  `.execute(connection)
}

export async function closePlanRows(connection: Db): Promise<void> {
  await sql`drop table if exists pg_temp.plan_row, pg_temp.plan_first_key`.execute(connection)
}

export type PlanRow = RowIdentity & {
  rowNo: number
  stock: string | undefined
  recordId: string
  newNames: NewNamePlaces | undefined
  refused: boolean
  /** The seller's listing that the row names by its id, and whether it says anything new of it. */
  listing: { readonly id: string; readonly changes: boolean } | undefined
}

const planRowColumns = [
  'key',
  'hash',
  'part_key',
  'part_hash',
  'row_no',
  'stock',
  'record_id',
  'new_category',
  'new_manufacturer',
  'new_model',
  'refused',
  'listing_id',
  'changes',
]

/** A row as `addPlanRows` takes it. */
export function planRowLine(row: PlanRow): string {
  const { key, hash, part, newNames, listing } = row
  const others = copyLine([
    row.rowNo,
    row.stock,
    row.recordId,
    newNames?.category,
    newNames?.manufacturer,
    newNames?.model,
    row.refused,
    listing?.id,
    listing?.changes,
  ])
  return `${bytes(key)}\t${bytes(hash)}\t${bytes(part?.key)}\t${bytes(part?.hash)}\t${others}`
}

/** In the text format of COPY, which doubles backslashes. */
const bytes = (hex: string | undefined) => (hex === undefined ? '\\N' : `\\\\x${hex}`)

export async function addPlanRows(trx: Db, lines: Iterable<string>): Promise<void> {
  await copyLines(trx, { table: 'plan_row', columns: planRowColumns }, lines)
}

/** Where records stand in the file of their import, as a spreadsheet numbers its rows; what somebody added stands nowhere. */
export async function findRowsOfFile(
  trx: Db,
  importId: string | null,
  rowNos: readonly number[],
): Promise<Map<number, number>> {
  if (importId === null || rowNos.length === 0) return new Map()
  const { rows } = await sql<{ rowNo: number; rowOfFile: number }>`
    select r.row_no as "rowNo", (r.at[2]::integer + 1 + coalesce(before.lines, 0))::integer as "rowOfFile"
    from (select row_no, regexp_match(record_id, ${IMPORTED_RECORD_ID}) as at
          from plan_row where row_no = any(${[...rowNos]}::integer[])) r
    cross join lateral (
      select sum(lines) as lines from import_chunk where import_id = ${importId} and chunk_index < r.at[1]::integer
    ) before
    where r.at is not null
  `.execute(trx)
  return new Map(rows.map(({ rowNo, rowOfFile }) => [rowNo, rowOfFile]))
}

/** The keys that records of an edited version had when they were first sent. */
export async function addFirstKeys(
  trx: Db,
  keys: readonly { recordId: string; key: string; partKey: string | undefined }[],
): Promise<void> {
  const values = keys.map(({ recordId, key, partKey }) => [recordId, `\\x${key}`, partKey && `\\x${partKey}`])
  await copyRows(trx, 'plan_first_key', ['record_id', 'key', 'part_key'], values)
}

/** A row keeps the key it was first sent with: editing a make in a staged file makes no other part of it. */
export async function keepFirstKeys(trx: Db): Promise<void> {
  await sql`
    update plan_row r
    set key = f.key, part_key = f.part_key,
        -- A row without a number says the same besides it.
        part_hash = case when f.part_key is not null then coalesce(r.part_hash, r.hash) end
    from plan_first_key f
    where f.record_id = r.record_id and r.listing_id is null
      and (f.key <> r.key or f.part_key is distinct from r.part_key)
  `.execute(trx)
}
