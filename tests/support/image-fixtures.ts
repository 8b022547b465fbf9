import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/*
 * Pictures made while testing: good ones of every kind a seller may have, and bad ones of every kind an attacker may
 * send. Sharp's loaders other than JPEG, PNG and WebP are blocked once the server's code ran; encoders are not.
 */

type Rgb = readonly [red: number, green: number, blue: number]
const RED: Rgb = [200, 30, 30]
const GREEN: Rgb = [30, 160, 60]
const BLUE: Rgb = [30, 60, 200]
const YELLOW: Rgb = [230, 210, 40]

/** The corners of every fixture, upright: red and green above, blue and yellow below. */
export const CORNERS = { topLeft: RED, topRight: GREEN, bottomLeft: BLUE, bottomRight: YELLOW }

type Point = (x: number, y: number) => [x: number, y: number]

/** Pixels of four coloured quarters. */
function quarters({ width, height }: { width: number; height: number }) {
  const left = Math.ceil(width / 2)
  const row = (a: Rgb, b: Rgb) =>
    Buffer.concat([Buffer.alloc(left * 3, Buffer.from(a)), Buffer.alloc((width - left) * 3, Buffer.from(b))])
  const [above, below] = [row(RED, GREEN), row(BLUE, YELLOW)]
  const rows = Array.from({ length: height }, (_, y) => (y < height / 2 ? above : below))
  return sharp(Buffer.concat(rows), { raw: { width, height, channels: 3 } })
}

/** The same as a camera stores them; `upright` tells where a stored pixel lies once the picture stands upright. */
function turnedQuarters(
  size: { width: number; height: number },
  stored: { width: number; height: number },
  upright: Point,
) {
  const pixels = Buffer.alloc(stored.width * stored.height * 3)
  for (let y = 0; y < stored.height; y += 1) {
    for (let x = 0; x < stored.width; x += 1) {
      const [uprightX, uprightY] = upright(x, y)
      const left = uprightX < size.width / 2
      const [above, below] = left ? [RED, BLUE] : [GREEN, YELLOW]
      pixels.set(uprightY < size.height / 2 ? above : below, (y * stored.width + x) * 3)
    }
  }
  return sharp(pixels, { raw: { ...stored, channels: 3 } })
}

type Size = { width?: number; height?: number }

export const jpeg = ({ width = 640, height = 480 }: Size = {}) =>
  quarters({ width, height }).jpeg().toBuffer()
export const png = ({ width = 640, height = 480 }: Size = {}) => quarters({ width, height }).png().toBuffer()
export const webp = ({ width = 640, height = 480 }: Size = {}) =>
  quarters({ width, height }).webp().toBuffer()
export const gif = () => quarters({ width: 64, height: 48 }).gif().toBuffer()
export const tiff = () => quarters({ width: 64, height: 48 }).tiff().toBuffer()
export const avif = () => quarters({ width: 64, height: 48 }).avif({ effort: 0 }).toBuffer()
export const cmykJpeg = () => quarters({ width: 640, height: 480 }).toColourspace('cmyk').jpeg().toBuffer()
export const deepPng = () => quarters({ width: 640, height: 480 }).toColourspace('rgb16').png().toBuffer()
export const greyPng = () => quarters({ width: 640, height: 480 }).toColourspace('b-w').png().toBuffer()

/** A picture that no encoder makes small. */
export function noise(size: { width: number; height: number }): Promise<Buffer> {
  const pixels = randomBytes(size.width * size.height * 3)
  return sharp(pixels, { raw: { ...size, channels: 3 } })
    .jpeg()
    .toBuffer()
}

/** A PNG whose upper half is see-through. */
export function clearPng(): Promise<Buffer> {
  const pixels = Buffer.alloc(64 * 64 * 4, 255)
  pixels.fill(0, 0, 64 * 32 * 4)
  return sharp(pixels, { raw: { width: 64, height: 64, channels: 4 } })
    .png()
    .toBuffer()
}

/** Three frames: the first is the four quarters, the others are plain. */
export async function animatedWebp(): Promise<Buffer> {
  const size = { width: 64, height: 48 }
  const plain = (background: string) =>
    sharp({ create: { ...size, channels: 3, background } })
      .png()
      .toBuffer()
  return sharp([await png(size), await plain('#000'), await plain('#fff')], { join: { animated: true } })
    .webp({ delay: 100, loop: 0 })
    .toBuffer()
}

const WIDTH = 60
const HEIGHT = 40
const [LAST_X, LAST_Y] = [WIDTH - 1, HEIGHT - 1]
/** Of each EXIF orientation: where a stored pixel of a 60 x 40 picture lies once it stands upright. */
const orientations: Record<number, { turned: boolean; upright: Point }> = {
  1: { turned: false, upright: (x, y) => [x, y] },
  2: { turned: false, upright: (x, y) => [LAST_X - x, y] },
  3: { turned: false, upright: (x, y) => [LAST_X - x, LAST_Y - y] },
  4: { turned: false, upright: (x, y) => [x, LAST_Y - y] },
  5: { turned: true, upright: (x, y) => [y, x] },
  6: { turned: true, upright: (x, y) => [LAST_X - y, x] },
  7: { turned: true, upright: (x, y) => [LAST_X - y, LAST_Y - x] },
  8: { turned: true, upright: (x, y) => [y, LAST_Y - x] },
}

/** As a camera writes it: 60 x 40 upright, turned by EXIF, with a place, a name and a colour profile. */
export async function photo({ orientation }: { orientation: number }): Promise<Buffer> {
  const { turned, upright } = orientations[orientation] ?? { turned: false, upright: (x, y) => [x, y] }
  const stored = turned ? { width: HEIGHT, height: WIDTH } : { width: WIDTH, height: HEIGHT }
  return turnedQuarters({ width: WIDTH, height: HEIGHT }, stored, upright)
    .withIccProfile('srgb')
    .withExif({
      IFD0: { Make: 'Yardcam', Model: 'CANARY-CAMERA', Artist: 'CANARY-PERSON' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '36/1 9/1 14/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '95/1 59/1 33/1',
      },
    })
    .withMetadata({ orientation })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">CANARY-XMP</x:xmpmeta>')
    .jpeg({ quality: 95 })
    .toBuffer()
}

/** A PNG of one bit a pixel, all black: 50 kB that decode to as many pixels as asked for. */
export function pixelBomb({ width, height }: { width: number; height: number }): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.writeUInt8(1, 8)
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

export const cutOff = (picture: Buffer) => picture.subarray(0, Math.floor(picture.length / 2))

/** A picture whose end is a page with a script: some readers take it for the one, some for the other. */
export const withPageBehind = (picture: Buffer) =>
  Buffer.concat([picture, Buffer.from('<html><script>alert("CANARY-SCRIPT")</script></html>')])

/** A JPEG with a script in its comment, where it stays inside a well-formed file. */
export function withScriptInside(picture: Buffer): Buffer {
  const text = Buffer.from('<script>alert("CANARY-SCRIPT")</script>')
  const head = Buffer.from([0xff, 0xfe, 0, text.length + 2])
  return Buffer.concat([picture.subarray(0, 2), head, text, picture.subarray(2)])
}

export const svg = () =>
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>')
export const svgWithProlog = () =>
  Buffer.concat([Buffer.from('<?xml version="1.0"?>\n<!-- drawn -->\n'), svg()])
export const html = () =>
  Buffer.from('<!doctype html><html><body onload="alert(1)">not a picture</body></html>')
export const pdf = () => Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF')
export const heic = () =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from('ftypheic'),
    Buffer.alloc(4),
    Buffer.from('mif1heic'),
    Buffer.alloc(64),
  ])
