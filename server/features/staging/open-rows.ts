import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { readSegmentLines } from './read-segment-lines.ts'
import type { Segment } from './segment.ts'
import { fromSegmentLine, type StagedRecord, toSegmentLine } from './staged-record.ts'

/** A segment in memory, whose lines may be changed. */
export class OpenSegment {
  readonly place: number
  readonly lines: string[]
  bytes: number
  /** Whether it says something that is not stored yet. */
  isChanged = false

  constructor(place: number, lines: string[], bytes: number) {
    this.place = place
    this.lines = lines
    this.bytes = bytes
  }

  change({ at, record }: OpenRow, fields: StagedRecord['fields']): void {
    const after = toSegmentLine({ ...record, fields })
    this.lines[at] = after.line
    this.bytes += after.bytes - toSegmentLine(record).bytes
    this.isChanged = true
  }
}

export type OpenRow = {
  /** Counted from 0, in the file. */
  readonly rowNo: number
  readonly record: StagedRecord
  readonly segment: OpenSegment
  /** Its line in the segment. */
  readonly at: number
  /** Whether no further row of its segment comes. */
  readonly endsSegment: boolean
}

/** The rows from one to before another, a segment at a time; each knows the segment that it can be changed in. */
export async function* openRows(
  files: FileStore,
  segments: readonly Segment[],
  { from, to }: { from: number; to: number },
): AsyncGenerator<OpenRow> {
  let first = 0
  for (const [place, { sha256, rows, bytes }] of segments.entries()) {
    if (first >= to) return
    const [start, end] = [Math.max(from - first, 0), Math.min(to - first, rows)]
    if (start < end) {
      const segment = new OpenSegment(place, await readSegmentLines(files, sha256), bytes)
      for (let at = start; at < end; at += 1) {
        const record = fromSegmentLine(segment.lines[at] ?? '')
        yield { rowNo: first + at, record, segment, at, endsSegment: at === end - 1 }
      }
    }
    first += rows
  }
}
