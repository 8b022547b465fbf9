import { createHash } from 'node:crypto'
import type { Sharp, SharpOptions, WebpOptions } from 'sharp'
import { MAX_PICTURE_BYTES } from '#contract/listing/listing-rules.ts'
import { AppError } from '#server/platform/errors.ts'
import { taskQueue } from '#server/platform/processes/concurrency.ts'
import { LONGEST_SIDE, smallerWidths } from './picture-files.ts'

/** A supported format, by the decoder's name. */
type PictureKind = 'jpeg' | 'png' | 'webp'

const KINDS: Record<string, PictureKind> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  // An animated PNG, whose first frame is used.
  'image/apng': 'png',
  'image/webp': 'webp',
}

const READ_HERE = 'Please choose a JPEG, PNG or WebP picture.'

/** Advice for other files that people upload as pictures, by media type. */
const ADVICE: [type: RegExp, sentence: string][] = [
  [
    /^image\/hei[cf]/,
    'This is an HEIC photo, as iPhones take them. Share it as JPEG, or set Settings › Camera › Formats to “Most Compatible”.',
  ],
  [/^image\/svg/, 'This is an SVG drawing, which can contain scripts. Save it as PNG and choose that.'],
  [/^image\/gif/, 'This is a GIF. Save it as PNG or JPEG and choose that.'],
  [/^image\/avif/, 'This is an AVIF picture. Save it as JPEG and choose that.'],
  [/^image\//, 'This kind of picture is not supported. Save it as JPEG and choose that.'],
  [/^application\/pdf/, 'This is a PDF. Take a photo or a screenshot of its picture and choose that.'],
  [/^video\//, 'This is a video. Choose a single picture.'],
]

/**
 * Detects the format from the content; the file name and type that were sent prove nothing.
 * @throws AppError WRONG_TYPE with a sentence that explains what the file is and what to do
 */
async function pictureKind(bytes: Uint8Array): Promise<PictureKind> {
  // Takes 50 ms to load: with the first picture, not at every process start.
  const { fileTypeFromBuffer } = await import('file-type')
  const type = (await fileTypeFromBuffer(bytes))?.mime ?? 'text/plain'
  const kind = KINDS[type]
  if (kind) return kind
  const isText = type === 'text/plain' || type === 'application/xml'
  throw wrongKind(isText && looksLikeSvg(bytes) ? 'image/svg+xml' : type)
}

/** The error for a file of an unsupported media type. */
function wrongKind(type: string): AppError {
  const advice = ADVICE.find(([pattern]) => pattern.test(type))?.[1]
  const sentence = advice ?? `This file is not a picture that we can read. ${READ_HERE}`
  return new AppError('WRONG_TYPE', sentence, { fields: { image: sentence } })
}

// A prolog and comments may come first.
const SVG_WITHIN_BYTES = 4_096

function looksLikeSvg(bytes: Uint8Array): boolean {
  return /<svg[\s>]/i.test(Buffer.from(bytes.subarray(0, SVG_WITHIN_BYTES)).toString('latin1'))
}

/** Read from the header, before anything is decoded. */
type PictureHead = { format: string; width: number; height: number }
type Webp = { webp: Buffer; width: number; height: number }

/** 40 megapixels: more than a phone's usual 12 or 24, while a bomb of 20,000 x 20,000 would take 1.6 GB to decode. */
const MAX_PIXELS = 40_000_000

// Two at once take 0.6 GB at worst (40 megapixels of 16 bits, interlaced; a phone photo takes 60 MB) and two of Node's
// four shared threads. Waiting pictures take at most 10 MB each.
const inLine = taskQueue({ atOnce: 2, waiting: 20 })

// The most expensive picture we accept takes about 2 s; one that takes longer is an attack.
const TIMEOUT_SECONDS = 20
// Looks the same as the original at the size of a page, at about a third of a JPEG's bytes.
const WEBP = { quality: 80, smartSubsample: true } as const

const READING = {
  limitInputPixels: MAX_PIXELS,
  // Photos of old cameras often carry harmless warnings; damaged or cut-off pixels are refused.
  failOn: 'error',
  // The first frame of an animation.
  pages: 1,
  autoOrient: true,
} as const satisfies SharpOptions

type SharpModule = typeof import('sharp').default
let loading: Promise<SharpModule> | undefined

/** The native library takes 0.15 s to load: with the first picture, not at every process start. */
function loadSharp(): Promise<SharpModule> {
  loading ??= import('sharp').then((module) => restrict(module.default))
  return loading
}

/** Restricts the whole process to three of the library's dozen decoders. */
function restrict(library: SharpModule): SharpModule {
  library.block({ operation: ['VipsForeignLoad'] })
  library.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
  })
  // No picture is read twice, so a cache would only waste memory.
  library.cache(false)
  // One thread per picture: many small pictures run at once.
  library.concurrency(1)
  return library
}

const SVG_DECODER = { operation: ['VipsForeignLoadSvgBuffer'] }
let drawing: Promise<unknown> = Promise.resolve()

export type DrawnPicture = ReadPicture & { smaller: { width: number; webp: Buffer }[] }

// A few flat colors need neither sharp color edges nor a long search, which take four times as long.
const WEBP_OF_DRAWING = { quality: 80, effort: 2 } as const

/**
 * Renders our own SVGs, with all their smaller widths. The SVG decoder is blocked for the whole process except during this
 * call, because uploads must never reach it. Calls run one at a time, so that none blocks the decoder during another.
 */
export function drawSvgs(
  svgs: readonly string[],
  { density, size }: { density: number; size: { width: number; height: number } },
): Promise<DrawnPicture[]> {
  const drawn = drawing.then(async () => {
    const library = await loadSharp()
    library.unblock(SVG_DECODER)
    const draw = (svg: string, wanted: { width: number; height?: number }) =>
      encode(library(Buffer.from(svg), { density }).resize(wanted), WEBP_OF_DRAWING)
    try {
      return await Promise.all(
        svgs.map(async (svg) => {
          const picture = await draw(svg, size)
          const widths = smallerWidths(picture.width)
          const smaller = widths.map(async (width) => ({ width, webp: (await draw(svg, { width })).webp }))
          return { ...hashed(picture), smaller: await Promise.all(smaller) }
        }),
      )
    } finally {
      library.block(SVG_DECODER)
    }
  })
  drawing = drawn.catch(() => undefined)
  return drawn
}

/** Reads format and size. Throws if the bytes are not a picture of a supported format. */
async function readHead(bytes: Uint8Array): Promise<PictureHead> {
  const library = await loadSharp()
  // No limit here, so that the caller can report the size; decoding applies the limit.
  const { format, width, height } = await library(bytes, { ...READING, limitInputPixels: false }).metadata()
  return { format, width, height }
}

/**
 * Decodes a picture and encodes it as WebP: upright, sRGB with 8 bits, without any metadata (camera, location, thumbnail,
 * color profile), no side longer than `longestSide`. Throws if it cannot be decoded completely.
 */
function encodeWebp(bytes: Uint8Array, { longestSide }: { longestSide: number }): Promise<Webp> {
  return inLine(async () => {
    const library = await loadSharp()
    const size = { width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true } as const
    return encode(library(bytes, READING).resize(size))
  })
}

/** A smaller copy of a WebP that we made. */
export function shrinkWebp(webp: Uint8Array, width: number): Promise<Webp> {
  return inLine(async () => {
    const library = await loadSharp()
    return encode(library(webp, READING).resize({ width, withoutEnlargement: true }))
  })
}

/** A WebP that we made, as JPEG, for readers who take no WebP. */
export function jpegOf(
  webp: Uint8Array,
  { longestSide, quality }: { longestSide: number; quality: number },
): Promise<Buffer> {
  return inLine(async () => {
    const library = await loadSharp()
    const size = { width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true } as const
    return library(webp, READING)
      .resize(size)
      .toColourspace('srgb')
      .jpeg({ quality })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer()
  })
}

async function encode(picture: Sharp, options: WebpOptions = WEBP): Promise<Webp> {
  const { data, info } = await picture
    .toColourspace('srgb')
    .webp(options)
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer({ resolveWithObject: true })
  return { webp: data, width: info.width, height: info.height }
}

/** A re-encoded picture; `sha256` is the hash of `webp` in hexadecimal digits. */
export type ReadPicture = Webp & { sha256: string }

/**
 * Reads an untrusted picture and re-encodes it. Only pixels go into the new file, so anything else in the old one (a
 * location, a script, an appended file) is lost.
 * @throws AppError TOO_LARGE (bytes or pixels), WRONG_TYPE (not JPEG, PNG or WebP), VALIDATION_FAILED (damaged); each
 * with the sentence under `fields.image` too
 */
export async function readPicture(bytes: Uint8Array): Promise<ReadPicture> {
  if (bytes.length > MAX_PICTURE_BYTES) {
    throw refused('TOO_LARGE', 'The picture is larger than 10 MB. Please choose a smaller one.')
  }
  const kind = await pictureKind(bytes)
  const head = await readHead(bytes).catch((cause: unknown) => {
    throw damagedPicture(cause)
  })
  if (head.format !== kind) throw wrongKind(`image/${head.format}`)
  refuseTooManyPixels(head)
  const picture = await encodeWebp(bytes, { longestSide: LONGEST_SIDE }).catch((error: unknown) => {
    throw error instanceof AppError ? error : damagedPicture(error)
  })
  return hashed(picture)
}

const hashed = (picture: Webp): ReadPicture => ({
  ...picture,
  sha256: createHash('sha256').update(picture.webp).digest('hex'),
})

function refuseTooManyPixels({ width, height }: PictureHead): void {
  if (width * height <= MAX_PIXELS) return
  const megapixels = MAX_PIXELS / 1_000_000
  throw refused(
    'TOO_LARGE',
    `The picture has ${width} x ${height} pixels; the maximum is ${megapixels} megapixels (such as 7,300 x 5,400). Please make it smaller.`,
  )
}

const damagedPicture = (cause: unknown) =>
  refused(
    'VALIDATION_FAILED',
    'The picture is damaged or was cut off in the upload. Please choose it again, or another one.',
    cause,
  )

const refused = (code: 'TOO_LARGE' | 'VALIDATION_FAILED', sentence: string, cause?: unknown) =>
  new AppError(code, sentence, { fields: { image: sentence }, cause })
