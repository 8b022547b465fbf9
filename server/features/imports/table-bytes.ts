import type { Readable } from 'node:stream'
import { fileKind, KIND_BYTES, unpackedKind } from '#contract/yard-file/file-kind.ts'
import { refuseFile } from './file-refusal.ts'
import { inflate } from './inflate.ts'

/** What was uploaded, told by its first bytes. */
export type TableBytes =
  | { readonly kind: 'workbook' }
  /** Of a text, unpacked where it is gzip; from the beginning each time. */
  | { readonly kind: 'text'; readonly read: () => AsyncGenerator<Buffer> }

/**
 * @throws AppError WRONG_TYPE for another kind of file; and from reading VALIDATION_FAILED, TOO_LARGE for gzip that is
 * damaged or too much
 */
export async function openBytes(open: () => Readable): Promise<TableBytes> {
  const sent = fileKind(await beginningOf(open(), KIND_BYTES))
  if (sent.kind === 'workbook') return { kind: 'workbook' }
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

/** Reads as many bytes, or all there are, and closes what it read from. */
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
