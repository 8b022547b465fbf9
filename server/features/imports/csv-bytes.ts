import type { Readable } from 'node:stream'
import { utf8Only, withoutByteOrderMark } from './csv-encoding.ts'
import { inflate } from './csv-gzip.ts'
import { isGzip, KIND_BYTES, otherKind } from './file-kind.ts'

/**
 * The text of an uploaded file as UTF-8 bytes without a byte order mark, unpacked where it is gzip.
 * @throws AppError WRONG_TYPE for another kind of file; VALIDATION_FAILED, TOO_LARGE
 */
export async function* csvBytes(source: Readable): AsyncGenerator<Buffer> {
  const sent = await beginning(source)
  const text = isGzip(sent.head) ? await beginning(inflate(piecesOf(sent))) : sent
  const other = otherKind(text.head)
  if (other) {
    await text.rest.return?.()
    throw other
  }
  const head = withoutByteOrderMark(text.head)
  yield* utf8Only(piecesOf({ ...text, head }), text.head.length - head.length)
}

type Pieces = { head: Buffer; rest: AsyncIterator<Buffer> }

/** Reads as much as tells what it is. */
async function beginning(pieces: AsyncIterable<Buffer>): Promise<Pieces> {
  const rest = pieces[Symbol.asyncIterator]()
  const read: Buffer[] = []
  for (let bytes = 0; bytes < KIND_BYTES; ) {
    const next = await rest.next()
    if (next.done) break
    read.push(next.value)
    bytes += next.value.length
  }
  return { head: Buffer.concat(read), rest }
}

async function* piecesOf({ head, rest }: Pieces): AsyncGenerator<Buffer> {
  try {
    yield head
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    // Whoever breaks off closes the source, also before anything but its head was taken.
    await rest.return?.()
  }
}
