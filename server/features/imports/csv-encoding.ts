import { isUtf8 } from 'node:buffer'
import type { AppError } from '#server/platform/app-error.ts'
import { refuseFile, SAVE_AS_CSV } from './csv-refusal.ts'

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

export const withoutByteOrderMark = (head: Buffer): Buffer =>
  head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? head.subarray(3) : head

/**
 * Lets UTF-8 through as it comes, so that nothing is ever replaced by U+FFFD on the way. `offset`: how many bytes of the
 * file were left out before.
 * @throws AppError VALIDATION_FAILED, naming the byte
 */
export async function* utf8Only(pieces: AsyncIterable<Buffer>, offset: number): AsyncGenerator<Buffer> {
  let checked = offset
  // A character that the last piece began; its bytes are passed on, but no record can end within them.
  let begun = Buffer.alloc(0)
  for await (const piece of pieces) {
    const zero = piece.indexOf(0)
    if (zero !== -1) throw holdsZero(checked + begun.length + zero)
    const text = begun.length === 0 ? piece : Buffer.concat([begun, piece])
    const whole = text.length - unfinishedBytes(text)
    if (!isUtf8(text.subarray(0, whole))) throw notUtf8(text, checked)
    checked += whole
    begun = Buffer.from(text.subarray(whole))
    yield piece
  }
  if (begun.length > 0) throw notUtf8(begun, checked)
}

/** How many bytes at the end begin a character of which the rest has not come yet. */
function unfinishedBytes(text: Buffer): number {
  for (let back = 1; back <= 3; back++) {
    const byte = text[text.length - back]
    if (byte === undefined || byte < 0x80) return 0
    if (byte < 0xc0) continue
    return sequenceLength(byte) > back ? back : 0
  }
  return 0
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4
  return lead >= 0xe0 ? 3 : 2
}

function notUtf8(text: Buffer, offset: number): AppError {
  // What cannot be decoded comes back as other bytes.
  const back = Buffer.from(text.toString('utf8'))
  const at = text.findIndex((byte, place) => byte !== back[place])
  const hex = text.toString('hex', at, at + 1).toUpperCase()
  return refuseFile(
    `The file is not UTF-8 text: byte ${(offset + at + 1).toLocaleString('en-US')} (0x${hex}) belongs to no character. ${SAVE_AS_CSV}`,
  )
}

const holdsZero = (at: number) =>
  refuseFile(`The file is no plain text: byte ${(at + 1).toLocaleString('en-US')} is 0. ${SAVE_AS_CSV}`)
