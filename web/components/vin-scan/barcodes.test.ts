import BarcodeFormat from '@zxing/library/esnext/core/BarcodeFormat.js'
import DataMatrixWriter from '@zxing/library/esnext/core/datamatrix/DataMatrixWriter.js'
import QRCodeWriter from '@zxing/library/esnext/core/qrcode/QRCodeWriter.js'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '#server/platform/seeded-random.ts'
import { blurred, code39, code128, drawStripes, type Picture } from '#tests/support/barcode-picture.ts'
import { readBarcodes } from './barcodes.ts'

const vin = '1HGCM82633A004352'
const frame = { width: 1100, height: 420, narrow: 3, high: 120 }

describe.each([
  ['Code 39', code39(`I${vin}`), `I${vin}`],
  ['Code 128', code128(vin), vin],
])('%s', (_name, stripes, text) => {
  test('is read, also upside down', () => {
    expect(readBarcodes(drawStripes(stripes, frame))).toEqual([text])
    expect(readBarcodes(drawStripes(stripes, { ...frame, degrees: 180 }))).toEqual([text])
  })

  test('is read from a gray label, out of focus, in poor light', () => {
    const chance = seededRandom('a label').next
    const label = drawStripes(stripes, { ...frame, degrees: 3, shades: [70, 140] })
    expect(readBarcodes(blurred(label, 20, chance))).toEqual([text])
  })

  test.each([90, 30, -45])('is read at %d degrees once the picture is rotated back', (degrees) => {
    const label = drawStripes(stripes, { ...frame, height: 1100, degrees })
    expect(readBarcodes(label)).toEqual([])
    expect(readBarcodes(label, -degrees)).toEqual([text])
  })
})

test('all codes of a label are read, not only the first', () => {
  const label = onTop(
    drawStripes(code128('7L3Z-13008'), { ...frame, height: 300 }),
    drawStripes(code39(vin), { ...frame, height: 300 }),
  )
  expect(readBarcodes(label).toSorted()).toEqual([vin, '7L3Z-13008'])
})

test.each([
  ['QR code', new QRCodeWriter(), BarcodeFormat.QR_CODE],
  ['Data Matrix', new DataMatrixWriter(), BarcodeFormat.DATA_MATRIX],
])('a %s is read', (_name, writer, format) => {
  const text = `VIN ${vin}`
  const squares = writer.encode(text, format, 0, 0, new Map())
  // A light border, four modules wide at 8 pixels each.
  const [edge, size] = [4, 8]
  const width = (squares.getWidth() + 2 * edge) * size
  const height = (squares.getHeight() + 2 * edge) * size
  const isDark = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < squares.getWidth() && y < squares.getHeight() && squares.get(x, y)
  const pixels = Uint8ClampedArray.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)]
    return isDark(Math.floor(x / size) - edge, Math.floor(y / size) - edge) ? 20 : 235
  })
  expect(readBarcodes({ pixels, width, height })).toEqual([text])
})

test('a picture without a barcode has no text', () => {
  const chance = seededRandom('a yard').next
  const plain = { pixels: new Uint8ClampedArray(640 * 480).fill(128), width: 640, height: 480 }
  expect(readBarcodes(plain)).toEqual([])
  expect(readBarcodes(blurred(plain, 120, chance))).toEqual([])
})

const onTop = (one: Picture, other: Picture): Picture => ({
  pixels: new Uint8ClampedArray([...one.pixels, ...other.pixels]),
  width: one.width,
  height: one.height + other.height,
})
