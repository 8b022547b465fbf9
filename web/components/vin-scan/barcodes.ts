import BinaryBitmap from '@zxing/library/esnext/core/BinaryBitmap.js'
import BitArray from '@zxing/library/esnext/core/common/BitArray.js'
import HybridBinarizer from '@zxing/library/esnext/core/common/HybridBinarizer.js'
import DecodeHintType from '@zxing/library/esnext/core/DecodeHintType.js'
import DataMatrixReader from '@zxing/library/esnext/core/datamatrix/DataMatrixReader.js'
import Code39Reader from '@zxing/library/esnext/core/oned/Code39Reader.js'
import Code128Reader from '@zxing/library/esnext/core/oned/Code128Reader.js'
import QRCodeReader from '@zxing/library/esnext/core/qrcode/QRCodeReader.js'
import RGBLuminanceSource from '@zxing/library/esnext/core/RGBLuminanceSource.js'

/*
 * Reads the barcodes of VIN labels in browsers that have no reader of their own. The library's files are imported one by one:
 * as a whole it is four times as large and cannot be tree-shaken.
 */

/** A byte of brightness for each pixel, row by row. */
export type GrayPicture = { pixels: Uint8ClampedArray; width: number; height: number }

const hints = new Map([[DecodeHintType.TRY_HARDER, true]])
const stripes = [new Code128Reader(), new Code39Reader()]
const squares = [new QRCodeReader(), new DataMatrixReader()]

/** The texts of the barcodes in a picture, rotated by `degrees` first: lines are only read from left to right. */
export function readBarcodes(picture: GrayPicture, degrees = 0): string[] {
  // The library throws for every line without a code, hundreds of times a picture; to record where takes 40% of the time.
  const errors: { stackTraceLimit?: number | undefined } = Error
  const { stackTraceLimit } = errors
  errors.stackTraceLimit = 0
  try {
    return textsIn(picture, degrees)
  } finally {
    errors.stackTraceLimit = stackTraceLimit
  }
}

function textsIn(picture: GrayPicture, degrees: number): string[] {
  const { pixels, width, height } = degrees === 0 ? picture : rotated(picture, degrees)
  const bitmap = new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(pixels, width, height)))
  const texts = new Set(readStripes(bitmap))
  // Square codes are found at any angle.
  if (degrees === 0) {
    for (const reader of squares) {
      const text = textOf(() => reader.decode(bitmap, hints).getText())
      if (text !== undefined) texts.add(text)
    }
  }
  return [...texts]
}

// Enough lines that one crosses every barcode.
const LINES = 160

/**
 * Reads every line. The library itself stops at the first code, but a label has others besides the VIN.
 */
function* readStripes(bitmap: BinaryBitmap): Generator<string> {
  const step = Math.max(1, Math.floor(bitmap.getHeight() / LINES))
  const line = new BitArray(bitmap.getWidth())
  for (let y = 0; y < bitmap.getHeight(); y += step) {
    const bits = textOf(() => bitmap.getBlackRow(y, line))
    if (bits) yield* readLine(bits, y)
  }
}

function* readLine(bits: BitArray, y: number): Generator<string> {
  // From the left, then upside down.
  for (let direction = 0; direction < 2; direction += 1) {
    for (const reader of stripes) {
      const text = textOf(() => reader.decodeRow(y, bits, hints).getText())
      if (text !== undefined) yield text
    }
    bits.reverse()
  }
}

/** The library throws if there is nothing to read. */
function textOf<Read>(read: () => Read): Read | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The picture rotated around its center, with white corners. */
function rotated({ pixels, width, height }: GrayPicture, degrees: number): GrayPicture {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  const wide = Math.ceil(Math.abs(width * cos) + Math.abs(height * sin))
  const high = Math.ceil(Math.abs(width * sin) + Math.abs(height * cos))
  const result = new Uint8ClampedArray(wide * high).fill(255)
  for (let y = 0; y < high; y += 1) {
    const dy = y - high / 2
    // Where the line begins, in the middle of a pixel.
    const beginX = width / 2 - sin * dy - (cos * wide) / 2 + 0.5
    const beginY = height / 2 + cos * dy - (sin * wide) / 2 + 0.5
    for (let x = 0; x < wide; x += 1) {
      const fromX = Math.floor(beginX + cos * x)
      const fromY = Math.floor(beginY + sin * x)
      if (fromX < 0 || fromX >= width || fromY < 0 || fromY >= height) continue
      result[y * wide + x] = pixels[fromY * width + fromX] ?? 255
    }
  }
  return { pixels: result, width: wide, height: high }
}
