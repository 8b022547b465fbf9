import { isUtf8 } from 'node:buffer'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { encodingNames } from '#contract/yard-file/detect-reading.ts'
import {
  detectEncoding,
  firstUndecodable,
  isUtf16,
  markBytesOf,
  singleByteEncoding,
  smallPieces,
  type TextReader,
  textReader,
  UndecodableText,
  unfinishedUtf8,
} from '#contract/yard-file/encoding.ts'
import {
  fileKind,
  isBomb,
  KIND_BYTES,
  MAX_UNPACKED_BYTES,
  unpackedKind,
} from '#contract/yard-file/file-kind.ts'
import type { Encoding } from '#contract/yard-file/reading.ts'
import { AppError } from '#server/platform/errors.ts'

/** Refuses a whole file, with one sentence on what is wrong and what to do. */
export const refuseFile = (
  sentence: string,
  code: 'VALIDATION_FAILED' | 'WRONG_TYPE' | 'TOO_LARGE' = 'VALIDATION_FAILED',
): AppError => new AppError(code, sentence, { fields: { file: sentence } })

/** How to convert a spreadsheet file. */
const SAVE_AS_CSV = 'Open it in your spreadsheet program, save it as “CSV UTF-8” and upload that.'

const PIECE_BYTES = 64 * 1024

const damagedFile = () =>
  refuseFile('This .gz file is damaged or was cut off. Compress it again and upload it.')
const trailing = () =>
  refuseFile('This .gz file has extra data after its end. Compress it again and upload it.')
const tooLarge = () =>
  refuseFile('This .gz file contains more than 2 GB. Split it into several files.', 'TOO_LARGE')
const bomb = () =>
  refuseFile(
    'This .gz file unpacks to more than 200 times its size, which no parts list does. Upload the CSV uncompressed.',
    'TOO_LARGE',
  )

/**
 * Unpacks a gzip stream; several members, as some programs write them, are one text.
 * @throws AppError VALIDATION_FAILED if it is damaged, TOO_LARGE if it unpacks to more than a file of parts would
 */
async function* inflate(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES })
  let taken = 0
  let sourceFailed = false
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const piece of packed) {
        taken += piece.length
        yield piece
      }
    } catch (error) {
      sourceFailed = true
      throw error
    }
  }
  // Errors surface where its output is read.
  pipeline(counted, gunzip, () => undefined)
  let bytes = 0
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > MAX_UNPACKED_BYTES) throw tooLarge()
      if (isBomb(bytes, gunzip.bytesWritten)) throw bomb()
      yield piece
    }
  } catch (error) {
    throw !sourceFailed && isZlibError(error) ? damagedFile() : error
  } finally {
    gunzip.destroy()
  }
  if (taken > gunzip.bytesWritten) throw trailing()
}

const isZlibError = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(Z_|ERR_STREAM_PUSH_AFTER_EOF)/.test(String(error.code))

/** An upload, classified by its first bytes. */
export type TableBytes =
  | { readonly kind: 'workbook' | 'zip' }
  /** A text, unpacked if it is gzip. `read` starts over each time. */
  | { readonly kind: 'text'; readonly read: () => AsyncGenerator<Buffer> }

/**
 * @throws AppError WRONG_TYPE for other kinds of files; reading throws VALIDATION_FAILED, TOO_LARGE for a bad gzip file
 */
export async function openBytes(open: () => Readable): Promise<TableBytes> {
  const sent = fileKind(await beginningOf(open(), KIND_BYTES))
  if (sent.kind === 'workbook' || sent.kind === 'zip') return { kind: sent.kind }
  if (sent.kind === 'other') throw refuseFile(sent.sentence, 'WRONG_TYPE')
  if (sent.kind === 'text') return { kind: 'text', read: () => piecesOf(open()) }
  const read = () => inflate(open())
  const packed = unpackedKind(await beginningOf(read(), KIND_BYTES))
  if (packed.kind === 'other') throw refuseFile(packed.sentence, 'WRONG_TYPE')
  return { kind: 'text', read }
}

async function* piecesOf(source: Readable): AsyncGenerator<Buffer> {
  yield* source
}

/** The first `most` bytes, or all there are; closes the source. */
export async function beginningOf(source: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of source) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= most) break
  }
  return Buffer.concat(pieces).subarray(0, most)
}

type Bytes = () => AsyncGenerator<Buffer>

/**
 * The encoding of a whole file, since a single byte near its end can rule out UTF-8.
 * @param known that of the import's other chunks, which may lack such a byte
 */
export async function decideEncoding(
  read: Bytes,
  head: Buffer,
  known: Encoding | undefined,
): Promise<Encoding> {
  const encoding = detectEncoding(head, false)
  if (isUtf16(encoding)) return encoding
  if (known !== undefined && isUtf16(known)) return known
  const bad = await firstWithoutUtf8(read)
  if (!bad) return 'utf-8'
  return known === undefined || known === 'utf-8' ? singleByteEncoding(bad) : known
}

/** The piece in which a file stops being UTF-8. */
async function firstWithoutUtf8(read: Bytes): Promise<Buffer | undefined> {
  let begun = Buffer.alloc(0)
  for await (const piece of read()) {
    const bytes = begun.length === 0 ? piece : Buffer.concat([begun, piece])
    const whole = bytes.length - unfinishedUtf8(bytes)
    if (!isUtf8(bytes.subarray(0, whole))) return bytes
    begun = Buffer.from(bytes.subarray(whole))
  }
  return begun.length === 0 ? undefined : begun
}

/**
 * The text of a file, piece by piece, without a byte order mark.
 * @throws AppError VALIDATION_FAILED, naming the byte that belongs to no character
 */
export async function* readText(read: Bytes, encoding: Encoding): AsyncGenerator<string> {
  try {
    yield* withoutMark(read, encoding)
  } catch (error) {
    throw error instanceof UndecodableText ? refusal(error) : error
  }
}

async function* withoutMark(read: Bytes, encoding: Encoding): AsyncGenerator<string> {
  let reader: TextReader | undefined
  // A byte order mark has up to three bytes, which may come in three pieces.
  let start = Buffer.alloc(0)
  for await (const piece of read()) {
    if (reader) {
      yield* textsOf(reader, piece)
      continue
    }
    start = Buffer.concat([start, piece])
    if (start.length < LONGEST_MARK) continue
    const mark = markBytesOf(start, encoding)
    reader = openReader(encoding, mark)
    yield* textsOf(reader, start.subarray(mark))
  }
  if (reader) return yield reader.finish()
  const mark = markBytesOf(start, encoding)
  const short = openReader(encoding, mark)
  yield short.push(start.subarray(mark)) + short.finish()
}

const LONGEST_MARK = 3

function* textsOf(reader: TextReader, piece: Buffer): Generator<string> {
  for (const small of smallPieces(piece)) yield reader.push(small)
}

const openReader = (encoding: Encoding, offset: number) =>
  encoding === 'utf-8' ? utf8Reader(offset) : textReader(encoding, offset)

/** Like `textReader`, with the runtime's decoder, which takes a tenth of the time. */
function utf8Reader(offset: number): TextReader {
  let begun = Buffer.alloc(0)
  let read = offset
  const decode = (bytes: Buffer): string => {
    if (!isUtf8(bytes))
      throw new UndecodableText('utf-8', read + firstUndecodable(bytes, 'utf-8'), undecodableByte(bytes))
    const zero = bytes.indexOf(0)
    if (zero !== -1) throw new UndecodableText('utf-8', read + zero, 0)
    read += bytes.length
    return bytes.toString('utf8')
  }
  return {
    push(piece) {
      const came = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
      const bytes = begun.length === 0 ? came : Buffer.concat([begun, came])
      const whole = bytes.length - unfinishedUtf8(bytes)
      begun = Buffer.from(bytes.subarray(whole))
      return decode(bytes.subarray(0, whole))
    },
    finish: () => decode(begun),
  }
}

const undecodableByte = (bytes: Buffer) => bytes[firstUndecodable(bytes, 'utf-8')] ?? 0

function refusal({ encoding, at, byte }: UndecodableText): AppError {
  const place = (at + 1).toLocaleString('en-US')
  if (byte === 0) {
    return refuseFile(`The file is not plain text: byte ${place} is 0. ${SAVE_AS_CSV}`)
  }
  const hex = byte.toString(16).toUpperCase().padStart(2, '0')
  return refuseFile(
    `The file is not ${encodingNames[encoding]} text: byte ${place} (0x${hex}) is not a character. ${SAVE_AS_CSV}`,
  )
}
