import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip, type InputType, type ZlibOptions } from 'node:zlib'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { releaseBytes } from '#server/platform/release-bytes.ts'
import { type Segment, segmentKey } from './segment.ts'

const compress = promisify<InputType, ZlibOptions, Buffer>(gzip)

// Speed before size: it takes a fifth of the time of the default for a tenth more bytes. Nothing comes behind the text, so
// that it is packed in one step: each further one is a way to another thread and back, and memory twice.
const SETTINGS = { level: constants.Z_BEST_SPEED, flush: constants.Z_FINISH }
// Of the text, for the packed one; rows are packed to a fifth.
const MOST_PACKED = 1 / 3

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
  const packed = await compress(text, { ...SETTINGS, chunkSize: Math.ceil(text.length * MOST_PACKED) + 64 })
  // Written even when it is there already: a sweeper that looked a moment ago must see that it is young.
  await files.put(segmentKey(sha256), packed)
  releaseBytes(packed)
  return { sha256, rows, bytes }
}
