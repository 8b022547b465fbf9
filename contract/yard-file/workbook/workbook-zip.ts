import { type Entry, type Reader, ZipReader } from '@zip.js/zip.js/lib/zip-core-reader.js'

/** Maximum size of an uploaded workbook. */
export const MAX_WORKBOOK_BYTES = 50 * 1024 * 1024
export const MAX_WORKBOOK_ROWS = 200_000
export const MAX_WORKBOOK_COLUMNS = 1_000

/** The workbook cannot be read; the message says why and what to do. */
export class WorkbookProblem extends Error {
  override name = 'WorkbookProblem'
  readonly code: 'VALIDATION_FAILED' | 'WRONG_TYPE' | 'TOO_LARGE'

  constructor(code: WorkbookProblem['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const wrongWorkbook = (sentence: string) => new WorkbookProblem('WRONG_TYPE', sentence)
export const largeWorkbook = (sentence: string) => new WorkbookProblem('TOO_LARGE', sentence)

export const damagedWorkbook = (what: string, cause?: unknown) =>
  new WorkbookProblem(
    'VALIDATION_FAILED',
    `The workbook is damaged: ${what}. Open it in your spreadsheet program, save it again and upload that.`,
    { cause },
  )

export const AS_CSV = 'Save it as “CSV UTF-8” and upload that.'

// Half a frame, since the work on a piece is added: the page stays smooth, and a server handles other requests.
const TURN_MS = 8

/**
 * Returns a function to await between two pieces of work: it yields to other work when enough time has passed.
 */
export function breather(): () => Promise<void> {
  let restedAt = performance.now()
  return async () => {
    if (performance.now() - restedAt < TURN_MS) return
    await nextTurn()
    restedAt = performance.now()
  }
}

/** Uses a message, because timers in hidden tabs are delayed by seconds. */
function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((rested) => {
    const taken = () => {
      port1.close()
      rested()
    }
    port1.addEventListener('message', taken)
    port1.start()
    port2.postMessage(undefined)
  })
}

/** The XML parts of a workbook. */
export type WorkbookParts = {
  has(path: string): boolean
  /** A part's text, unpacked piece by piece on request, with pauses for other work. */
  text(path: string, mostBytes?: number): AsyncGenerator<string>
}

type Decoder = InstanceType<typeof TextDecoder>
/** A file in a ZIP. */
export type ZippedFile = Extract<Entry, { directory: false }>

// A workbook of 200,000 rows has 30 parts, one with a picture in each row 10,000; each costs memory before it is read.
const MAX_PARTS = 20_000
/** Of one part: 200,000 rows of 60 columns take half of it. */
const MAX_UNPACKED = 1024 * 1024 * 1024
// Cells that share one text can contain much more than their file, so each piece is small enough for the memory.
const LONGEST_PIECE = 8 * 1024
// The XML of spreadsheets compresses 10 to 40 times; a file that compresses far better is meant to fill its reader's
// memory.
const MAX_PACKED = 200
const SMALL = 10 * 1024 * 1024

/**
 * Opens a ZIP without reading more of it than its list of parts.
 * @throws WorkbookProblem
 */
export async function openParts(blob: Blob): Promise<WorkbookParts> {
  const parts = await inWords(() => listParts(blob))
  return {
    has: (path) => parts.has(plain(path)),
    text: (path, mostBytes = MAX_UNPACKED) => {
      const part = parts.get(plain(path))
      if (!part) throw damagedWorkbook(`its part “${path.slice(0, 100)}” is missing`)
      return textOf(part, mostBytes)
    },
  }
}

/** Like Excel, ignores case and the kind of slash. */
const plain = (path: string) => path.replaceAll('\\', '/').replace(/^\//, '').toLowerCase()

async function listParts(blob: Blob): Promise<Map<string, ZippedFile>> {
  const parts = new Map<string, ZippedFile>()
  for await (const entry of zipEntries(blob)) {
    if (entry.directory) continue
    if (entry.encrypted)
      throw wrongWorkbook('The workbook has a password. Save it without one and upload it again.')
    parts.set(plain(entry.filename), entry)
    if (parts.size > MAX_PARTS) throw largeWorkbook(`The workbook has more than 20,000 parts. ${AS_CSV}`)
  }
  return parts
}

/** What a ZIP contains, in its order. Its content is not read. */
export const zipEntries = (blob: Blob): AsyncIterable<Entry> =>
  new ZipReader(sourceOf(blob)).getEntriesGenerator()

/** Reads slices of the blob on demand. */
function sourceOf(blob: Blob): Reader<Blob> {
  const slice = (offset: number, length = blob.size - offset) => blob.slice(offset, offset + length)
  const source = {
    size: blob.size,
    init: () => Promise.resolve(),
    readUint8Array: async (offset: number, length: number) =>
      new Uint8Array(await slice(offset, length).arrayBuffer()),
    createReadable: ({ offset = 0, size }: { offset?: number; size?: number } = {}) =>
      slice(offset, size).stream(),
    get readable() {
      return blob.stream()
    },
  }
  return source
}

type Bytes = Uint8Array<ArrayBuffer>

/**
 * A zipped file's content, piece by piece. If the file is damaged, zip.js rejects its promise but may leave the stream
 * open, and a reader that waits only for the stream would wait forever, so the failure ends the stream, too.
 */
export async function* unpack(file: ZippedFile, stop = new AbortController()): AsyncGenerator<Bytes> {
  let fail: (cause: unknown) => void = () => undefined
  const { readable, writable } = new TransformStream<Bytes, Bytes>({
    start: (stream) => {
      fail = (cause) => stream.error(cause)
    },
  })
  const unpacking = file.getData(writable, { useWebWorkers: false, signal: stop.signal })
  unpacking.catch(fail)
  const reader = readable.getReader()
  try {
    for (;;) {
      const piece = await reader.read()
      if (piece.done) break
      yield piece.value
    }
    await unpacking
  } finally {
    stop.abort()
    void reader.cancel().catch(() => undefined)
  }
}

async function* textOf(part: ZippedFile, mostBytes: number): AsyncGenerator<string> {
  const most = Math.min(mostBytes, Math.max(SMALL, part.compressedSize * MAX_PACKED))
  const tooMuch = () => largeWorkbook(`The workbook unpacks to more than can be read. ${AS_CSV}`)
  if (part.uncompressedSize > most) throw tooMuch()
  const pieces = unpack(part)
  const pause = breather()
  let decoder: Decoder | undefined
  let bytes = 0
  try {
    for (;;) {
      const piece = await inWords(() => pieces.next())
      if (piece.done) break
      bytes += piece.value.length
      // The sizes in a ZIP may be wrong.
      if (bytes > most) throw tooMuch()
      decoder ??= decoderOf(piece.value)
      const text = decode(decoder, piece.value)
      for (let at = 0; at < text.length; at += LONGEST_PIECE) {
        yield text.slice(at, at + LONGEST_PIECE)
        await pause()
      }
    }
    if (decoder) yield decode(decoder)
  } finally {
    await pieces.return(undefined)
  }
}

/** XML is UTF-8 unless it starts with a byte order mark of UTF-16. */
function decoderOf([first, second]: Uint8Array): Decoder {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true })
  return new TextDecoder(first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8', { fatal: true })
}

function decode(decoder: Decoder, piece?: Uint8Array): string {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
  } catch (cause) {
    throw damagedWorkbook('it contains unreadable characters', cause)
  }
}

/** Errors of the ZIP reader are the file's fault; DOMExceptions are failures of the disk. */
async function inWords<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof WorkbookProblem || cause instanceof DOMException) throw cause
    throw damagedWorkbook('its end is missing or was changed', cause)
  }
}
