import { sql } from 'kysely'
import type { JsonValue } from '#db/schema.gen.ts'
import type { HeldRow } from '#server/features/stock-files/identity/hold-rows.ts'
import type { AmbiguousRow } from '#server/features/stock-files/identity/pairing.ts'
import {
  digestUnderNumber,
  namedListing,
  partKey,
  rowKey,
  sourceKey,
} from '#server/features/stock-files/identity/row-identity.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { IdentifiedRow } from './plan-rows.ts'

/* Rows that an import or a plan leaves out: why, the message for each, and which parts they keep from ending. */

/** A row of a file that could not be imported. */
export type KeptRow = {
  readonly rowNo: number
  /** The part's key in hex, or undefined if it cannot be read. */
  readonly key: string | undefined
  /** Its key without the stock number or listing id, if it has one. */
  readonly partKey: string | undefined
  /** Distinguishes it from other parts with the same stock number. */
  readonly digest: string | undefined
}

// Each takes about 150 bytes while a chunk is read. Any further row counts as unreadable, so that a person confirms the
// endings.
const MAX_KEPT = 50_000

/** Adds a row that was refused; `fields` is undefined if the row could not be split into cells. */
export function keepRow(
  kept: KeptRow[],
  rowNo: number,
  fields: Readonly<Record<string, JsonValue>> | undefined,
): void {
  if (kept.length > MAX_KEPT) return
  const read = kept.length < MAX_KEPT ? fields : undefined
  kept.push({
    rowNo,
    key: read && rowKey(read),
    partKey: read && otherKey(read),
    digest: read && digestUnderNumber(read),
  })
}

const otherKey = (read: Readonly<Record<string, JsonValue>>) =>
  namedListing(read) ? sourceKey(read) : partKey(read)

/** A row of a file that a plan leaves out. */
export type LeftOutRow =
  | AmbiguousRow
  | HeldRow
  /** A value is not valid. */
  | { readonly rowNo: number; readonly why: 'refused'; readonly problem: string }
  /** An earlier row names the same listing with different content. */
  | { readonly rowNo: number; readonly why: 'contradicts'; readonly firstRow: number }

/** As many as a person will read. */
export const MAX_LEFT_OUT_SHOWN = 100

/**
 * As stored with its promotion: row numbers count records of the staged file; `inFile` has those of the uploaded file if
 * all are known.
 */
export type KeptLeftOut = LeftOutRow & {
  readonly inFile: { readonly rowNo: number; readonly firstRow?: number } | null
}

/** The first rows in file order. */
export const firstLeftOut = (rows: readonly LeftOutRow[]): LeftOutRow[] =>
  rows.toSorted((a, b) => a.rowNo - b.rowNo).slice(0, MAX_LEFT_OUT_SHOWN)

/** The row numbers that a message about it mentions. */
export const numbersOf = (row: LeftOutRow): number[] =>
  row.why === 'contradicts' ? [row.rowNo, row.firstRow] : [row.rowNo]

/** `rowsOfFile`: record number to row of the uploaded file; records that were added later have none. */
export function keptLeftOut(row: LeftOutRow, rowsOfFile: ReadonlyMap<number, number>): KeptLeftOut {
  const [rowNo, firstRow] = numbersOf(row).map((number) => rowsOfFile.get(number))
  if (rowNo === undefined) return { ...row, inFile: null }
  if (row.why !== 'contradicts') return { ...row, inFile: { rowNo } }
  return { ...row, inFile: firstRow === undefined ? null : { rowNo, firstRow } }
}

/** The row by its number in the uploaded file; null if it is known only as a record. */
export function leftOutWithFileRow({ inFile, ...row }: KeptLeftOut): {
  row: number | null
  record: number
  reason: string
} {
  const { rowNo: record } = row
  if (inFile === null) return { row: null, record, reason: leftOutReason(row, 'record') }
  return { row: inFile.rowNo, record, reason: leftOutReason({ ...row, ...inFile }, 'row') }
}

/** The message for a row. `what`: whether its numbers count records of a staged file or rows of an upload. */
export function leftOutMessage(row: LeftOutRow, what: 'record' | 'row'): string {
  const name = what === 'record' ? 'Record' : 'Row'
  return `${name} ${row.rowNo} is left out: ${leftOutReason(row, what)}`
}

export function leftOutReason(row: LeftOutRow, what: 'record' | 'row'): string {
  if (row.why === 'refused') return row.problem
  if (row.why === 'contradicts') {
    return `it names the same listing as ${what} ${row.firstRow} but differs from it. Only ${what} ${row.firstRow} is used.`
  }
  if (row.why === 'held' && row.repeats) {
    return `its listing id is empty, and it equals your part “${row.listing}”. It waits for your answer: that part, or another one?`
  }
  if (row.why === 'held') {
    return `it has the stock number of your part “${row.listing}” but differs from it in name and part number. It waits for your answer: a correction of that part, or another part?`
  }
  const { parts, stockNumbers, rows } = row
  const more = parts > stockNumbers.length ? ', …' : ''
  const known = stockNumbers.length > 0 ? ` (stock number ${stockNumbers.join(', ')}${more})` : ''
  return parts === 1
    ? `it and ${rows === 2 ? `another ${what}` : `${rows - 1} other ${what}s`} have no stock number, and each could be the same part of yours${known}. Add their stock numbers.`
    : `it has no stock number and could be any of ${parts} of your parts${known}. Add its stock number.`
}

/** Stores the refused rows of a full stock, so that its plan does not end their parts as missing. */
export async function insertKeptRows(
  trx: Db,
  { importId, chunkIndex }: { importId: string; chunkIndex: number },
  kept: readonly KeptRow[],
): Promise<void> {
  if (kept.length === 0) return
  const numbers = kept.map(({ rowNo }) => rowNo)
  const keys = kept.map(({ key }) => key ?? null)
  const partKeys = kept.map(({ partKey }) => partKey ?? null)
  const digests = kept.map(({ digest }) => digest ?? null)
  await sql`
    insert into promotion_kept_row (import_id, chunk_index, row_no, source_key, part_key, row_digest)
    select ${importId}, ${chunkIndex}, row_no, decode(key, 'hex'), decode(part_key, 'hex'), decode(digest, 'hex')
    from unnest(${numbers}::integer[], ${keys}::text[], ${partKeys}::text[], ${digests}::text[])
           as kept(row_no, key, part_key, digest)
  `.execute(trx)
}

/** Stores the rows with quantity 0 of a file that adds to the stock, so that its plan ends their parts. */
export async function insertSoldOutRows(
  trx: Db,
  { importId, chunkIndex }: { importId: string; chunkIndex: number },
  rows: readonly IdentifiedRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into promotion_kept_row (import_id, chunk_index, row_no, source_key, part_key, content_hash, stock, part_hash,
                                    row_digest)
    select ${importId}, ${chunkIndex}, row_no, decode(key, 'hex'), decode(part_key, 'hex'), decode(hash, 'hex'), stock,
           decode(part_hash, 'hex'), decode(digest, 'hex')
    from unnest(${rows.map(({ rowNo }) => rowNo)}::integer[], ${rows.map(({ key }) => key)}::text[],
                ${rows.map(({ part }) => part?.key ?? null)}::text[], ${rows.map(({ hash }) => hash)}::text[],
                ${rows.map(({ stock }) => stock ?? null)}::text[], ${rows.map(({ part }) => part?.hash ?? null)}::text[],
                ${rows.map(({ digest }) => digest ?? null)}::text[])
           as sold(row_no, key, part_key, hash, stock, part_hash, digest)
  `.execute(trx)
}

/**
 * An import's waiting rows go live later than the rest of its file. Keeps what happened to the seller's parts since: a
 * part that was deleted or ended does not come back, and what a later import wrote is not overwritten. Works on the
 * tables of `classifyPlanRows`; promotion ids ascend with time.
 */
export async function keepLaterChanges(trx: Db, continued: string): Promise<void> {
  await sql`
    delete from plan_action a
    where a.action = 'create' and exists (
        select from plan_source s where s.key = a.key and s.ordinal = a.ordinal and s.gone)
      or a.action = 'update' and exists (
        select from listing l left join listing_source s on s.listing_id = l.id
        where l.id = a.listing_id and (l.ended_at is not null or s.promotion_id > ${continued}))
  `.execute(trx)
}

/** How many rows of the file have no identifiable part. */
export async function countUnreadRows(db: Db, importId: string | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from promotion_kept_row where import_id = ${importId} and source_key is null
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** The first rows that a promotion's plan left out, in file order. */
export async function listLeftOut(db: Db, promotionId: string): Promise<KeptLeftOut[]> {
  const { rows } = await sql<{ leftOut: KeptLeftOut[] }>`
    select left_out as "leftOut" from promotion where id = ${promotionId}
  `.execute(db)
  return rows[0]?.leftOut ?? []
}
