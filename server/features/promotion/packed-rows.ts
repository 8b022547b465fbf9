import type { PlanRow } from './plan-row-queries.ts'

/** What a plan needs to know of a good row to say what becomes of it. */
export type IdentifiedRow = Pick<PlanRow, 'rowNo' | 'key' | 'hash' | 'part' | 'stock' | 'listing'>

const HALF = 16
const PIECE_BYTES = 256 * 1024
// Behind number, kind, key and hash stand those of the part and the stock number, where there is one.
const FIXED = 4 + 1 + 2 * HALF
const NUMBERED = 2 * HALF + 2
const PLAIN = 0
const WITH_NUMBER = 1
const NAMED = 2
const NAMED_AND_CHANGED = 3

/**
 * Rows of a dry run in 37 to about 80 bytes each, outside of the JavaScript heap: as texts in objects a million of them
 * would be more than the whole heap.
 */
export class PackedRows {
  readonly #pieces: { bytes: Buffer; used: number }[] = []

  /** Row numbers are those of the chunk here. */
  add({ rowNo, key, hash, part, stock = '', listing }: IdentifiedRow): void {
    const number = part ? Buffer.from(stock) : undefined
    const piece = this.#pieceWithRoom(FIXED + (number ? NUMBERED + number.length : 0))
    const { bytes } = piece
    let at = bytes.writeUInt32LE(rowNo, piece.used)
    at = bytes.writeUInt8(kindOf(listing, part), at)
    at += bytes.write(listing ? listing.id.replaceAll('-', '') : key, at, 'hex')
    at += bytes.write(hash, at, 'hex')
    if (part && number) {
      at += bytes.write(part.key, at, 'hex')
      at += bytes.write(part.hash, at, 'hex')
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

  /** Each piece holds whole rows. */
  *pieces(): Generator<Buffer> {
    for (const { bytes, used } of this.#pieces) yield bytes.subarray(0, used)
  }

  /** All of them as one. */
  packed(): Buffer {
    return Buffer.concat([...this.pieces()])
  }
}

function kindOf(listing: IdentifiedRow['listing'], part: IdentifiedRow['part']): number {
  if (listing) return listing.changes ? NAMED_AND_CHANGED : NAMED
  return part ? WITH_NUMBER : PLAIN
}

// A chunk of bytes is read in turns of a few milliseconds.
const ROWS_A_BATCH = 2_000

/** Reads packed rows; `before` is added to their numbers. */
export function* unpackedRows(bytes: Buffer, before: number): Generator<IdentifiedRow[]> {
  let rows: IdentifiedRow[] = []
  for (let at = 0; at < bytes.length; ) {
    const { row, length } = readRow(bytes, at)
    rows.push({ ...row, rowNo: row.rowNo + before })
    at += length
    if (rows.length < ROWS_A_BATCH) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

function readRow(bytes: Buffer, start: number): { row: IdentifiedRow; length: number } {
  const rowNo = bytes.readUInt32LE(start)
  const kind = bytes.readUInt8(start + 4)
  const half = (number: number) => bytes.toString('hex', start + number, start + number + HALF)
  const [key, hash] = [half(5), half(5 + HALF)]
  const row = { rowNo, key, hash, part: undefined, stock: undefined, listing: undefined }
  if (kind === PLAIN) return { row, length: FIXED }
  if (kind !== WITH_NUMBER) {
    const id = key.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    return { row: { ...row, listing: { id, changes: kind === NAMED_AND_CHANGED } }, length: FIXED }
  }
  const text = start + FIXED + NUMBERED
  const length = bytes.readUInt16LE(text - 2)
  const part = { key: half(FIXED), hash: half(FIXED + HALF) }
  const stock = bytes.toString('utf8', text, text + length)
  return { row: { ...row, part, stock }, length: FIXED + NUMBERED + length }
}
