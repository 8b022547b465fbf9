import { sql } from 'kysely'
import { lookupKey } from '#contract/trade-language/names.ts'
import type { LookupNames } from '#server/features/market/lookups/lookup-names.ts'
import { newNamesOf, type StagedText } from '#server/features/stock-files/identity/listed-part.ts'
import {
  DIGEST_BYTES,
  type RowIdentity,
  SIDED_DIGEST_BYTES,
} from '#server/features/stock-files/identity/row-identity.ts'
import { IMPORTED_RECORD_ID } from '#server/features/stock-files/store/staged-record.ts'
import { copyLine, copyLines, copyRows } from '#server/platform/database/copy-rows.ts'
import type { Db } from '#server/platform/database/database.ts'

/*
 * The rows of a plan before they are classified: their new names, the temporary table they are copied into, and a packed
 * form for dry runs.
 */

/** The new names of a row, as places in the lists of a `PlanNameBook`; null for a known one. */
type NewNamePlaces = {
  readonly category: number | null
  readonly manufacturer: number | null
  readonly model: number | null
}

/** A kind of name; models are preceded by their manufacturer. */
export type NewNameKind = keyof NewNamePlaces

// A file with more new names has other data in that column; they share one place, and the file is reviewed anyway.
const MAX_NAMES = 10_000

/** Collects the new names of a planned file, ignoring case and spacing; undecided ones stay as text. */
export class PlanNameBook {
  readonly #known: LookupNames
  readonly #places: Record<NewNameKind, Map<string, number>> = {
    category: new Map(),
    manufacturer: new Map(),
    model: new Map(),
  }
  readonly #names: Record<NewNameKind, string[]> = { category: [], manufacturer: [], model: [] }

  constructor(known: LookupNames) {
    this.#known = known
  }

  /** Empty fields have no name. */
  read(text: StagedText): NewNamePlaces {
    const { category, manufacturer, model } = newNamesOf(text, this.#known)
    return {
      category: this.#place('category', category),
      manufacturer: this.#place('manufacturer', manufacturer),
      model: this.#place('model', model && `${model.manufacturer} ${model.model}`),
    }
  }

  name(kind: NewNameKind, place: number): string {
    return this.#names[kind][place] ?? ''
  }

  #place(kind: NewNameKind, name: string | undefined): number | null {
    if (name === undefined) return null
    const key = lookupKey(name)
    const places = this.#places[kind]
    const known = places.get(key)
    if (known !== undefined) return known
    if (places.size >= MAX_NAMES) return MAX_NAMES - 1
    places.set(key, places.size)
    this.#names[kind].push(name)
    return places.size - 1
  }
}

/* The rows of a plan as they were read, in a temporary table of one connection (see `classify-rows.ts`). */

/** Also cleans up after an earlier plan on this connection that was interrupted. One trip for a plan that may be small. */
export async function openPlanRows(connection: Db): Promise<void> {
  await sql`
    -- Stops a long statement if its worker is killed.
    set client_connection_check_interval = '1s';
    drop table if exists pg_temp.plan_row, pg_temp.plan_first_key;
    create temp table plan_row (
      row_no integer not null, key bytea not null, hash bytea not null, stock text, record_id text,
      new_category integer, new_manufacturer integer, new_model integer, refused boolean not null,
      part_key bytea, part_hash bytea, digest bytea, listing_id uuid, changes boolean,
      gone boolean not null default false
    );
    create temp table plan_first_key (record_id text not null, key bytea not null, part_key bytea)
  `.execute(connection)
}

export async function closePlanRows(connection: Db): Promise<void> {
  await sql`drop table if exists pg_temp.plan_row, pg_temp.plan_first_key`.execute(connection)
}

type PlanRow = RowIdentity & {
  rowNo: number
  stock: string | undefined
  recordId: string
  newNames: NewNamePlaces | undefined
  refused: boolean
  /** Its quantity is 0. */
  gone: boolean
  /** The seller's listing that the row names by id, and whether the row changes it. */
  listing: { readonly id: string; readonly changes: boolean } | undefined
}

const planRowColumns = [
  'key',
  'hash',
  'part_key',
  'part_hash',
  'digest',
  'row_no',
  'stock',
  'record_id',
  'new_category',
  'new_manufacturer',
  'new_model',
  'refused',
  'listing_id',
  'changes',
  'gone',
]

/** A row in the form that `addPlanRows` takes. */
export function planRowLine(row: Omit<PlanRow, 'gone'> & { gone?: boolean | undefined }): string {
  const { key, hash, part, digest, newNames, listing, gone = false } = row
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
    gone,
  ])
  return `${bytes(key)}\t${bytes(hash)}\t${bytes(part?.key)}\t${bytes(part?.hash)}\t${bytes(digest)}\t${others}`
}

/** For the text format of COPY, which doubles backslashes. */
const bytes = (hex: string | undefined) => (hex === undefined ? '\\N' : `\\\\x${hex}`)

export async function addPlanRows(trx: Db, lines: Iterable<string>): Promise<void> {
  await copyLines(trx, { table: 'plan_row', columns: planRowColumns }, lines)
}

/** The spreadsheet row numbers of records in the uploaded file; records that were added later have none. */
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

/** Adds the rows with quantity 0 of a file that adds to the stock, numbered from `rows` on. */
export async function addSoldOutRows(
  trx: Db,
  { importId, rows }: { importId: string | null; rows: number },
): Promise<void> {
  await sql`
    insert into plan_row (row_no, key, hash, stock, refused, part_key, part_hash, digest, gone)
    select ${rows}::integer + row_number() over (order by chunk_index, row_no), source_key, content_hash, stock, false,
           part_key, part_hash, row_digest, true
    from promotion_kept_row where import_id = ${importId} and content_hash is not null and source_key is not null
  `.execute(trx)
}

/** The original keys of an edited version's records. */
export async function addFirstKeys(
  trx: Db,
  keys: readonly { recordId: string; key: string; partKey: string | undefined }[],
): Promise<void> {
  const values = keys.map(({ recordId, key, partKey }) => [recordId, `\\x${key}`, partKey && `\\x${partKey}`])
  await copyRows(trx, 'plan_first_key', ['record_id', 'key', 'part_key'], values)
}

/** Rows keep their original keys: editing a make in a staged file does not turn it into another part. */
export async function keepFirstKeys(trx: Db): Promise<void> {
  await sql`
    update plan_row r
    set key = f.key, part_key = f.part_key,
        -- Without a number, the content without it is the same.
        part_hash = case when f.part_key is not null then coalesce(r.part_hash, r.hash) end
    from plan_first_key f
    where f.record_id = r.record_id and r.listing_id is null
      and (f.key <> r.key or f.part_key is distinct from r.part_key)
  `.execute(trx)
}

/** What a plan needs to know about a row. */
export type IdentifiedRow = Pick<
  PlanRow,
  'rowNo' | 'key' | 'hash' | 'digest' | 'part' | 'stock' | 'listing'
> & {
  /** It has issues or waits, so it changes nothing, but its part does not end as missing. */
  readonly refused?: boolean
  /** Its quantity is 0: its part ends. */
  readonly gone?: boolean
}

/** A placeholder for a key or hash that is never compared, such as those of a row that names no part. */
export const NO_KEY = '0'.repeat(32)

const HALF = 16
const PIECE_BYTES = 256 * 1024
// Row number, kind, key and hash; then key and hash of the part, its digest and its stock number, if it has one.
const FIXED = 4 + 1 + 2 * HALF
const OF_PART = 2 * HALF
const NO_DIGEST = '00'.repeat(DIGEST_BYTES)
const PLAIN = 0
const WITH_NUMBER = 1
const NAMED = 2
const NAMED_AND_CHANGED = 3
/** With a side from a column, without and with a stock number. */
const WITH_SIDE = 16
const WITH_BOTH = 17
/** Added to the kind. */
const REFUSED = 4
const GONE = 8

/**
 * The rows of a dry run in 37 to about 90 bytes each, outside of the JavaScript heap: a million of them as objects
 * would fill it.
 */
export class PackedRows {
  readonly #pieces: { bytes: Buffer; used: number }[] = []

  /** Row numbers count within the chunk. */
  add({
    rowNo,
    key,
    hash,
    digest = NO_DIGEST,
    part,
    stock,
    listing,
    refused = false,
    gone = false,
  }: IdentifiedRow): void {
    const number = part && stock !== undefined ? Buffer.from(stock) : undefined
    const ofNumber = number ? digest.length / 2 + 2 + number.length : 0
    const piece = this.#pieceWithRoom(FIXED + (part ? OF_PART : 0) + ofNumber)
    const { bytes } = piece
    let at = bytes.writeUInt32LE(rowNo, piece.used)
    const kind = kindOf({ listing, part, stock, digest })
    at = bytes.writeUInt8(kind + (refused ? REFUSED : 0) + (gone ? GONE : 0), at)
    at += bytes.write(listing ? listing.id.replaceAll('-', '') : key, at, 'hex')
    at += bytes.write(hash, at, 'hex')
    if (part) {
      at += bytes.write(part.key, at, 'hex')
      at += bytes.write(part.hash, at, 'hex')
    }
    if (number) {
      at += bytes.write(digest, at, 'hex')
      at = bytes.writeUInt16LE(number.length, at)
      at += number.copy(bytes, at)
    }
    piece.used = at
  }

  #pieceWithRoom(length: number) {
    const last = this.#pieces.at(-1)
    if (last && last.bytes.length - last.used >= length) return last
    const piece = { bytes: Buffer.allocUnsafe(Math.max(PIECE_BYTES, length)), used: 0 }
    this.#pieces.push(piece)
    return piece
  }

  /** Each piece contains whole rows. */
  *pieces(): Generator<Buffer> {
    for (const { bytes, used } of this.#pieces) yield bytes.subarray(0, used)
  }

  /** All pieces as one. */
  packed(): Buffer {
    return Buffer.concat([...this.pieces()])
  }
}

function kindOf(row: Pick<IdentifiedRow, 'listing' | 'part' | 'stock'> & { digest: string }): number {
  const { listing, part, stock, digest } = row
  if (listing) return listing.changes ? NAMED_AND_CHANGED : NAMED
  if (!part) return PLAIN
  if (stock === undefined) return WITH_SIDE
  return digest.length > NO_DIGEST.length ? WITH_BOTH : WITH_NUMBER
}

// A few milliseconds of work.
const ROWS_PER_BATCH = 2_000

/** Unpacks rows; `before` is added to their numbers. */
export function* unpackedRows(bytes: Buffer, before: number): Generator<IdentifiedRow[]> {
  let rows: IdentifiedRow[] = []
  for (let at = 0; at < bytes.length; ) {
    const { row, length } = readRow(bytes, at)
    rows.push({ ...row, rowNo: row.rowNo + before })
    at += length
    if (rows.length < ROWS_PER_BATCH) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

function readRow(bytes: Buffer, start: number): { row: IdentifiedRow; length: number } {
  const rowNo = bytes.readUInt32LE(start)
  const written = bytes.readUInt8(start + 4)
  const gone = (written & GONE) !== 0
  const refused = (written & REFUSED) !== 0
  const kind = written & ~(GONE | REFUSED)
  const half = (number: number) => bytes.toString('hex', start + number, start + number + HALF)
  const [key, hash] = [half(5), half(5 + HALF)]
  const row = {
    rowNo,
    key,
    hash,
    digest: undefined,
    part: undefined,
    stock: undefined,
    listing: undefined,
    ...(refused && { refused }),
    ...(gone && { gone }),
  }
  if (kind === PLAIN) return { row, length: FIXED }
  if (kind === WITH_SIDE) {
    return { row: { ...row, part: { key: half(FIXED), hash: half(FIXED + HALF) } }, length: FIXED + OF_PART }
  }
  if (kind === NAMED || kind === NAMED_AND_CHANGED) {
    const id = key.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    return { row: { ...row, listing: { id, changes: kind === NAMED_AND_CHANGED } }, length: FIXED }
  }
  const digestAt = start + FIXED + OF_PART
  const lengthAt = digestAt + (kind === WITH_BOTH ? SIDED_DIGEST_BYTES : DIGEST_BYTES)
  const text = lengthAt + 2
  const end = text + bytes.readUInt16LE(lengthAt)
  const part = { key: half(FIXED), hash: half(FIXED + HALF) }
  const digest = bytes.toString('hex', digestAt, lengthAt)
  const stock = bytes.toString('utf8', text, end)
  return { row: { ...row, digest, part, stock }, length: end - start }
}
