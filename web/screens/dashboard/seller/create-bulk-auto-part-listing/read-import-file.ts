import { nameColumns } from '#contract/csv-header.ts'
import { csvCuts, csvPieces, readRecords, UnclosedQuote } from '#contract/csv-records.ts'
import { hasCsvName, isGzip, notCsv, unfitFile } from './file-kind.ts'

/** Spec, section 9: rows of one chunk. The bytes keep a chunk of very long rows within what is sent in one go. */
export const chunkLimits = { records: 1_000, bytes: 8 * 1024 * 1024 }

const SAMPLED_ROWS = 20
const START_BYTES = 64 * 1024
const FRAME_MS = 16

export type ImportFile = {
  file: File
  headers: string[]
  /** As it stands in the file; goes in front of every chunk. */
  headerLine: Uint8Array<ArrayBuffer>
  /** The first rows, cell by cell. */
  samples: string[][]
  records: number
  chunkCount: number
  /** Unpacked. */
  bytes: number
}

/** The file cannot be imported as it is; the message says why and what to do. */
export class FileProblem extends Error {
  override name = 'FileProblem'
}

const unreadable = 'Failed to read CSV'
const noHeaders = 'Could not detect headers'
const noNames = `${noHeaders}: the first line must name the columns.`

/** Reads the whole file once, without keeping it: what its columns are, and how many rows and chunks it has. */
export async function readImportFile(
  file: File,
  onRead: (share: number) => void,
  signal: AbortSignal,
): Promise<ImportFile> {
  if (!hasCsvName(file.name)) throw new FileProblem(notCsv)
  try {
    const start = await readStart(file)
    const unfit = unfitFile(start)
    if (unfit !== undefined) throw new FileProblem(unfit)
    const head = await readHead(start, file.size)
    return { file, ...head, ...(await measure(file, onRead, signal)) }
  } catch (cause) {
    if (signal.aborted || cause instanceof FileProblem) throw cause
    if (cause instanceof UnclosedQuote)
      throw new FileProblem(`${cause.message}. Close it and choose the file again.`)
    // The disk, a file that was changed since it was chosen, or a .gz that is cut off.
    throw new FileProblem(unreadable, { cause })
  }
}

/** The file's bytes, unpacked where it is compressed; each call reads it anew. */
export async function* fileBytes(file: Blob, onRead?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const packed = isGzip(new Uint8Array(await file.slice(0, 2).arrayBuffer()))
  let read = 0
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, way) {
      read += piece.length
      onRead?.(read)
      way.enqueue(piece)
    },
  })
  const raw = file.stream().pipeThrough(counted)
  const reader = (packed ? raw.pipeThrough(new DecompressionStream('gzip')) : raw).getReader()
  let restedAt = performance.now()
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      yield piece.value
      // Pieces that lie ready follow one another without a break: of a large file the page would stand still for seconds.
      if (performance.now() - restedAt > FRAME_MS) {
        await new Promise((rested) => setTimeout(rested))
        restedAt = performance.now()
      }
    }
  } finally {
    // Without waiting: a stream that failed has nothing to cancel.
    void reader.cancel().catch(() => undefined)
  }
}

async function readStart(file: File): Promise<Uint8Array<ArrayBuffer>> {
  const start = new Uint8Array(START_BYTES)
  let length = 0
  for await (const piece of fileBytes(file)) {
    const part = piece.subarray(0, START_BYTES - length)
    start.set(part, length)
    length += part.length
    if (length === START_BYTES) break
  }
  return start.subarray(0, length)
}

async function* once(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield piece
}

async function readHead(
  start: Uint8Array,
  size: number,
): Promise<Pick<ImportFile, 'headers' | 'headerLine' | 'samples'>> {
  if (size === 0) throw new FileProblem(`${noHeaders}: the file is empty.`)
  const pieces = csvPieces(once(start), { records: SAMPLED_ROWS, bytes: START_BYTES })
  const header = await pieces.next()
  if (header.done) throw new FileProblem(noNames)
  const headerLine = withoutBlankLines(header.value.content)
  const names = readRecords(decoded(headerLine))[0] ?? []
  if (names.every((name) => name.trim() === '')) throw new FileProblem(noNames)
  const headers = nameColumns(names)
  if (headers.length < 2) throw new FileProblem(`${noHeaders}: ${oneColumn(headers[0] ?? '')}`)
  // Where the start ends inside a quoted cell, the rows before it are enough.
  const rows = await pieces.next().catch(() => undefined)
  return { headers, headerLine, samples: rows?.value ? readRecords(decoded(rows.value.content)) : [] }
}

/** What stands above the header would shift the numbers of the rows in every chunk. */
function withoutBlankLines(header: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return header.subarray(header.findIndex((byte) => byte !== 10 && byte !== 13))
}

function oneColumn(header: string): string {
  const separator = [';', '\t', '|'].find((mark) => header.includes(mark))
  if (separator === undefined) return 'the first line must name the columns, separated by commas.'
  const name = { ';': 'semicolons', '\t': 'tabs', '|': 'bars' }[separator]
  return `its columns are separated by ${name}. Save it as “CSV UTF-8 (comma delimited)”.`
}

const decoded = (content: Uint8Array) => new TextDecoder().decode(content)

async function measure(
  file: File,
  onRead: (share: number) => void,
  signal: AbortSignal,
): Promise<Pick<ImportFile, 'records' | 'chunkCount' | 'bytes'>> {
  const found = { records: 0, chunkCount: 0, bytes: 0 }
  const source = fileBytes(file, (read) => onRead(read / file.size))
  for await (const cut of csvCuts(source, chunkLimits)) {
    // Another file was chosen meanwhile.
    signal.throwIfAborted()
    found.bytes += cut.bytes
    found.records += cut.records
    if (cut.records > 0) found.chunkCount++
  }
  return found
}
