import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, gunzip, gzip, type InputType, type ZlibOptions } from 'node:zlib'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { releaseBytes } from '#server/platform/processes/concurrency.ts'

/** A stored piece of a file's rows: gzipped lines, named by the hash of their content. */
export type Segment = {
  readonly sha256: string
  readonly rows: number
  /** Approximate length of its rows in the JSON view. */
  readonly bytes: number
}

/** Small enough to keep in memory and to rewrite for one changed cell. */
export const MAX_SEGMENT_ROWS = 2_000

/** The folder of all segments in the file store. */
export const SEGMENT_FOLDER = 'segments'

/** The segment's key in the file store, in folders by the first two digits to keep each one small. */
export const segmentKey = (sha256: string): string =>
  `${SEGMENT_FOLDER}/${sha256.slice(0, 2)}/${sha256}.ndjson.gz`

/** The hash in a key made by `segmentKey`, or undefined for any other file. */
export const segmentInKey = (key: string): string | undefined =>
  /^segments\/[0-9a-f]{2}\/([0-9a-f]{64})\.ndjson\.gz$/.exec(key)?.[1]

/** Whether both list the same segments in the same order. */
export const sameSegments = (one: readonly Segment[], other: readonly Segment[]): boolean =>
  one.length === other.length && one.every(({ sha256 }, place) => sha256 === other[place]?.sha256)

const compress = promisify<InputType, ZlibOptions, Buffer>(gzip)

// A fifth of the default's time for a tenth more bytes. The text is complete, so it is compressed in one step: each
// further one would cost a trip to another thread and twice the memory.
const SETTINGS = { level: constants.Z_BEST_SPEED, flush: constants.Z_FINISH }
// Of the text's length; rows compress to a fifth.
const MAX_PACKED = 1 / 3

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
  const packed = await compress(text, { ...SETTINGS, chunkSize: Math.ceil(text.length * MAX_PACKED) + 64 })
  // Written even if it exists: a sweep that checks its age must see that it is young.
  await files.put(segmentKey(sha256), packed)
  releaseBytes(packed)
  return { sha256, rows, bytes }
}

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

const inflate = promisify<InputType, ZlibOptions, Buffer>(gunzip)

/**
 * The lines of a stored segment, each with its line end.
 * @throws Error if the file store lacks it, which is a loss of data
 */
export async function readSegmentText(files: FileStore, sha256: string): Promise<Buffer> {
  const stream = await files.get(segmentKey(sha256))
  if (!stream) throw new Error(`Segment ${sha256} is missing from the file store`)
  const packed = await bytesOf(stream)
  // In one step: each further one costs a trip to another thread and twice the memory.
  const text = await inflate(packed, { chunkSize: unpackedLength(packed) + 1 })
  releaseBytes(packed)
  return text
}

/** Like buffer() of node:stream/consumers, but without its two extra copies, which double the CPU time. */
async function bytesOf(stream: Readable): Promise<Buffer> {
  const pieces: Uint8Array[] = await stream.toArray()
  const bytes = Buffer.concat(pieces)
  for (const piece of pieces) releaseBytes(piece)
  return bytes
}

// No segment is half as long; a damaged file must not allocate more.
const MAX_BYTES = 32 * 1024 * 1024

/** From the last four bytes of a gzip file. */
const unpackedLength = (packed: Buffer) =>
  Math.min(Math.max(packed.readUInt32LE(packed.length - 4), 64), MAX_BYTES)

/** The lines of a stored segment, in their order. */
export async function readSegmentLines(files: FileStore, sha256: string): Promise<string[]> {
  const bytes = await readSegmentText(files, sha256)
  const lines = bytes.toString('utf8').split('\n')
  releaseBytes(bytes)
  lines.pop()
  return lines
}

// For rows with long descriptions: a segment is in memory as lines, and again while it is compressed.
const MAX_CHARACTERS = 4_000_000
// `cut` makes no smaller ones: a file that is edited often would end up in tiny segments.
const MIN_ROWS = 500

export type SegmentWriter = {
  /** Adds a line; resolves when there is room for another. `bytes` as returned by `toSegmentLine`. */
  add(line: string, bytes: number): Promise<void>
  /** Ends the segment here unless it is small, so that the next may equal one that is already stored. */
  cut(): Promise<void>
  /** Ends the last segment and returns all of them in order. */
  finish(): Promise<Segment[]>
}

/**
 * Splits lines into segments and stores them one by one; at most one is in memory. Splits depend only on the lines and
 * the calls of `cut`, so the same lines make the same segments.
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
      if (lines.length >= MAX_SEGMENT_ROWS || characters >= MAX_CHARACTERS) await flush()
    },
    async cut() {
      if (lines.length >= MIN_ROWS) await flush()
    },
    async finish() {
      await flush()
      return segments
    },
  }
}
