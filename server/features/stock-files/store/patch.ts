import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { stagingDeskEndpoints } from '#contract/admin/staging.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { taskQueue } from '#server/platform/processes/concurrency.ts'
import { MAX_COLUMNS, rowProblem, tooManyColumns } from './contents.ts'
import {
  MAX_SEGMENT_ROWS,
  openSegmentWriter,
  readSegmentLines,
  type Segment,
  sameSegments,
} from './segments.ts'
import { type FileRequest, listSegments, requireTypedFile, type StagingFile } from './staged-files.ts'
import {
  type Fields,
  fieldText,
  fromSegmentLine,
  idOfLine,
  toSegmentLine,
  withFollowingTexts,
} from './staged-record.ts'
import { staleVersion, storeNextVersion } from './versions.ts'

export type CellPatch = {
  readonly field: string
  /** The value the client read. */
  readonly old: unknown
  /** Undefined removes the field. */
  readonly new: unknown
}

/** The changes to one row. */
type RowPatch = {
  readonly id: string
  /** Where the client saw it, counted from 0. */
  readonly row: number | undefined
  readonly cells: readonly CellPatch[]
  readonly isDeleted: boolean
}

/** A cell whose value is not the one its patch expects. */
export type CellConflict = { readonly field: string; readonly message: string }

/**
 * The fields of a row after its patches, applied in order. Fields keep their order. Returns the first cell whose value is
 * not the one that was read.
 */
export function patchFields(
  before: Fields,
  cells: readonly CellPatch[],
): { fields: Fields } | { conflict: CellConflict } {
  const values = new Map(Object.entries(before))
  for (const { field, old, new: value } of cells) {
    const now = values.get(field)
    if (!isSame(now, old)) return { conflict: { field, message: conflictMessage(field, now, old) } }
    if (value === undefined) values.delete(field)
    else values.set(field, value as JsonValue)
  }
  return { fields: Object.fromEntries(values) }
}

const isSame = (now: JsonValue | undefined, old: unknown) => isDeepStrictEqual(now ?? null, old ?? null)

const conflictMessage = (field: string, now: JsonValue | undefined, old: unknown) =>
  `${field} is ${quoted(now)} now, not ${quoted(old as JsonValue | undefined)}`

const MAX_QUOTED = 80

function quoted(value: JsonValue | undefined): string {
  const text = fieldText(value)
  if (text === '') return 'empty'
  return `“${text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text}”`
}

type PatchBody = {
  readonly cells: readonly ({ id: string; row?: number | undefined; field: string } & Partial<CellPatch>)[]
  readonly deleteRows: readonly { id: string; row?: number | undefined }[]
}

function rowPatches({ cells, deleteRows }: PatchBody): Map<string, RowPatch> {
  const patches = new Map<string, RowPatch & { cells: CellPatch[] }>()
  const patchOf = ({ id, row }: { id: string; row?: number | undefined }) => {
    const known = patches.get(id) ?? { id, row, cells: [], isDeleted: false }
    patches.set(id, known)
    return known
  }
  for (const cell of cells) patchOf(cell).cells.push({ field: cell.field, old: cell.old, new: cell.new })
  for (const row of deleteRows) patches.set(row.id, { ...patchOf(row), isDeleted: true })
  return patches
}

type PatchedRows = {
  readonly rows: ReadonlyMap<string, RowPatch>
  readonly added: readonly Fields[]
}

/**
 * Stores the segments whose rows change; the others stay as they are. One segment at a time is in memory. Rows whose
 * place is known are found at once, the others by searching the file.
 * @throws AppError STALE if a cell is not what was read, VALIDATION_FAILED for a row that does not exist, STORAGE_FULL,
 * BUSY
 */
async function storePatchedRows(
  files: FileStore,
  before: readonly Segment[],
  { rows, added }: PatchedRows,
): Promise<Segment[]> {
  const wanted = new Map(rows)
  /** By the place of the segment they replace. */
  const rewritten = new Map<number, readonly Segment[]>()
  for (const place of inSearchOrder(before, rows)) {
    if (wanted.size === 0) break
    const segments = await rewriteSegment({ files, before, place }, wanted)
    if (segments) rewritten.set(place, segments)
  }
  const [missing] = wanted.keys()
  if (missing !== undefined) throw unknownRow(missing)
  const after = before.flatMap((segment, place) => rewritten.get(place) ?? [segment])
  return added.length === 0 ? after : append(files, after, added)
}

/** First the segments where the client saw the rows, then all others. */
function inSearchOrder(before: readonly Segment[], rows: ReadonlyMap<string, RowPatch>): number[] {
  const ends = endsOf(before)
  const seen = [...rows.values()].flatMap(({ row }) => {
    const place = row === undefined ? -1 : ends.findIndex((end) => row < end)
    return place < 0 ? [] : [place]
  })
  return [...new Set([...seen.toSorted((one, other) => one - other), ...before.keys()])]
}

function endsOf(segments: readonly Segment[]): number[] {
  let end = 0
  return segments.map(({ rows }) => {
    end += rows
    return end
  })
}

type SegmentToPatch = { files: FileStore; before: readonly Segment[]; place: number }

/** Undefined if it has none of the wanted rows; those it has are removed from `wanted`. */
async function rewriteSegment(
  { files, before, place }: SegmentToPatch,
  wanted: Map<string, RowPatch>,
): Promise<Segment[] | undefined> {
  const lines = await readSegmentLines(files, (before[place] as Segment).sha256)
  const ids = lines.map(idOfLine)
  if (!ids.some((id) => wanted.has(id))) return undefined
  const first = endsOf(before.slice(0, place)).at(-1) ?? 0
  const writer = openSegmentWriter(files)
  for (const [index, id] of ids.entries()) {
    const line = lines[index] as string
    const patch = wanted.get(id)
    wanted.delete(id)
    const patched = patch ? patchLine(line, patch, first + index) : line
    if (patched !== undefined) await writer.add(patched, toSegmentLine(fromSegmentLine(patched)).bytes)
  }
  return writer.finish()
}

/** Undefined if the row is deleted. */
function patchLine(line: string, patch: RowPatch, row: number): string | undefined {
  const record = fromSegmentLine(line)
  const patched = patchFields(record.fields, patch.cells)
  if ('conflict' in patched) {
    const { field, message } = patched.conflict
    const sentence = `Row ${row + 1}: ${message}. Load the file again and repeat your change.`
    throw new AppError('STALE', sentence, { fields: { [field]: sentence } })
  }
  if (patch.isDeleted) return undefined
  return toSegmentLine({ ...record, fields: withFollowingTexts(record.fields, patched.fields) }).line
}

/** A last segment with room takes the first new rows, so that adding rows one by one leaves no tiny segments. */
async function append(
  files: FileStore,
  segments: readonly Segment[],
  added: readonly Fields[],
): Promise<Segment[]> {
  const last = segments.at(-1)
  const hasRoom = last !== undefined && last.rows < MAX_SEGMENT_ROWS
  const writer = openSegmentWriter(files)
  for (const line of hasRoom ? await readSegmentLines(files, last.sha256) : []) {
    await writer.add(line, toSegmentLine(fromSegmentLine(line)).bytes)
  }
  for (const fields of added) {
    const { line, bytes } = toSegmentLine({ id: randomUUID(), fields, original: [] })
    await writer.add(line, bytes)
  }
  return [...(hasRoom ? segments.slice(0, -1) : segments), ...(await writer.finish())]
}

function unknownRow(id: string): AppError {
  const sentence = `There is no row with the id ${JSON.stringify(id)} in this file. Load the file again.`
  return new AppError('VALIDATION_FAILED', sentence, { fields: { id: sentence } })
}

export type StagingPatch = FileRequest &
  Pick<
    z.output<(typeof stagingDeskEndpoints)['patchStagingFile']['body']>,
    'version' | 'message' | 'cells' | 'deleteRows' | 'addRows'
  >

// A segment is in memory as text and as rows while it is compressed.
const inTurn = taskQueue({ atOnce: 1, waiting: 20 })

/**
 * Changes cells, deletes and adds rows of a file of any size, all or nothing. The new version shares all untouched
 * segments; if nothing changes there is no new version.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, STALE (the file was saved since, or a cell is not what was read),
 * STORAGE_FULL, BUSY
 */
export async function patchStagingFile(
  db: Db,
  files: FileStore,
  patch: StagingPatch,
): Promise<{ path: string; version: number; rows: number }> {
  const { file, shownPath: path } = await requireTypedFile(db, patch)
  if (patch.version !== file.version) throw staleVersion(file.version, patch.version)
  const columns = columnsAfter(file, patch)
  requireStorable(patch)
  return inTurn(async () => {
    const before = await listSegments(db, file.id, file.version)
    const added = patch.addRows as Fields[]
    const segments = await storePatchedRows(files, before, { rows: rowPatches(patch), added })
    const message = patch.message?.trim() || 'UI save'
    const version = sameSegments(before, segments)
      ? file.version
      : await storeNextVersion(db, { file, segments, columns, message, caller: patch })
    return { path, version, rows: segments.reduce((sum, { rows }) => sum + rows, 0) }
  })
}

function columnsAfter(file: StagingFile, { cells, addRows }: StagingPatch): string[] {
  const names = new Set(file.columns)
  for (const { field, new: value } of cells) if (value !== undefined) names.add(field)
  for (const row of addRows) for (const name of Object.keys(row)) names.add(name)
  if (names.size > MAX_COLUMNS) throw refused(tooManyColumns, 'cells')
  return [...names]
}

function requireStorable({ cells, addRows }: StagingPatch): void {
  for (const [index, { field, row, new: value }] of cells.entries()) {
    const problem = value === undefined ? undefined : rowProblem({ [field]: value })
    if (problem)
      throw refused(`${row === undefined ? `Cell ${index + 1}` : `Row ${row + 1}`}${problem}`, 'cells')
  }
  for (const [index, row] of addRows.entries()) {
    const problem = rowProblem(row)
    if (problem) throw refused(`New row ${index + 1}${problem}`, 'addRows')
  }
}

const refused = (sentence: string, field: 'cells' | 'addRows') =>
  new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
