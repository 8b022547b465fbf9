import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip, type InputType, type ZlibOptions } from 'node:zlib'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { releaseBytes } from '#server/platform/release-bytes.ts'
import { type Segment, segmentKey } from './segment.ts'

const compress = promisify<InputType, ZlibOptions, Buffer>(gzip)

// Speed before size: it takes a fifth of the time of the default for a tenth more bytes.
const LEVEL = constants.Z_BEST_SPEED
// Rows are packed to a fifth. What fits into one piece saves ways to another thread and back, and memory twice.
const PIECE = 1 / 3

/**
 * Stores lines, each with its line end, as a segment. `bytes` is the length of their rows in the JSON view.
 * @throws AppError STORAGE_FULL, BUSY
 */
export async function storeSegmentText(
  files: FileStore,
  text: Buffer,
  { rows, bytes }: Omit<Segment, 'sha256'>,
): Promise<Segment> {
  const sha256 = createHash('sha256').update(text).digest('hex')
  const packed = await compress(text, { level: LEVEL, chunkSize: Math.ceil(text.length * PIECE) + 64 })
  // Written even when it is there already: a sweeper that looked a moment ago must see that it is young.
  await files.put(segmentKey(sha256), packed)
  releaseBytes(packed)
  return { sha256, rows, bytes }
}
