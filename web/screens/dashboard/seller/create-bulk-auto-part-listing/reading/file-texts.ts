import { markBytesOf, singleByteEncoding, textReader, UndecodableText } from '#contract/yard-file/encoding.ts'
import type { Encoding } from '#contract/yard-file/reading.ts'
import { FileProblem } from './import-file.ts'

/** A file that began as UTF-8 has letters further on that are none; `encoding` is what they look like. */
export class OtherLetters extends Error {
  override name = 'OtherLetters'
  readonly encoding: Encoding

  constructor(piece: Uint8Array) {
    super('The file is not UTF-8 throughout')
    this.encoding = singleByteEncoding(piece)
  }
}

type Bytes = AsyncIterable<Uint8Array<ArrayBuffer>>

/**
 * Bytes as text, without a byte order mark.
 * @throws OtherLetters where it is no UTF-8 after all, FileProblem where it is no text
 */
export async function* fileTexts(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  let reader: ReturnType<typeof textReader> | undefined
  for await (const piece of fromMark(bytes)) {
    const mark = reader ? 0 : markBytesOf(piece, encoding)
    reader ??= textReader(encoding, mark)
    yield decoded(reader.push, piece.subarray(mark))
  }
  if (reader) yield decoded(reader.finish, new Uint8Array())
}

const MARK_BYTES = 3

/** The first piece is long enough to have a mark. */
async function* fromMark(bytes: Bytes): Bytes {
  let start: number[] | undefined = []
  for await (const piece of bytes) {
    if (!start) {
      yield piece
      continue
    }
    const lacking: number = Math.min(MARK_BYTES - start.length, piece.length)
    start.push(...piece.subarray(0, lacking))
    if (start.length < MARK_BYTES) continue
    yield Uint8Array.from(start)
    yield piece.subarray(lacking)
    start = undefined
  }
  if (start) yield Uint8Array.from(start)
}

function decoded(decode: (piece: Uint8Array) => string, piece: Uint8Array): string {
  try {
    return decode(piece)
  } catch (error) {
    if (!(error instanceof UndecodableText)) throw error
    if (error.encoding === 'utf-8' && error.byte !== 0) throw new OtherLetters(piece)
    throw new FileProblem(`This file is not text: ${error.message}. Export the list as “CSV UTF-8”.`)
  }
}
