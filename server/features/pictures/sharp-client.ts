import type { Sharp, SharpOptions } from 'sharp'
import { waitingLine } from '#server/platform/processes/concurrency.ts'

/** What is read of a picture's head, before anything of it is decoded. */
export type PictureHead = { format: string; width: number; height: number }
export type Webp = { webp: Buffer; width: number; height: number }

/** 40 megapixels: more than a phone's usual 12 or 24, while a bomb of 20,000 x 20,000 would take 1.6 GB to decode. */
export const MAX_PIXELS = 40_000_000

// Two at once take 0.6 GB at the very worst (40 megapixels of 16 bits, interlaced; a photo of a phone takes 60 MB), and
// two of the four threads that password hashes and files share. Those in line hold at most 10 MB each.
const inLine = waitingLine({ atOnce: 2, waiting: 20 })

// The dearest picture we accept takes about 2 s; one that takes longer was made to.
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

/** The native library takes 0.15 s to load: with the first picture, not at every start of every process. */
function loadSharp(): Promise<SharpModule> {
  loading ??= import('sharp').then((module) => restrict(module.default))
  return loading
}

/** Holds for the whole process. Files that come from people reach three decoders and no other of the library's dozen. */
function restrict(library: SharpModule): SharpModule {
  library.block({ operation: ['VipsForeignLoad'] })
  library.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
  })
  // No picture is read twice, so a cache would only hold memory.
  library.cache(false)
  // Many small pictures at once, not one big one as fast as possible.
  library.concurrency(1)
  return library
}

/** Reads format and size. Throws where the bytes are no picture of a format that is open. */
export async function readHead(bytes: Uint8Array): Promise<PictureHead> {
  const library = await loadSharp()
  // The caller puts the size into words; decoding has the limit again.
  const { format, width, height } = await library(bytes, { ...READING, limitInputPixels: false }).metadata()
  return { format, width, height }
}

/**
 * Decodes a picture and encodes it anew as WebP: upright, sRGB with 8 bits, without any metadata (camera, place,
 * thumbnail, colour profile), no side longer than `longestSide`. Throws where it cannot be decoded to its end.
 */
export function encodeWebp(bytes: Uint8Array, { longestSide }: { longestSide: number }): Promise<Webp> {
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

async function encode(picture: Sharp): Promise<Webp> {
  const { data, info } = await picture
    .toColourspace('srgb')
    .webp(WEBP)
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer({ resolveWithObject: true })
  return { webp: data, width: info.width, height: info.height }
}
