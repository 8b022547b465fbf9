import { randomUUID } from 'node:crypto'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import type { EditedRows } from './edited-rows.ts'
import { openVersionLines } from './open-version-lines.ts'
import { readRecords } from './read-records.ts'
import { pairRows } from './row-pairing.ts'
import type { Segment } from './segment.ts'
import { openSegmentWriter } from './segment-writer.ts'
import { fromSegmentLine, toSegmentLine } from './staged-record.ts'

/**
 * Stores the rows of an edited text as segments. A row that comes from one of the version before keeps its id and
 * original cells; segments without a change stay the same. Undefined where the version before says the same.
 * @throws AppError STORAGE_FULL, BUSY
 */
export async function storeEditedRows(
  files: FileStore,
  edited: EditedRows,
  before: readonly Segment[],
): Promise<Segment[] | undefined> {
  const keys = await keysOf(files, edited, before)
  const pairs = pairRows(
    keys,
    Array.from({ length: edited.count }, (_, place) => edited.keyAt(place)),
  )
  const lines = openVersionLines(files, before)
  const writer = openSegmentWriter(files)
  let changed = edited.count !== keys.length
  for (const [place, origin] of pairs.entries()) {
    const old = origin < 0 ? undefined : await lines.at(origin)
    const { line, bytes } = editedLine(edited, place, old)
    changed ||= line !== old || origin !== place
    await writer.add(line, bytes)
    if (origin >= 0 && lines.endsSegment(origin)) await writer.cut()
  }
  const segments = await writer.finish()
  return changed ? segments : undefined
}

async function keysOf(files: FileStore, edited: EditedRows, before: readonly Segment[]): Promise<string[]> {
  const keys: string[] = []
  for await (const records of readRecords(files, before, { fromRow: 0 })) {
    for (const { record } of records) keys.push(edited.keyOf(record.fields))
  }
  return keys
}

function editedLine(edited: EditedRows, place: number, old: string | undefined) {
  const record = old === undefined ? { id: randomUUID(), original: [] } : fromSegmentLine(old)
  const before = 'fields' in record ? record.fields : undefined
  return toSegmentLine({ ...record, fields: edited.fieldsAt(place, before) })
}
