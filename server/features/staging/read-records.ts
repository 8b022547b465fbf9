import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { readSegmentLines } from './read-segment-lines.ts'
import type { Segment } from './segment.ts'
import { fromSegmentLine, type StagedRecord } from './staged-record.ts'

/** A record and its place in the version, counted from 0. */
export type NumberedRecord = { readonly rowNo: number; readonly record: StagedRecord }

/**
 * The records of a version from a row on (`rows` of them, or all), a segment at a time. Segments outside are not read;
 * no more than one is in memory.
 */
export async function* readRecords(
  files: FileStore,
  segments: readonly Segment[],
  { fromRow, rows = Number.POSITIVE_INFINITY }: { fromRow: number; rows?: number },
): AsyncGenerator<NumberedRecord[]> {
  const endRow = fromRow + rows
  let first = 0
  for (const segment of segments) {
    if (first >= endRow) return
    const start = Math.max(fromRow, first)
    if (start < first + segment.rows) {
      const lines = (await readSegmentLines(files, segment.sha256)).slice(start - first, endRow - first)
      yield lines.map((line, index) => ({ rowNo: start + index, record: fromSegmentLine(line) }))
    }
    first += segment.rows
  }
}
