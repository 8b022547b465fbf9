import { sql } from 'kysely'
import type { JsonValue } from '#db/schema.gen.ts'
import {
  namedListing,
  partKey,
  rowKey,
  sourceKey,
} from '#server/features/stock-files/identity/row-identity.ts'
import type { Db } from '#server/platform/database/database.ts'

/** A row that a file has but that could not be taken. */
export type KeptRow = {
  readonly rowNo: number
  /** The part it is, in hex, or undefined where that cannot be read. */
  readonly key: string | undefined
  /** The same without its stock number or the id of its listing, where it has one. */
  readonly partKey: string | undefined
}

// Each takes about 150 bytes of memory while a chunk is read. Beyond them a row counts as unreadable, so that somebody
// is asked before anything ends.
const MOST_KEPT = 50_000

/** Adds a row that was not taken; `said` is what its cells say, undefined where they cannot be told apart. */
export function keepRow(
  kept: KeptRow[],
  rowNo: number,
  said: Readonly<Record<string, JsonValue>> | undefined,
): void {
  if (kept.length > MOST_KEPT) return
  const read = kept.length < MOST_KEPT ? said : undefined
  kept.push({ rowNo, key: read && rowKey(read), partKey: read && otherKey(read) })
}

const otherKey = (read: Readonly<Record<string, JsonValue>>) =>
  namedListing(read) ? sourceKey(read) : partKey(read)

/** A row of a file that a plan cannot take. */
export type LeftOutRow = { readonly rowNo: number } & (
  | {
      /** A value of it cannot go live. */
      readonly why: 'refused'
      readonly problem: string
    }
  | {
      /** It has no stock number, and may be any of several parts of its seller. */
      readonly why: 'ambiguous'
      /** Parts that it may be, and the stock numbers of the first of them. */
      readonly parts: number
      readonly stockNumbers: readonly string[]
      /** Rows of the file that may be these parts. */
      readonly rows: number
    }
  | {
      /** It names the listing that an earlier row names, and says something else. */
      readonly why: 'contradicts'
      readonly firstRow: number
    }
)

/** As many as a person reads. */
export const MOST_LEFT_OUT_TOLD = 100

/**
 * As it stays with its promotion: numbers are those of records of the staged file; `inFile` has the same for the rows of
 * the file that was sent, where they all stand in it.
 */
export type KeptLeftOut = LeftOutRow & {
  readonly inFile: { readonly rowNo: number; readonly firstRow?: number } | null
}

/** The first of them in the order of the file. */
export const firstLeftOut = (rows: readonly LeftOutRow[]): LeftOutRow[] =>
  rows.toSorted((a, b) => a.rowNo - b.rowNo).slice(0, MOST_LEFT_OUT_TOLD)

/** The numbers that are told of a row. */
export const numbersOf = (row: LeftOutRow): number[] =>
  row.why === 'contradicts' ? [row.rowNo, row.firstRow] : [row.rowNo]

/** `rowsOfFile`: where records stand in the file that was sent; those that somebody added stand nowhere. */
export function keptLeftOut(row: LeftOutRow, rowsOfFile: ReadonlyMap<number, number>): KeptLeftOut {
  const [rowNo, firstRow] = numbersOf(row).map((number) => rowsOfFile.get(number))
  if (rowNo === undefined) return { ...row, inFile: null }
  if (row.why !== 'contradicts') return { ...row, inFile: { rowNo } }
  return { ...row, inFile: firstRow === undefined ? null : { rowNo, firstRow } }
}

/** The row as its seller knows it, by its number in the file that was sent; null where it is known as a record only. */
export function leftOutOfFile({ inFile, ...row }: KeptLeftOut): {
  row: number | null
  record: number
  reason: string
} {
  const { rowNo: record } = row
  if (inFile === null) return { row: null, record, reason: leftOutReason(row, 'record') }
  return { row: inFile.rowNo, record, reason: leftOutReason({ ...row, ...inFile }, 'row') }
}

/** What happens to the row, why, and what to do about it. `what` is what its numbers count: records of a staged file, or rows. */
export function leftOutInWords(row: LeftOutRow, what: 'record' | 'row'): string {
  const name = what === 'record' ? 'Record' : 'Row'
  return `${name} ${row.rowNo} is left out: ${leftOutReason(row, what)}`
}

export function leftOutReason(row: LeftOutRow, what: 'record' | 'row'): string {
  if (row.why === 'refused') return row.problem
  if (row.why === 'contradicts') {
    return `it names the same listing as ${what} ${row.firstRow} and says something else of it. What ${what} ${row.firstRow} says counts.`
  }
  const { parts, stockNumbers, rows } = row
  const more = parts > stockNumbers.length ? ', …' : ''
  const known = stockNumbers.length > 0 ? ` (stock number ${stockNumbers.join(', ')}${more})` : ''
  return parts === 1
    ? `it and ${rows === 2 ? `another ${what}` : `${rows - 1} other ${what}s`} have no stock number, and each may be the same part of yours${known}. Give them their stock numbers.`
    : `it has no stock number and may be any of ${parts} parts of yours${known}. Give it its stock number.`
}

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
