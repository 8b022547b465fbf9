import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { pino } from 'pino'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing } from '#contract/listings.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { openPicture } from '#server/features/market/pictures/open-picture.ts'
import { pictureKey } from '#server/features/market/pictures/picture-files.ts'
import { setPictureWidths } from '#server/features/market/pictures/picture-queries.ts'
import { storePictureWithSizes } from '#server/features/market/pictures/store-picture.ts'
import * as fixtures from '#tests/support/image-fixtures.ts'
import { formOf, pictureListing, someLookups } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const seller = await app.signUp()
const lookups = await someLookups(app.visitor)

type Upload = { bytes: Buffer; name?: string; type?: string }
const send = <T>(picture: Upload) =>
  seller.api.post<T>('/seller/parts', formOf(pictureListing(lookups), picture))

async function list(bytes: Buffer): Promise<Listing> {
  const answer = await send<Listing>({ bytes })
  expect(answer.status).toBe(201)
  return answer.body
}

const look = (url: string | null | undefined, headers?: Record<string, string>) =>
  app.visitor.get<ErrorReply | undefined>(url?.replace(/^\/api/, '') ?? '', headers)

async function shaOf(listing: Listing): Promise<string> {
  const row = await app.db
    .selectFrom('listing_image')
    .select('sha256')
    .where('listing_id', '=', listing.id)
    .executeTakeFirstOrThrow()
  return row.sha256 ?? ''
}

const countListings = async () => (await app.db.selectFrom('listing').select('id').execute()).length

async function keysOf(folder: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of app.files.list(folder)) keys.push(key)
  return keys
}

describe('an uploaded picture', () => {
  test('is returned as WebP, upright, without location and camera data', async () => {
    const listing = await list(await fixtures.photo({ orientation: 6 }))
    expect(listing.images).toMatchObject([{ width: 60, height: 40 }])
    const { status, bytes } = await look(listing.imageUrl)
    expect(status).toBe(200)
    const { format, width, height, exif, orientation } = await sharp(bytes).metadata()
    expect({ format, width, height, exif, orientation }).toEqual({ format: 'webp', width: 60, height: 40 })
    expect(bytes.includes('CANARY')).toBe(false)
  })

  test('has one address by listing and one by its own id, both with the content’s hash', async () => {
    const listing = await list(await fixtures.jpeg())
    const version = (await shaOf(listing)).slice(0, 12)
    const [image] = listing.images
    expect(listing.imageUrl).toBe(`/api/auto-part/image/${listing.id}?v=${version}`)
    expect(image?.url).toBe(`/api/auto-part/image/${image?.id}?v=${version}`)
    expect((await look(image?.url)).bytes).toEqual((await look(listing.imageUrl)).bytes)
  })

  test('is replaced by an edit, under a new address', async () => {
    const listing = await list(await fixtures.jpeg({ width: 300, height: 200 }))
    const form = formOf({}, { bytes: await fixtures.jpeg({ width: 310, height: 200 }) })
    const edited = await seller.api.put<Listing>(`/seller/parts/${listing.id}`, form)
    expect(edited.status).toBe(200)
    expect(edited.body.images).toMatchObject([{ width: 310 }])
    expect(edited.body.imageUrl).not.toBe(listing.imageUrl)
    expect((await sharp((await look(listing.imageUrl)).bytes).metadata()).width).toBe(310)
  })

  test.each([
    [
      'svg renamed png',
      async () => ({ bytes: fixtures.svg(), name: 'part.png', type: 'image/png' }),
      415,
      /SVG/,
    ],
    ['html renamed jpg', async () => ({ bytes: fixtures.html(), name: 'part.jpg' }), 415, /not a picture/],
    ['HEIC renamed jpg', async () => ({ bytes: fixtures.heic(), name: 'part.jpg' }), 415, /HEIC/],
    ['gif', async () => ({ bytes: await fixtures.gif(), name: 'a.gif', type: 'image/gif' }), 415, /GIF/],
    ['cut off', async () => ({ bytes: fixtures.cutOff(await fixtures.jpeg()) }), 422, /cut off/],
    [
      'pixel flood',
      async () => ({ bytes: fixtures.pixelBomb({ width: 20_000, height: 20_000 }) }),
      413,
      /megapixels/,
    ],
    ['more than 10 MB', async () => ({ bytes: Buffer.alloc(10 * 1024 * 1024 + 1) }), 413, /10 MB/],
  ])('%s is refused in words and leaves nothing behind', async (_, make, status, sentence) => {
    const before = { listings: await countListings(), files: (await keysOf('images')).length }
    const answer = await send<ErrorReply>(await make())
    expect(answer.status).toBe(status)
    expect(answer.body.error).toMatch(sentence)
    expect(await countListings()).toBe(before.listings)
    expect(await keysOf('images')).toHaveLength(before.files)
  })

  test('the content counts, whatever the name and type claim', async () => {
    const answer = await send<Listing>({
      bytes: await fixtures.webp(),
      name: '../../x.svg',
      type: 'text/html',
    })
    expect(answer.status).toBe(201)
    expect(await app.files.exists(pictureKey(await shaOf(answer.body)))).toBe(true)
    for (const key of await keysOf('images'))
      expect(key).toMatch(/^images\/[0-9a-f]{2}\/[0-9a-f]{64}(-\d+)?\.webp$/)
  })
})

describe('serving', () => {
  test('the headers make it an image whatever its bytes', async () => {
    const listing = await list(await fixtures.jpeg())
    const { headers } = await look(listing.imageUrl)
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(headers['content-disposition']).toMatch(/^inline; filename="part-[0-9a-f]{12}\.webp"$/)
  })

  test('is cached for a year under its versioned address, for a minute under others', async () => {
    const listing = await list(await fixtures.jpeg({ width: 300, height: 200 }))
    const path = `/auto-part/image/${listing.id}`
    const caching = async (url: string | null) => (await look(url)).headers['cache-control']
    expect(await caching(listing.imageUrl)).toBe('public, max-age=31536000, s-maxage=60, immutable')
    expect(await caching(`${listing.imageUrl}&width=440`)).toBe(
      'public, max-age=31536000, s-maxage=60, immutable',
    )
    expect(await caching(path)).toBe('public, max-age=60')
    expect(await caching(`${path}?v=000000000000`)).toBe('public, max-age=60')
    expect(await caching(`${path}?v=`)).toBe('public, max-age=60')
  })

  test('returns 304 when the client has it', async () => {
    const listing = await list(await fixtures.jpeg())
    const etag = String((await look(listing.imageUrl)).headers.etag)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await look(listing.imageUrl, { 'if-none-match': known })
      expect(again.status).toBe(304)
      expect(again.bytes).toHaveLength(0)
      expect(again.headers.etag).toBe(etag)
    }
    expect((await look(listing.imageUrl, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('returns the smallest stored width that is wide enough', async () => {
    const bytes = await fixtures.jpeg({ width: 1200, height: 900 })
    const listing = await list(bytes)
    const widthOf = async (asked: string) => {
      const answer = await look(`${listing.imageUrl}&width=${asked}`)
      return (await sharp(answer.bytes).metadata()).width
    }
    // Before the job ran only the original exists, and no client should cache that for a year.
    expect(await widthOf('440')).toBe(1200)
    expect((await look(`${listing.imageUrl}&width=440`)).headers['cache-control']).toBe('public, max-age=60')
    const { sha256, widths } = await storePictureWithSizes(app.files, bytes)
    await setPictureWidths(app.db, sha256, widths)
    expect(
      await Promise.all(['440', '220', '441', '900', '901', '99999', '-1', 'abc', ''].map(widthOf)),
    ).toEqual([440, 440, 900, 900, 1200, 1200, 1200, 1200, 1200])
    const small = await look(`${listing.imageUrl}&width=440`)
    expect(small.headers['cache-control']).toBe('public, max-age=31536000, s-maxage=60, immutable')
    expect(small.headers.etag).not.toBe((await look(listing.imageUrl)).headers.etag)
  })

  test('pictures of hidden and deleted listings are served to whoever has the address with its key: an img sends no token', async () => {
    const hidden = await list(await fixtures.jpeg())
    await withChangeSet(app.db, { actorKind: 'system', reason: 'hide listing' }, (trx) =>
      trx.updateTable('listing').set({ status: 'HIDDEN' }).where('id', '=', hidden.id).execute(),
    )
    expect((await app.visitor.get(`/auto-part/${hidden.partslug}`)).status).toBe(404)
    expect((await look(hidden.imageUrl)).status).toBe(404)
    const own = async (id: string) => (await seller.api.get<Listing>(`/seller/parts/${id}`)).body.imageUrl
    expect((await look(await own(hidden.id))).status).toBe(200)
    const deleted = await list(await fixtures.jpeg())
    await seller.api.delete(`/seller/parts/${deleted.id}`)
    expect((await look(deleted.imageUrl)).status).toBe(404)
  })

  test('anything that is not a picture is 404', async () => {
    const unknown = '0199aaaa-0000-7000-8000-000000000000'
    for (const id of [unknown, 'abc', '..%2f..%2fetc%2fpasswd', '%00']) {
      const answer = await look(`/auto-part/image/${id}`)
      expect([404, 400]).toContain(answer.status)
      expect(answer.headers['content-type']).toContain('application/json')
    }
    expect((await look(`/auto-part/image/${unknown}`)).body).toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a file that is missing', () => {
  test('is 404 in JSON, so that the page shows its drawing', async () => {
    const listing = await list(await fixtures.jpeg({ width: 200, height: 200 }))
    await app.files.delete(pictureKey(await shaOf(listing)))
    const answer = await look(listing.imageUrl)
    expect(answer.status).toBe(404)
    expect(answer.body).toMatchObject({ code: 'NOT_FOUND', error: 'There is no picture here.' })
    expect((await app.visitor.get(`/auto-part/${listing.partslug}`)).status).toBe(200)
  })

  test('is logged as an error; if only a smaller width is missing, the original is served', async () => {
    const bytes = await fixtures.jpeg({ width: 1200, height: 899 })
    const listing = await list(bytes)
    const { sha256, widths } = await storePictureWithSizes(app.files, bytes)
    await setPictureWidths(app.db, sha256, widths)
    await app.files.delete(pictureKey(sha256, 440))
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const request = { id: listing.id, width: 440, v: undefined, key: undefined, headers: {}, log }
    const { stream } = await openPicture(app.db, app.files, request)
    expect(Buffer.isBuffer(stream)).toBe(false)
    if (!Buffer.isBuffer(stream)) stream.destroy()
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, key: pictureKey(sha256, 440) }])

    await app.files.delete(pictureKey(sha256))
    await expect(openPicture(app.db, app.files, request)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(lines).toHaveLength(3)
  })
})

test('a full disk returns 507 in words, leaves no row or partial file and is ready to read only; it recovers once there is room', async ({
  skip,
}) => {
  // Only a folder fills a disk (`npm run chaos -- s3`).
  if (app.config.storage.kind !== 'fs') return skip()
  const { dir } = app.config.storage
  const run = promisify(execFile)
  await mkdir(dir, { recursive: true })
  const mount = run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'partharbor-test', dir])
  const mounted = await mount.then(
    () => true,
    () => false,
  )
  if (!mounted) skip('mounting a small disk needs root on Linux')
  const storageState = async () => {
    const answer = await app.http.inject({ url: '/readyz' })
    return [answer.statusCode, answer.json<{ checks: Record<string, string> }>().checks.storage]
  }
  try {
    await app.files.put('filler/most', new Uint8Array(1_000_000))
    const before = await countListings()
    const answer = await send<ErrorReply>({ bytes: await fixtures.noise({ width: 900, height: 900 }) })
    expect([answer.status, answer.body.code]).toEqual([507, 'STORAGE_FULL'])
    expect(answer.body.error).toBe('The file store is full, so nothing was saved. Please try again later.')
    expect(await countListings()).toBe(before)
    expect(await keysOf('images')).toEqual([])
    expect(await readdir(`${dir}/.parts`)).toEqual([])
    expect(await storageState()).toEqual([200, 'reading'])
    expect((await app.visitor.get('/list-auto-parts/1')).status).toBe(200)

    await app.files.delete('filler/most')
    expect(await storageState()).toEqual([200, 'ok'])
    expect((await send({ bytes: await fixtures.noise({ width: 900, height: 900 }) })).status).toBe(201)
  } finally {
    await run('umount', [dir])
  }
})
