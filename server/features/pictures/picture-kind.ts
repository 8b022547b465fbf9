import { AppError } from '#server/platform/errors.ts'

/** A format that is read, by the decoder's name. */
export type PictureKind = 'jpeg' | 'png' | 'webp'

const KINDS: Record<string, PictureKind> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  // A PNG that moves: decoders that do not know better show its first frame.
  'image/apng': 'png',
  'image/webp': 'webp',
}

const READ_HERE = 'Please choose a JPEG, PNG or WebP picture.'

/** What to say of files that people take for pictures, by the beginning of their media type. */
const ADVICE: [type: RegExp, sentence: string][] = [
  [
    /^image\/hei[cf]/,
    'This is an HEIC photo, as iPhones take them. Share it as JPEG, or set Settings › Camera › Formats to “Most Compatible”.',
  ],
  [/^image\/svg/, 'This is an SVG drawing, which can hold programs. Save it as PNG and choose that.'],
  [/^image\/gif/, 'This is a GIF. Save it as PNG or JPEG and choose that.'],
  [/^image\/avif/, 'This is an AVIF picture. Save it as JPEG and choose that.'],
  [/^image\//, 'This kind of picture is not read here. Save it as JPEG and choose that.'],
  [/^application\/pdf/, 'This is a PDF. Take a photo or a screenshot of its picture and choose that.'],
  [/^video\//, 'This is a video. Choose a single picture.'],
]

/**
 * Tells the format by the content; the name and type that were sent along prove nothing.
 * @throws AppError WRONG_TYPE with a sentence that says what the file is and what to do
 */
export async function pictureKind(bytes: Uint8Array): Promise<PictureKind> {
  // 50 ms to load: with the first picture, not at every start of every process.
  const { fileTypeFromBuffer } = await import('file-type')
  const type = (await fileTypeFromBuffer(bytes))?.mime ?? 'text/plain'
  const kind = KINDS[type]
  if (kind) return kind
  const isText = type === 'text/plain' || type === 'application/xml'
  throw wrongKind(isText && looksLikeSvg(bytes) ? 'image/svg+xml' : type)
}

/** The refusal of a file of some media type, in words. */
export function wrongKind(type: string): AppError {
  const advice = ADVICE.find(([pattern]) => pattern.test(type))?.[1]
  const sentence = advice ?? `This file is not a picture that can be read. ${READ_HERE}`
  return new AppError('WRONG_TYPE', sentence, { fields: { image: sentence } })
}

// A prolog and comments may come first.
const SVG_WITHIN_BYTES = 4_096

function looksLikeSvg(bytes: Uint8Array): boolean {
  return /<svg[\s>]/i.test(Buffer.from(bytes.subarray(0, SVG_WITHIN_BYTES)).toString('latin1'))
}
