import type { FileStore } from '#server/platform/file-store/file-store.ts'
import type { Segment } from './segment.ts'
import { storeSegmentText } from './store-segment-text.ts'

/**
 * Stores lines (without line ends) as a segment. Equal lines make an equal segment, so storing it twice changes nothing.
 * `bytes` is the length of their rows in the JSON view.
 * @throws AppError STORAGE_FULL, BUSY
 */
export async function storeSegment(
  files: FileStore,
  lines: readonly string[],
  bytes: number,
): Promise<Segment> {
  const text = Buffer.from(`${lines.join('\n')}\n`)
  return storeSegmentText(files, text, { rows: lines.length, bytes })
}
