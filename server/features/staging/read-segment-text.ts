import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, type InputType, type ZlibOptions } from 'node:zlib'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { segmentKey } from './segment.ts'

const inflate = promisify<InputType, ZlibOptions, Buffer>(gunzip)

// Each piece is a way to another thread and back; a segment has one or two million characters.
const CHUNK_BYTES = 512 * 1024

/**
 * The lines of a stored segment, each with its line end. A segment that a manifest names and the store lacks is a loss
 * of data.
 */
export async function readSegmentText(files: FileStore, sha256: string): Promise<Buffer> {
  const stream = await files.get(segmentKey(sha256))
  if (!stream) throw new Error(`Segment ${sha256} is missing in the file store`)
  return inflate(await buffer(stream), { chunkSize: CHUNK_BYTES })
}
