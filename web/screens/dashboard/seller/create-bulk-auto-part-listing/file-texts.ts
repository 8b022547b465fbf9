import { detectEncoding } from '#contract/yard-file/encoding.ts'
import type { Encoding } from '#contract/yard-file/reading.ts'

/** A file that began as UTF-8 has letters further on that are none; `encoding` is what they look like. */
export class WrongLetters extends Error {
  override name = 'WrongLetters'
  readonly encoding: Encoding

  constructor(piece: Uint8Array) {
    super('The file is not UTF-8')
    const { encoding } = detectEncoding(piece, false)
    this.encoding = encoding === 'utf-8' ? 'windows-1252' : encoding
  }
}

/**
 * Bytes as text, without a byte order mark.
 * @throws WrongLetters instead of showing a letter as a question mark
 */
export async function* fileTexts(
  bytes: AsyncIterable<Uint8Array<ArrayBuffer>>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' })
  for await (const piece of bytes) yield decoded(() => decoder.decode(piece, { stream: true }), piece)
  yield decoded(() => decoder.decode(), new Uint8Array())
}

function decoded(decode: () => string, piece: Uint8Array): string {
  try {
    return decode()
  } catch {
    throw new WrongLetters(piece)
  }
}
