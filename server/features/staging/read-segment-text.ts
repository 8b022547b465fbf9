import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip, type InputType, type ZlibOptions } from 'node:zlib'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { releaseBytes } from '#server/platform/release-bytes.ts'
import { segmentKey } from './segment.ts'

const inflate = promisify<InputType, ZlibOptions, Buffer>(gunzip)

/**
 * The lines of a stored segment, each with its line end. A segment that a manifest names and the store lacks is a loss
 * of data.
 */
export async function readSegmentText(files: FileStore, sha256: string): Promise<Buffer> {
  const stream = await files.get(segmentKey(sha256))
  if (!stream) throw new Error(`Segment ${sha256} is missing in the file store`)
  const packed = await bytesOf(stream)
  // In one piece: each further one is a way to another thread and back, and memory twice.
  const text = await inflate(packed, { chunkSize: unpackedLength(packed) + 1 })
  releaseBytes(packed)
  return text
}

/** As buffer() of node:stream/consumers, which copies everything twice more: half the processor time. */
async function bytesOf(stream: Readable): Promise<Buffer> {
  const pieces: Uint8Array[] = await stream.toArray()
  const bytes = Buffer.concat(pieces)
  for (const piece of pieces) releaseBytes(piece)
  return bytes
}

// No segment is half as long; a damaged file must not ask for more.
const MOST_BYTES = 32 * 1024 * 1024

/** As the last four bytes of a gzip file tell it. */
const unpackedLength = (packed: Buffer) =>
  Math.min(Math.max(packed.readUInt32LE(packed.length - 4), 64), MOST_BYTES)
