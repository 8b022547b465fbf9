import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { AppError } from '#server/platform/errors.ts'
import * as fixtures from '#tests/support/image-fixtures.ts'
import { readPicture } from './read-picture.ts'

// Large pictures are drawn and encoded here, possibly on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

type Rgb = readonly [number, number, number]

async function pixelsOf(webp: Buffer) {
  const { data, info } = await sharp(webp).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number): Rgb => {
    const offset = (Math.floor(y) * info.width + Math.floor(x)) * info.channels
    return [data[offset] ?? -1, data[offset + 1] ?? -1, data[offset + 2] ?? -1]
  }
  return { at, ...info }
}

const distance = (a: Rgb, b: Rgb) => Math.max(...a.map((value, n) => Math.abs(value - (b[n] ?? 999))))

/** How far the center of each quarter is from the color it has in the upright picture. */
async function errorOfCorners(webp: Buffer): Promise<number> {
  const { at, width, height } = await pixelsOf(webp)
  const { topLeft, topRight, bottomLeft, bottomRight } = fixtures.CORNERS
  return Math.max(
    distance(at(width / 4, height / 4), topLeft),
    distance(at((width * 3) / 4, height / 4), topRight),
    distance(at(width / 4, (height * 3) / 4), bottomLeft),
    distance(at((width * 3) / 4, (height * 3) / 4), bottomRight),
  )
}

// Allows for compression and rounding between color spaces; a wrong corner is off by more than 100.
const SAME = 16

async function refusalOf(bytes: Buffer): Promise<AppError> {
  const error: unknown = await readPicture(bytes).then(
    () => new Error('the picture was accepted'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof AppError) return error
  throw error
}

describe('a good picture becomes our own WebP', () => {
  test.each([
    ['JPEG', () => fixtures.jpeg()],
    ['PNG', () => fixtures.png()],
    ['WebP', () => fixtures.webp()],
    ['PNG of 16 bits', fixtures.deepPng],
  ])('%s', async (_, make) => {
    const { webp, width, height, sha256 } = await readPicture(await make())
    expect({ width, height }).toEqual({ width: 640, height: 480 })
    expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(await sharp(webp).metadata()).toMatchObject({
      format: 'webp',
      width: 640,
      space: 'srgb',
      depth: 'uchar',
    })
    expect(await errorOfCorners(webp)).toBeLessThan(SAME)
  })

  test('CMYK from print files becomes sRGB', async () => {
    const bytes = await fixtures.cmykJpeg()
    expect((await sharp(bytes).metadata()).space).toBe('cmyk')
    const { webp } = await readPicture(bytes)
    expect((await sharp(webp).metadata()).space).toBe('srgb')
    // Ink cannot print these colors exactly: they come back duller, but red is still red.
    expect(await errorOfCorners(webp)).toBeLessThan(70)
  })

  test('gray stays gray', async () => {
    const { webp } = await readPicture(await fixtures.greyPng())
    const [red, green, blue] = (await pixelsOf(webp)).at(10, 10)
    expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(4)
  })

  test('the first frame of an animation is kept', async () => {
    const bytes = await fixtures.animatedWebp()
    expect((await sharp(bytes).metadata()).pages).toBe(3)
    const { webp, height } = await readPicture(bytes)
    expect(height).toBe(48)
    expect((await sharp(webp).metadata()).pages ?? 1).toBe(1)
    expect(await errorOfCorners(webp)).toBeLessThan(SAME)
  })

  test('transparency is kept', async () => {
    const { webp } = await readPicture(await fixtures.clearPng())
    expect((await sharp(webp).metadata()).hasAlpha).toBe(true)
  })

  test.each([
    [3000, 2000, 1600, 1067],
    [2000, 3000, 1067, 1600],
    [1600, 1200, 1600, 1200],
    [40, 30, 40, 30],
  ])('%i x %i is kept as %i x %i', async (width, height, keptWidth, keptHeight) => {
    const kept = await readPicture(await fixtures.jpeg({ width, height }))
    expect({ width: kept.width, height: kept.height }).toEqual({ width: keptWidth, height: keptHeight })
  })

  test('the same picture always has the same hash', async () => {
    const bytes = await fixtures.jpeg()
    expect((await readPicture(bytes)).sha256).toBe((await readPicture(bytes)).sha256)
  })
})

describe('a photo loses its location and is upright', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('EXIF orientation %i', async (orientation) => {
    const bytes = await fixtures.photo({ orientation })
    expect((await sharp(bytes).metadata()).orientation).toBe(orientation)
    const { webp, width, height } = await readPicture(bytes)
    expect({ width, height }).toEqual({ width: 60, height: 40 })
    expect(await errorOfCorners(webp)).toBeLessThan(2 * SAME)
  })

  test('only pixels are left', async () => {
    const bytes = await fixtures.photo({ orientation: 6 })
    const before = await sharp(bytes).metadata()
    expect(before).toMatchObject({
      exif: expect.any(Buffer),
      icc: expect.any(Buffer),
      xmp: expect.any(Buffer),
    })
    expect(bytes.includes('CANARY-CAMERA')).toBe(true)
    const { webp } = await readPicture(bytes)
    const { exif, icc, xmp, iptc, orientation } = await sharp(webp).metadata()
    expect({ exif, icc, xmp, iptc, orientation }).toEqual({})
    expect(webp.includes('CANARY')).toBe(false)
    expect(webp.includes('EXIF')).toBe(false)
    expect(webp.includes('XMP ')).toBe(false)
  })
})

describe('only pixels are stored', () => {
  test.each([
    ['a page after a JPEG', async () => fixtures.withPageBehind(await fixtures.jpeg())],
    ['a page after a PNG', async () => fixtures.withPageBehind(await fixtures.png())],
    ['a script in a JPEG’s comment', async () => fixtures.withScriptInside(await fixtures.jpeg())],
  ])('%s does not survive re-encoding', async (_, make) => {
    const bytes = await make()
    expect(bytes.includes('CANARY-SCRIPT')).toBe(true)
    const { webp } = await readPicture(bytes)
    expect(webp.includes('CANARY-SCRIPT')).toBe(false)
    expect(await errorOfCorners(webp)).toBeLessThan(SAME)
  })

  test.each([
    ['svg renamed png', fixtures.svg, /SVG drawing.*PNG/],
    ['svg with a prolog', fixtures.svgWithProlog, /SVG drawing.*PNG/],
    ['html renamed jpg', fixtures.html, /not a picture.*JPEG, PNG or WebP/],
    ['HEIC of an iPhone', fixtures.heic, /HEIC.*Most Compatible/],
    ['gif', fixtures.gif, /GIF.*PNG or JPEG/],
    ['tiff', fixtures.tiff, /Save it as JPEG/],
    ['avif', fixtures.avif, /AVIF.*JPEG/],
    ['pdf', fixtures.pdf, /PDF/],
    ['nothing', () => Buffer.alloc(0), /not a picture/],
    ['one byte', () => Buffer.from([0xff]), /not a picture/],
    ['text', () => Buffer.from('partname,partprice\n'), /not a picture/],
  ])('%s is refused with advice', async (_, make, sentence) => {
    const error = await refusalOf(await make())
    expect(error.code).toBe('WRONG_TYPE')
    expect(error.message).toMatch(sentence)
    expect(error.fields).toEqual({ image: error.message })
  })

  test('only our three decoders are enabled in this process', async () => {
    await readPicture(await fixtures.jpeg())
    for (const bytes of [
      fixtures.svg(),
      await fixtures.gif(),
      await fixtures.tiff(),
      await fixtures.avif(),
    ]) {
      await expect(sharp(bytes).metadata()).rejects.toThrow('unsupported image format')
    }
    await expect(sharp('tests/support/nowhere.svg').metadata()).rejects.toThrow()
  })

  test.each([
    ['JPEG', [0xff, 0xd8, 0xff, 0xe0]],
    ['PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
    ['WebP', [...Buffer.from('RIFF\0\0\0\0WEBPVP8 ')]],
  ])('the signature of a %s before other content is not enough', async (_, head) => {
    const error = await refusalOf(Buffer.concat([Buffer.from(head), fixtures.html(), Buffer.alloc(500)]))
    expect(['WRONG_TYPE', 'VALIDATION_FAILED']).toContain(error.code)
    expect(error.fields).toEqual({ image: error.message })
  })
})

describe('a damaged picture is refused with a sentence', () => {
  test.each([
    ['JPEG', async () => fixtures.cutOff(await fixtures.jpeg({ width: 1000, height: 750 }))],
    ['PNG', async () => fixtures.cutOff(await fixtures.png({ width: 1000, height: 750 }))],
    ['WebP', async () => fixtures.cutOff(await fixtures.webp({ width: 1000, height: 750 }))],
  ])('a truncated %s', async (_, make) => {
    const error = await refusalOf(await make())
    expect(error.code).toBe('VALIDATION_FAILED')
    expect(error.message).toMatch(/damaged or was cut off/)
    expect(error.fields).toEqual({ image: error.message })
  })

  test('a PNG with pixels changed in transit', async () => {
    const bytes = await fixtures.png({ width: 300, height: 300 })
    bytes.fill(0x55, 1_000, 1_040)
    expect((await refusalOf(bytes)).code).toBe('VALIDATION_FAILED')
  })
})

describe('an oversized picture is refused before it is decoded', () => {
  test.each([
    ['20,000 x 20,000 in 50 kB', { width: 20_000, height: 20_000 }],
    ['a strip', { width: 400_000, height: 101 }],
    ['just above the limit', { width: 8_001, height: 5_000 }],
  ])('%s', async (_, size) => {
    const bytes = fixtures.pixelBomb(size)
    const startedAt = performance.now()
    const error = await refusalOf(bytes)
    expect(error.code).toBe('TOO_LARGE')
    expect(error.message).toContain('40 megapixels')
    expect(error.fields).toEqual({ image: error.message })
    // Reading the header takes milliseconds; decoding the largest picture takes many seconds, even more on a busy machine.
    expect(performance.now() - startedAt).toBeLessThan(3_000)
  })

  test('a picture of 40 megapixels is read', async () => {
    const { width, height } = await readPicture(fixtures.pixelBomb({ width: 8_000, height: 5_000 }))
    expect({ width, height }).toEqual({ width: 1600, height: 1000 })
  })

  test('a file over 10 MB is refused unread', async () => {
    const error = await refusalOf(Buffer.concat([await fixtures.jpeg(), Buffer.alloc(10 * 1024 * 1024)]))
    expect(error).toMatchObject({ code: 'TOO_LARGE', message: expect.stringContaining('10 MB') })
  })
})

test('a crowd is turned away before memory fills up, and those in line are served', async () => {
  const bytes = await fixtures.png({ width: 320, height: 240 })
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => readPicture(bytes)))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(results.length - refused.length).toBeGreaterThanOrEqual(22)
  expect(refused.length).toBeGreaterThan(0)
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'BUSY', retryAfterSeconds: 2 })
})
