import { createHash } from 'node:crypto'
import { MAX_PICTURE_BYTES } from '#contract/picture-rules.ts'
import { AppError } from '#server/platform/errors.ts'
import { LONGEST_SIDE } from './picture-files.ts'
import { pictureKind, wrongKind } from './picture-kind.ts'
import { encodeWebp, MAX_PIXELS, type PictureHead, readHead, type Webp } from './sharp-client.ts'

/** A picture as we keep it; `sha256` is the hash of `webp` in hexadecimal digits. */
export type ReadPicture = Webp & { sha256: string }

/**
 * Reads a picture that came from outside and makes our own of it: whatever else the file held (a place, a script, a
 * second file behind the picture) does not survive, since only pixels go into the new one.
 * @throws AppError TOO_LARGE (bytes or pixels), WRONG_TYPE (not JPEG, PNG or WebP), VALIDATION_FAILED (damaged); each
 *   with the sentence under `fields.image` too
 */
export async function readPicture(bytes: Uint8Array): Promise<ReadPicture> {
  if (bytes.length > MAX_PICTURE_BYTES) {
    throw refused('TOO_LARGE', 'The picture is larger than 10 MB. Please choose a smaller one.')
  }
  const kind = await pictureKind(bytes)
  const head = await readHead(bytes).catch((cause: unknown) => {
    throw damaged(cause)
  })
  if (head.format !== kind) throw wrongKind(`image/${head.format}`)
  refuseTooManyPixels(head)
  const picture = await encodeWebp(bytes, { longestSide: LONGEST_SIDE }).catch((error: unknown) => {
    throw error instanceof AppError ? error : damaged(error)
  })
  return { ...picture, sha256: createHash('sha256').update(picture.webp).digest('hex') }
}

function refuseTooManyPixels({ width, height }: PictureHead): void {
  if (width * height <= MAX_PIXELS) return
  const megapixels = MAX_PIXELS / 1_000_000
  throw refused(
    'TOO_LARGE',
    `The picture has ${width} x ${height} pixels; at most ${megapixels} megapixels (such as 7,300 x 5,400) are read. Please make it smaller.`,
  )
}

const damaged = (cause: unknown) =>
  refused(
    'VALIDATION_FAILED',
    'The picture is damaged or was cut off on its way. Please choose it again, or another one.',
    cause,
  )

const refused = (code: 'TOO_LARGE' | 'VALIDATION_FAILED', sentence: string, cause?: unknown) =>
  new AppError(code, sentence, { fields: { image: sentence }, cause })
