import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { MOST_ROWS_A_SEGMENT, type Segment } from './segment.ts'
import { storeSegment } from './store-segment.ts'

// Rows of long descriptions: a segment is held in memory once as lines and once while it is compressed.
const MOST_CHARACTERS = 4_000_000
// A cut leaves no smaller one behind: a file that is edited often would fall into crumbs.
const LEAST_ROWS = 500

export type SegmentWriter = {
  /** Takes the next line; resolves when there is room for another one. `bytes` as `toSegmentLine` tells them. */
  add(line: string, bytes: number): Promise<void>
  /** Ends the segment here if it is not a small one, so that what follows may equal a segment that is stored already. */
  cut(): Promise<void>
  /** Ends the last segment and names all of them in order. */
  finish(): Promise<Segment[]>
}

/**
 * Cuts lines into segments and stores them one after the other; never more than one is in memory. Where it cuts depends
 * on the lines and the calls of `cut` alone, so the same lines make the same segments.
 * `add` and `finish` throw AppError STORAGE_FULL, BUSY
 */
export function openSegmentWriter(files: FileStore): SegmentWriter {
  const segments: Segment[] = []
  let lines: string[] = []
  let characters = 0
  let bytes = 0

  const flush = async () => {
    if (lines.length === 0) return
    const full = lines
    const size = bytes
    lines = []
    characters = 0
    bytes = 0
    segments.push(await storeSegment(files, full, size))
  }

  return {
    async add(line, lineBytes) {
      lines.push(line)
      characters += line.length
      bytes += lineBytes
      if (lines.length >= MOST_ROWS_A_SEGMENT || characters >= MOST_CHARACTERS) await flush()
    },
    async cut() {
      if (lines.length >= LEAST_ROWS) await flush()
    },
    async finish() {
      await flush()
      return segments
    },
  }
}
