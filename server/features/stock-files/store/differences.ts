import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { RowDifference, StagingDiff } from '#contract/admin/staging.ts'
import { readNumberCursor } from '#server/platform/database/cursors.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { taskQueue } from '#server/platform/processes/concurrency.ts'
import { readSegmentLines, type Segment } from './segments.ts'
import { type FileRequest, listSegments, requireTypedFile } from './staged-files.ts'
import { type Fields, fieldOf, fromSegmentLine, idOfLine, type StagedRecord } from './staged-record.ts'
import { openVersionLines, requireVersion, type VersionLines } from './versions.ts'

// Two words of the id's hash, two of the content's, and the row plus 1: 0 marks a free slot.
const WORDS = 5
// Lookups slow down in a fuller table.
const MAX_FILLED = 0.6

/**
 * A hash table from row ids to contents, 20 bytes a row, so that a million rows fit in memory where a Map of strings
 * would not. Ids and contents are compared by 64 bits of their hashes.
 */
class RowTable {
  readonly #words: Uint32Array
  readonly #mask: number

  constructor(mostRows: number) {
    const places = 2 ** Math.ceil(Math.log2(Math.max(8, mostRows / MAX_FILLED)))
    this.#mask = places - 1
    this.#words = new Uint32Array(places * WORDS)
  }

  add(id: string, content: string, row: number): void {
    const key = wordsOf(id)
    const at = this.#placeOf(key)
    this.#words.set([...key, ...wordsOf(content), row + 1], at)
  }

  /** Removes a row and returns it, or undefined if the id is unknown. */
  take(id: string, content: string): { row: number; isSame: boolean } | undefined {
    const at = this.#placeOf(wordsOf(id))
    const row = (this.#words[at + 4] as number) - 1
    if (row < 0) return undefined
    const [high, low] = wordsOf(content)
    const isSame = this.#words[at + 2] === high && this.#words[at + 3] === low
    // The slot stays occupied, since others may come after it; an id of zeros marks it as taken.
    this.#words[at] = 0
    this.#words[at + 1] = 0
    return { row, isSame }
  }

  /** Rows that were never taken. */
  *rest(): Generator<number> {
    for (let at = 0; at < this.#words.length; at += WORDS) {
      const isTaken = this.#words[at] === 0 && this.#words[at + 1] === 0
      const row = (this.#words[at + 4] as number) - 1
      if (row >= 0 && !isTaken) yield row
    }
  }

  /** The key's slot, or the free slot where it belongs. */
  #placeOf([high, low]: readonly [number, number]): number {
    for (let place = low & this.#mask; ; place = (place + 1) & this.#mask) {
      const at = place * WORDS
      if (this.#words[at + 4] === 0) return at
      if (this.#words[at] === high && this.#words[at + 1] === low) return at
    }
  }
}

function wordsOf(text: string): readonly [number, number] {
  const digest = hash('sha1', text, 'buffer')
  // No hash is two zeros: those mark a row that was taken.
  return [digest.readUInt32LE(0) || 1, digest.readUInt32LE(4)]
}

/** A row that differs between two versions; -1 if a version lacks it. */
type DifferingRow = { readonly before: number; readonly after: number }

// Two row numbers are packed into one number; no version has more rows than this.
const MAX_ROWS = 2 ** 26

/**
 * The rows that differ between two versions, in the newer version's order. Removed rows keep their old place, before any
 * row that is there now. A row takes 8 bytes, since every row of a file may differ.
 */
export class DifferingRows {
  readonly counts = { added: 0, removed: 0, changed: 0 }
  readonly #packed: number[] = []
  #sorted: Float64Array | undefined

  add({ before, after }: DifferingRow): void {
    const isGone = after < 0
    const place = isGone ? before : after
    this.#packed.push((place * 2 + (isGone ? 0 : 1)) * MAX_ROWS + before + 1)
    if (isGone) this.counts.removed += 1
    else if (before < 0) this.counts.added += 1
    else this.counts.changed += 1
  }

  get length(): number {
    return this.#sorted?.length ?? this.#packed.length
  }

  /** A range of them in order. Rows added after the first call are not included. */
  slice(start: number, end: number): DifferingRow[] {
    if (!this.#sorted) {
      this.#sorted = Float64Array.from(this.#packed).sort()
      this.#packed.length = 0
    }
    return Array.from(this.#sorted.subarray(start, end), unpacked)
  }
}

function unpacked(packed: number): DifferingRow {
  const before = (packed % MAX_ROWS) - 1
  const marked = Math.floor(packed / MAX_ROWS)
  return { before, after: marked % 2 === 0 ? -1 : Math.floor(marked / 2) }
}

/** A segment and its first row. */
type PlacedSegment = Segment & { readonly first: number }

/**
 * The rows that differ between two versions, matched by their hidden ids. Segments that both versions share are not read;
 * pairs of segments with the same ids in the same order, as scripts leave them, are compared line by line; only the rest
 * goes into a table. A row that only moved does not count as different.
 */
export async function findDifferences(
  files: FileStore,
  before: readonly Segment[],
  after: readonly Segment[],
): Promise<DifferingRows> {
  const found = new DifferingRows()
  const rest: { before: PlacedSegment[]; after: PlacedSegment[] } = { before: [], after: [] }
  const [removed, added] = [without(before, after), without(after, before)]
  for (const [place, old] of removed.entries()) {
    const newer = added[place]
    if (newer && (await comparePair(files, { old, newer }, found))) continue
    rest.before.push(old)
    if (newer) rest.after.push(newer)
  }
  rest.after.push(...added.slice(removed.length))
  await compareRest(files, rest, found)
  return found
}

function without(segments: readonly Segment[], others: readonly Segment[]): PlacedSegment[] {
  const shared = new Set(others.map(({ sha256 }) => sha256))
  let first = 0
  return segments.flatMap((segment) => {
    const placed = { ...segment, first }
    first += segment.rows
    return shared.has(segment.sha256) ? [] : [placed]
  })
}

/** False, with nothing recorded, if they do not have the same ids in the same order. */
async function comparePair(
  files: FileStore,
  { old, newer }: { old: PlacedSegment; newer: PlacedSegment },
  found: DifferingRows,
): Promise<boolean> {
  if (old.rows !== newer.rows) return false
  const [before, after] = await Promise.all([
    readSegmentLines(files, old.sha256),
    readSegmentLines(files, newer.sha256),
  ])
  const pairs = before.map((line, index) => [line, after[index] ?? ''] as const)
  if (pairs.some(([line, other]) => line !== other && idOfLine(line) !== idOfLine(other))) return false
  for (const [index, [line, other]] of pairs.entries()) {
    if (line !== other) found.add({ before: old.first + index, after: newer.first + index })
  }
  return true
}

async function compareRest(
  files: FileStore,
  { before, after }: { before: readonly PlacedSegment[]; after: readonly PlacedSegment[] },
  found: DifferingRows,
): Promise<void> {
  const table = new RowTable(before.reduce((sum, { rows }) => sum + rows, 0))
  for (const { sha256, first } of before) {
    const lines = await readSegmentLines(files, sha256)
    for (const [index, line] of lines.entries()) table.add(idOfLine(line), line, first + index)
  }
  for (const { sha256, first } of after) {
    const lines = await readSegmentLines(files, sha256)
    for (const [index, line] of lines.entries()) {
      const known = table.take(idOfLine(line), line)
      if (!known?.isSame) found.add({ before: known?.row ?? -1, after: first + index })
    }
  }
  for (const row of table.rest()) found.add({ before: row, after: -1 })
}

export type DiffRequest = FileRequest & {
  readonly from: number
  readonly to: number
  readonly cursor: string | undefined
  readonly limit: number
}

// Versions without a shared segment are read in full.
const inTurn = taskQueue({ atOnce: 1, waiting: 20 })

/**
 * A page of the differences between two versions, and their total counts.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, MALFORMED for an invalid cursor, BUSY
 */
export async function diffStagingVersions(
  db: Db,
  files: FileStore,
  request: DiffRequest,
): Promise<StagingDiff> {
  const { from, to, limit } = request
  const { file } = await requireTypedFile(db, request)
  // Versions never change, so an offset into their differences stays valid.
  const start = readNumberCursor(request.cursor)
  for (const version of [from, to]) await requireVersion(db, file, version)
  const [before, after] = await Promise.all([listSegments(db, file.id, from), listSegments(db, file.id, to)])
  return inTurn(async () => {
    const found = await cachedDifferences(`${file.id} ${from} ${to}`, () =>
      findDifferences(files, before, after),
    )
    const page = found.slice(start, start + limit)
    const rows = await readRows(files, page, { before, after })
    const end = start + page.length
    return { from, to, ...found.counts, rows, nextCursor: end < found.length ? String(end) : null }
  })
}

// Pages of one comparison are requested in a row; a million rows that differ take 8 MB.
let cached: { key: string; found: DifferingRows } | undefined

async function cachedDifferences(key: string, find: () => Promise<DifferingRows>): Promise<DifferingRows> {
  if (cached?.key === key) return cached.found
  cached = { key, found: await find() }
  return cached.found
}

async function readRows(
  files: FileStore,
  page: readonly DifferingRow[],
  segments: Record<'before' | 'after', readonly Segment[]>,
): Promise<RowDifference[]> {
  const [before, after] = [openVersionLines(files, segments.before), openVersionLines(files, segments.after)]
  const rows: RowDifference[] = []
  for (const differing of page) {
    const old = await recordAt(before, differing.before)
    const newer = await recordAt(after, differing.after)
    rows.push(toDifference(differing, old, newer))
  }
  return rows
}

const recordAt = async (lines: VersionLines, row: number): Promise<StagedRecord | undefined> =>
  row < 0 ? undefined : fromSegmentLine(await lines.at(row))

function toDifference(
  { before, after }: DifferingRow,
  old: StagedRecord | undefined,
  newer: StagedRecord | undefined,
): RowDifference {
  if (old && newer) {
    const names = [...new Set([...Object.keys(old.fields), ...Object.keys(newer.fields)])].filter(
      (name) => !isDeepStrictEqual(fieldOf(old.fields, name), fieldOf(newer.fields, name)),
    )
    const [was, is] = [only(old.fields, names), only(newer.fields, names)]
    return { id: newer.id, kind: 'changed', row: after, before: was, after: is }
  }
  if (newer) return { id: newer.id, kind: 'added', row: after, before: null, after: newer.fields }
  if (old) return { id: old.id, kind: 'removed', row: before, before: old.fields, after: null }
  throw new Error('a row that differs is in neither version')
}

const only = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
