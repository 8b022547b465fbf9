import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { refuseFile } from './file-refusal.ts'

/** More than a file of several million rows; whoever has more has it in files. */
const MOST_BYTES = 2 * 1024 ** 3
/** Text packs to a tenth; zeros to a thousandth, and a file that does is made to exhaust its reader. */
const MOST_RATIO = 200
// Below it a file of few and equal rows may well pack better.
const RATIO_COUNTS_FROM = 10 * 1024 ** 2
const PIECE_BYTES = 64 * 1024

const damaged = () =>
  refuseFile('This .gz file is damaged or was cut off on its way. Pack it again and upload that.')
const trailing = () =>
  refuseFile('This .gz file goes on with something else after its end. Pack it again and upload that.')
const tooLarge = () =>
  refuseFile('This .gz file holds more than 2 GB. Split it into several files.', 'TOO_LARGE')
const bomb = () =>
  refuseFile(
    'This .gz file unpacks to more than 200 times its size, as no list of parts does. Upload the CSV unpacked.',
    'TOO_LARGE',
  )

/**
 * Unpacks gzip as it comes; several members, as some programs write them, are one text.
 * @throws AppError VALIDATION_FAILED where it is damaged, TOO_LARGE where it unpacks to more than a file of parts would
 */
export async function* inflate(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
  // How it ends is seen where its output is read.
  pipeline(counted, gunzip, () => undefined)
  let bytes = 0
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > MOST_BYTES) throw tooLarge()
      if (bytes > RATIO_COUNTS_FROM && bytes > MOST_RATIO * gunzip.bytesWritten) throw bomb()
      yield piece
    }
  } catch (error) {
    throw !sourceFailed && isZlibError(error) ? damaged() : error
  } finally {
    gunzip.destroy()
  }
  if (taken > gunzip.bytesWritten) throw trailing()
}

const isZlibError = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(Z_|ERR_STREAM_PUSH_AFTER_EOF)/.test(String(error.code))
