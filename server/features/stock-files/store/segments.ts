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
  /** Length of its rows in the JSON view, about. */
  readonly bytes: number
}

/** The most rows in one: small enough to be held in memory and rewritten for one changed cell. */
export const MOST_ROWS_A_SEGMENT = 2_000

/** All of them lie below this folder of the file store. */
export const SEGMENT_FOLDER = 'segments'

/** Its key in the file store; folders by the first two digits, so that none holds all of them. */
export const segmentKey = (sha256: string): string =>
  `${SEGMENT_FOLDER}/${sha256.slice(0, 2)}/${sha256}.ndjson.gz`

/** The hash in a key that `segmentKey` made, or undefined for any other file. */
export const segmentInKey = (key: string): string | undefined =>
  /^segments\/[0-9a-f]{2}\/([0-9a-f]{64})\.ndjson\.gz$/.exec(key)?.[1]

/** The same rows in the same order, as far as that shows without reading them. */
export const sameSegments = (one: readonly Segment[], other: readonly Segment[]): boolean =>
  one.length === other.length && one.every(({ sha256 }, place) => sha256 === other[place]?.sha256)

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

/** The lines of a stored segment, in their order. */
export async function readSegmentLines(files: FileStore, sha256: string): Promise<string[]> {
  const bytes = await readSegmentText(files, sha256)
  const lines = bytes.toString('utf8').split('\n')
  releaseBytes(bytes)
  lines.pop()
  return lines
}

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
