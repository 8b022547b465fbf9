import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { readSegmentLines } from './read-segment-lines.ts'
import type { Segment } from './segment.ts'
import { fromSegmentLine, type StagedRecord } from './staged-record.ts'

/** A record and its place in the version, counted from 0. */
export type NumberedRecord = { readonly rowNo: number; readonly record: StagedRecord }

/**
 * The records of a version from a row on, a segment at a time. Segments before that row are not read; no more than one
 * is in memory.
 */
export async function* readRecords(
  files: FileStore,
  segments: readonly Segment[],
  { fromRow }: { fromRow: number },
): AsyncGenerator<NumberedRecord[]> {
  let first = 0
  for (const segment of segments) {
    const skipped = Math.max(0, fromRow - first)
    if (skipped < segment.rows) {
      const lines = (await readSegmentLines(files, segment.sha256)).slice(skipped)
      const start = first + skipped
      yield lines.map((line, index) => ({ rowNo: start + index, record: fromSegmentLine(line) }))
    }
    first += segment.rows
  }
}
