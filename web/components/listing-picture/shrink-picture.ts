import { MAX_PICTURE_BYTES } from '#contract/listing/listing-rules.ts'
import { type DrawnPicture, drawPicture } from './draw-picture.ts'

/** The largest JPEGs from cameras are about 40 MB. */
const MAX_SOURCE_BYTES = 60 * 1024 * 1024

/** The file cannot be used as a picture; the message explains why and what to do. */
export class PictureProblem extends Error {
  override name = 'PictureProblem'
}

/** Formats that the server reads too, and formats of which some browsers make a JPEG. */
type PictureKind = 'jpeg' | 'png' | 'webp' | 'heic' | 'avif' | 'gif'
const serverKinds: readonly PictureKind[] = ['jpeg', 'png', 'webp']

const textAt = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to))

/** Detects the format from the first 12 bytes, because file names are unreliable. */
function kindOf(bytes: Uint8Array): PictureKind | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (bytes[0] === 0x89 && textAt(bytes, 1, 4) === 'PNG') return 'png'
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 12) === 'WEBP') return 'webp'
  if (textAt(bytes, 0, 4) === 'GIF8') return 'gif'
  const brand = textAt(bytes, 4, 8) === 'ftyp' ? textAt(bytes, 8, 12) : ''
  if (/^avi[fs]$/.test(brand)) return 'avif'
  return /^(heic|heix|hevc|mif1|msf1)$/.test(brand) ? 'heic' : undefined
}

type SourceFile = Pick<File, 'name' | 'size'>
const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** Why a file cannot be a picture, before anything is decoded; undefined if it may be one. */
export function sourceProblem({ name, size }: SourceFile, firstBytes: Uint8Array): string | undefined {
  if (size === 0) return `“${name}” is empty. Choose another picture.`
  if (size > MAX_SOURCE_BYTES) return `“${name}” is ${megabytes(size)}. Pictures can be up to 60 MB.`
  return kindOf(firstBytes) ? undefined : `“${name}” is not a picture. Choose a JPEG, PNG or WebP.`
}

/** Why a file that this browser cannot decode cannot be sent as it is; undefined if the server may read it. */
export function undecodedProblem({ name, size }: SourceFile, firstBytes: Uint8Array): string | undefined {
  const kind = kindOf(firstBytes)
  if (kind === 'heic') {
    return `“${name}” is a HEIC photo, which this browser can’t open. Save it as JPEG, or set Settings › Camera › Formats to “Most Compatible”.`
  }
  if (!kind || !serverKinds.includes(kind)) {
    return `This browser can’t open “${name}”. Save it as JPEG and choose it again.`
  }
  if (size <= MAX_PICTURE_BYTES) return undefined
  return `“${name}” is ${megabytes(size)}, and this browser can’t make it smaller. Pictures can be up to 10 MB.`
}

export type PreparedPicture = {
  /** What is uploaded. */
  file: File
  /** For its tile; undefined if this browser cannot show the picture. */
  thumb: Blob | undefined
}

let line: Promise<unknown> = Promise.resolve()

/**
 * Makes a file small enough to send: upright, without camera data, at most 2,000 pixels. A format that only the server can
 * read stays as it is. One picture at a time across all callers: decoded, a phone photo takes 50 to 200 MB.
 * @throws PictureProblem
 */
export function preparePicture(file: File): Promise<PreparedPicture> {
  const prepared = line.then(() => prepare(file))
  line = prepared.catch(() => undefined)
  return prepared
}

async function prepare(file: File): Promise<PreparedPicture> {
  const firstBytes = new Uint8Array(await file.slice(0, 12).arrayBuffer())
  refuseIf(sourceProblem(file, firstBytes))
  const drawn = await drawInWorker(file)
  if (!drawn) {
    refuseIf(undecodedProblem(file, firstBytes))
    return { file, thumb: undefined }
  }
  const { full, thumb } = drawn
  const { name, lastModified } = file
  return { file: new File([full], name, { type: full.type, lastModified }), thumb }
}

function refuseIf(sentence: string | undefined): void {
  if (sentence !== undefined) throw new PictureProblem(sentence)
}

let worker: Worker | undefined

/** An old phone needs some seconds; a worker that ran out of memory never replies. */
const MAX_DRAW_MS = 60_000

/** In a worker, because drawing stops a page for a tenth of a second even on a fast computer. */
async function drawInWorker(file: File): Promise<DrawnPicture | undefined> {
  if (typeof Worker === 'undefined') return drawPicture(file)
  worker ??= new Worker(new URL('./draw-worker.ts', import.meta.url), { type: 'module' })
  const drawing = worker
  const end = (): undefined => {
    drawing.terminate()
    worker = undefined
  }
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(end()), MAX_DRAW_MS)
    drawing.onmessage = ({ data }: MessageEvent<DrawnPicture | undefined>) => {
      clearTimeout(late)
      resolve(data)
    }
    // Its script could not be loaded, for example after a new release.
    drawing.onerror = () => {
      clearTimeout(late)
      end()
      resolve(drawPicture(file))
    }
    drawing.postMessage(file)
  })
}
