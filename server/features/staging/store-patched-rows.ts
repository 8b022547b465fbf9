import { randomUUID } from 'node:crypto'
import { AppError } from '#server/platform/app-error.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { patchFields, type RowPatch } from './patched-row.ts'
import { readSegmentLines } from './read-segment-lines.ts'
import { MOST_ROWS_A_SEGMENT, type Segment } from './segment.ts'
import { openSegmentWriter } from './segment-writer.ts'
import type { Fields } from './staged-fields.ts'
import { fromSegmentLine, idOfLine, toSegmentLine } from './staged-record.ts'

export type PatchedRows = {
  readonly rows: ReadonlyMap<string, RowPatch>
  readonly added: readonly Fields[]
}

/** Segments of the version after the patch, by the place of the one they stand for. */
type Rewritten = Map<number, readonly Segment[]>

/**
 * Stores the segments in which rows change; all others stay as they are. One segment at a time is in memory. Rows whose
 * place is known are found at once, the others by looking through the file until all are found.
 * @throws AppError STALE where a cell says something else than was read, VALIDATION_FAILED for a row that is not there,
 * STORAGE_FULL, BUSY
 */
export async function storePatchedRows(
  files: FileStore,
  before: readonly Segment[],
  { rows, added }: PatchedRows,
): Promise<Segment[]> {
  const wanted = new Map(rows)
  const rewritten: Rewritten = new Map()
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

/** First the segments in which somebody saw the rows, then all others. */
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

type Opened = { files: FileStore; before: readonly Segment[]; place: number }

/** Undefined where none of the wanted rows is in it; those that are, are wanted no more. */
async function rewriteSegment(
  { files, before, place }: Opened,
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

/** Undefined where the row goes. */
function patchLine(line: string, patch: RowPatch, row: number): string | undefined {
  const record = fromSegmentLine(line)
  const patched = patchFields(record.fields, patch.cells)
  if ('conflict' in patched) {
    const { field, sentence } = patched.conflict
    const told = `Row ${row + 1}: ${sentence}. Load the file again, then make your change again.`
    throw new AppError('STALE', told, { fields: { [field]: told } })
  }
  return patch.isDeleted ? undefined : toSegmentLine({ ...record, fields: patched.fields }).line
}

/** A last segment with room takes the first of them, so that adding rows one by one makes no crumbs. */
async function append(
  files: FileStore,
  segments: readonly Segment[],
  added: readonly Fields[],
): Promise<Segment[]> {
  const last = segments.at(-1)
  const hasRoom = last !== undefined && last.rows < MOST_ROWS_A_SEGMENT
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
  const sentence = `There is no row with the id ${JSON.stringify(id)} in this file. Load it again.`
  return new AppError('VALIDATION_FAILED', sentence, { fields: { id: sentence } })
}
