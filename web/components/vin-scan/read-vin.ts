import { isCheckDigitRight, vinInBarcode } from '#contract/vehicle/vin-rules.ts'
import type { GrayPicture } from './barcodes.ts'

/** The browser's own barcode reader. */
type Detector = { detect: (picture: Picture) => Promise<{ rawValue: string }[]> }
type DetectorClass = {
  new (options: { formats: string[] }): Detector
  getSupportedFormats: () => Promise<string[]>
}

type Picture = HTMLVideoElement | ImageBitmap

/** The VIN found in a picture, or whether there is only another barcode. */
type Seen = { vin?: string | undefined; isOther: boolean }

const VIN_FORMATS = ['code_39', 'code_128', 'qr_code', 'data_matrix']

// A hand-held picture is rarely straight, and lines are only read within about 6 degrees.
const ANGLES_OF_VIDEO = [0, 10, 0, -10, 0, 90, 0, 20, 0, -20]
const ANGLES_OF_PHOTO = [0, 90, ...[10, -10, 20, -20, 30, -30, 40, -40, 50, -50, 60, -60, 70, -70, 80, -80]]

/** Reads VINs in pictures, with the browser's own barcode reader if it knows the formats on labels, otherwise with ours. */
export class VinReader {
  #turn = 0
  /** A VIN with a wrong check digit may be misread: Code 39 has no checksum of its own. */
  #doubted: string | undefined
  #detector: Promise<Detector | undefined> | undefined

  /** Reads one frame of a video. A VIN with a wrong check digit has to be read twice. */
  async read(video: HTMLVideoElement): Promise<Seen> {
    const degrees = ANGLES_OF_VIDEO[this.#turn % ANGLES_OF_VIDEO.length]
    this.#turn += 1
    const texts = await this.#textsOf(video, degrees)
    const { sure, doubted } = vinsOf(texts)
    if (sure !== undefined) return { vin: sure, isOther: false }
    if (doubted !== undefined && doubted === this.#doubted) return { vin: doubted, isOther: false }
    this.#doubted = doubted ?? this.#doubted
    return { isOther: texts.length > 0 && doubted === undefined }
  }

  /** Reads a photo: a single picture, which may be rotated by any angle. */
  async readPhoto(photo: ImageBitmap): Promise<string | undefined> {
    let second: string | undefined
    for (const degrees of ANGLES_OF_PHOTO) {
      const { sure, doubted } = vinsOf(await this.#textsOf(photo, degrees))
      if (sure !== undefined) return sure
      second ??= doubted
      // The browser's own reader finds a code at any angle.
      if (await this.#browsersOwn()) break
    }
    return second
  }

  async #textsOf(picture: Picture, degrees: number | undefined): Promise<string[]> {
    const own = await this.#browsersOwn()
    if (own) return (await own.detect(picture)).map(({ rawValue }) => rawValue)
    const { readBarcodes } = await import('./barcodes.ts')
    return readBarcodes(grayOf(picture), degrees)
  }

  #browsersOwn(): Promise<Detector | undefined> {
    this.#detector ??= findDetector().catch(() => undefined)
    return this.#detector
  }
}

async function findDetector(): Promise<Detector | undefined> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  const known = (await BarcodeDetector?.getSupportedFormats()) ?? []
  if (!BarcodeDetector || !known.includes('code_39')) return undefined
  return new BarcodeDetector({ formats: VIN_FORMATS.filter((format) => known.includes(format)) })
}

function vinsOf(texts: readonly string[]): { sure: string | undefined; doubted: string | undefined } {
  const vins = texts.map(vinInBarcode).filter((vin) => vin !== undefined)
  return { sure: vins.find(isCheckDigitRight), doubted: vins[0] }
}

// Three pixels per narrow bar if the label fills two thirds of the picture; more only takes longer.
const WIDEST = 1_600

function grayOf(picture: Picture): GrayPicture {
  const isVideo = 'videoWidth' in picture
  const full = isVideo
    ? { width: picture.videoWidth, height: picture.videoHeight }
    : { width: picture.width, height: picture.height }
  const scale = Math.min(1, WIDEST / Math.max(full.width, full.height))
  const [width, height] = [Math.round(full.width * scale), Math.round(full.height * scale)]
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('this browser cannot draw')
  context.drawImage(picture, 0, 0, width, height)
  const { data } = context.getImageData(0, 0, width, height)
  const pixels = new Uint8ClampedArray(width * height)
  for (let at = 0; at < pixels.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = [data[at * 4], data[at * 4 + 1], data[at * 4 + 2]]
    pixels[at] = (red + 2 * green + blue) / 4
  }
  return { pixels, width, height }
}
