import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing } from '#contract/listings.ts'
import type { OwnPicture, PictureList } from '#contract/pictures.ts'
import type { ApiClient } from '#tests/support/api-client.ts'
import { formOf, makePictureListing, makeQuickListing } from '#tests/support/make-rows.ts'
import { changesOf } from '#tests/support/promotions.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* The pictures of a listing, up to 24 in order. */

const app = await startTestApp()
const seller = await app.signUp()
const { api } = seller

/** A small picture of its own for each number below 64; colors that are closer become the same WebP. */
function picture(number: number): Promise<Buffer> {
  const background = {
    r: (number % 4) * 64,
    g: (Math.floor(number / 4) % 4) * 64,
    b: Math.floor(number / 16) * 64,
  }
  return sharp({ create: { width: 24, height: 16, channels: 3, background } })
    .png()
    .toBuffer()
}

/** Four uploads run at once; others get a 503 and try again. */
async function add(
  listingId: string,
  number: number,
  { by = api, key, alt }: { by?: ApiClient; key?: string; alt?: string } = {},
) {
  const form = formOf({}, { bytes: await picture(number) })
  if (alt !== undefined) form.append('alt', alt)
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  for (;;) {
    const answer = await by.post<OwnPicture>(`/listings/${listingId}/pictures`, form, headers)
    if (answer.status !== 503) return answer
  }
}

async function listingWith(count: number): Promise<{ id: string; slug: string; ids: string[] }> {
  const { id, partslug } = await makeQuickListing(api)
  const ids: string[] = []
  for (let number = 0; number < count; number++) ids.push((await add(id, number)).body.id)
  return { id, slug: partslug, ids }
}

const list = async (listingId: string) =>
  (await api.get<PictureList>(`/listings/${listingId}/pictures`)).body.pictures
const idsOf = async (listingId: string) => (await list(listingId)).map(({ id }) => id)
const order = (listingId: string, ids: (string | undefined)[]) =>
  api.put<PictureList & ErrorReply>(`/listings/${listingId}/pictures/order`, { ids })
const publicly = async (slug: string) => (await app.visitor.get<Listing>(`/auto-part/${slug}`)).body

describe('adding', () => {
  test('adds the picture after the others, with its description', async () => {
    const { id, partslug } = await makePictureListing(api)
    const { status, body } = await add(id, 1, { alt: '  From the left ' })
    expect([status, body]).toMatchObject([
      201,
      { alt: 'From the left', width: 24, height: 16, marks: [], problem: null },
    ])
    const answer = await api.get<PictureList>(`/listings/${id}/pictures`)
    expect(answer.body).toMatchObject({ max: 24, pictures: [{ width: 320 }, { id: body.id }] })
    const { images, imageUrl, version } = await publicly(partslug)
    expect(images.map(({ alt }) => alt)).toEqual([expect.stringContaining('Headlamp'), 'From the left'])
    expect(imageUrl).toContain(`/${id}?`)
    expect(version).toBe(2)
    const { status: shown, headers } = await app.visitor.get(body.url?.replace('/api', '') ?? '')
    expect([shown, headers['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, s-maxage=60, immutable',
    ])
  })

  test('returns the same picture if the listing has it, and the stored reply for a known key', async () => {
    const { id } = await listingWith(0)
    const first = await add(id, 1, { key: 'once' })
    const again = await add(id, 1)
    expect([again.status, again.body]).toEqual([201, first.body])
    const replayed = await add(id, 1, { key: 'once' })
    expect([replayed.body, replayed.headers['idempotent-replayed']]).toEqual([first.body, 'true'])
    expect(await add(id, 2, { key: 'once' })).toMatchObject({ status: 422, body: { code: 'KEY_REUSED' } })
    expect(await list(id)).toHaveLength(1)
    expect(await changesOf(app, id)).toHaveLength(2)
  })

  test('24 sent twice at once make 24', async () => {
    const { id } = await listingWith(0)
    const numbers = Array.from({ length: 24 }, (_, number) => number)
    const answers = await Promise.all([...numbers, ...numbers].map((number) => add(id, number)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const pictures = await list(id)
    expect(pictures).toHaveLength(24)
    expect(new Set(answers.map(({ body }) => body.id))).toEqual(new Set(pictures.map((one) => one.id)))
    const positions = await app.db
      .selectFrom('listing_image')
      .select('position')
      .where('listing_id', '=', id)
      .orderBy('position')
      .execute()
    expect(positions.map(({ position }) => position)).toEqual(numbers)
    const more = await add(id, 25)
    expect([more.status, more.body]).toMatchObject([
      422,
      { code: 'VALIDATION_FAILED', error: expect.stringContaining('at most 24 pictures') },
    ])
    // One that it has is no 25th.
    expect((await add(id, 3)).status).toBe(201)
  })

  test.each([
    ['no file', formOf({ partname: 'x' }), 422],
    ['no picture', formOf({}, { bytes: Buffer.from('plain text') }), 415],
  ])('refuses %s', async (_, form, status) => {
    const { id } = await listingWith(0)
    const answer = await api.post<ErrorReply>(`/listings/${id}/pictures`, form)
    expect([answer.status, answer.body.fields?.image]).toEqual([status, expect.any(String)])
    expect(await list(id)).toEqual([])
  })

  test('a picture whose listing is deleted or another seller’s is not found', async () => {
    const { id, ids } = await listingWith(1)
    const other = await app.signUp()
    const calls = (by: ApiClient) => [
      by.get(`/listings/${id}/pictures`),
      add(id, 9, { by }),
      by.put(`/listings/${id}/pictures/order`, { ids }),
      by.put(`/pictures/${ids[0]}`, { alt: 'Mine' }),
      by.delete(`/pictures/${ids[0]}`),
    ]
    const statuses = async (by: ApiClient) => (await Promise.all(calls(by))).map(({ status }) => status)
    expect(await statuses(other.api)).toEqual([404, 404, 404, 404, 404])
    expect(await list(id)).toMatchObject([{ alt: '' }])
    await api.delete(`/seller/parts/${id}`)
    expect(await statuses(api)).toEqual([404, 404, 404, 404, 404])
    await api.post(`/seller/parts/${id}/restore`, {})
    expect(await idsOf(id)).toEqual(ids)
  })

  test('an administrator may, which the audit log shows', async () => {
    const { id } = await listingWith(1)
    const admin = await app.signUp({ role: 'admin' })
    expect((await add(id, 5, { by: admin.api })).status).toBe(201)
    const entries = await app.db
      .selectFrom('audit_entry')
      .select(['action', 'detail'])
      .where('target', '=', id)
      .execute()
    expect(entries).toEqual([{ action: 'listing-edited', detail: { changed: 'Pictures' } }])
  })
})

describe('the order', () => {
  test('makes the first the cover, everywhere and at once', async () => {
    const { id, slug, ids } = await listingWith(3)
    const before = await publicly(slug)
    const tag = (await app.visitor.get(`/auto-part/${slug}`)).headers.etag
    const answer = await order(id, [ids[2], ids[0], ids[1]])
    expect(answer.body.pictures.map((one) => one.id)).toEqual([ids[2], ids[0], ids[1]])
    const after = await publicly(slug)
    expect(after.imageUrl).not.toBe(before.imageUrl)
    expect(after.images.map((one) => one.id)).toEqual([ids[2], ids[0], ids[1]])
    expect(after.version).toBe(before.version + 1)
    expect((await app.visitor.get(`/auto-part/${slug}`)).headers.etag).not.toBe(tag)
    // The same order again is no change.
    await order(id, [ids[2], ids[0], ids[1]])
    expect((await publicly(slug)).version).toBe(after.version)
  })

  test('must have exactly the listing’s pictures', async () => {
    const { id, ids } = await listingWith(3)
    const other = await listingWith(1)
    for (const wrong of [
      ids.slice(1),
      [...ids, other.ids[0]],
      [ids[0], ids[1], other.ids[0]],
      [ids[0], ids[0], ids[1]],
      [ids[0], ids[0], ids[1], ids[2]],
    ]) {
      const { status, body } = await order(id, wrong)
      expect([status, body.code, body.error]).toEqual([
        409,
        'CONFLICT',
        expect.stringContaining('Load them again'),
      ])
    }
    expect(await idsOf(id)).toEqual(ids)
  })

  test('of two orders at once, one wins', async () => {
    const { id, ids } = await listingWith(6)
    const orders = [ids.toReversed(), [...ids.slice(3), ...ids.slice(0, 3)]]
    await Promise.all([...orders, ...orders].map((wanted) => order(id, wanted)))
    expect(orders).toContainEqual(await idsOf(id))
  })
})

describe('words and marks', () => {
  const crack = { x: 0.25, y: 0.75, note: 'Crack' }

  test('are public with the picture, and what is not sent stays', async () => {
    const { id, slug, ids } = await listingWith(2)
    const put = (body: object) => api.put<OwnPicture & ErrorReply>(`/pictures/${ids[1]}`, body)
    expect((await put({ marks: [crack, { x: 1, y: 0, note: ' Dent ' }] })).body).toMatchObject({
      alt: '',
      marks: [crack, { x: 1, y: 0, note: 'Dent' }],
    })
    expect((await put({ alt: 'Back' })).body).toMatchObject({ alt: 'Back', marks: [crack, { note: 'Dent' }] })
    const { images, version } = await publicly(slug)
    expect(images).toMatchObject([{ marks: [] }, { alt: 'Back', marks: [crack, {}] }])
    await put({ alt: 'Back' })
    expect((await publicly(slug)).version).toBe(version)
    expect((await put({ marks: [] })).body).toMatchObject({ alt: 'Back', marks: [] })
    expect((await changesOf(app, id)).at(-1)?.changes).toMatchObject({
      pictureNotes: [{ marks: [crack, {}] }, { marks: [] }],
    })
  })

  test.each([
    [{ marks: Array.from({ length: 11 }, () => crack) }, 'marks'],
    [{ marks: [{ ...crack, x: 1.01 }] }, 'marks.0.x'],
    [{ marks: [{ ...crack, note: ' ' }] }, 'marks.0.note'],
    [{ marks: [{ ...crack, note: 'x'.repeat(121) }] }, 'marks.0.note'],
    [{ alt: 'x'.repeat(201) }, 'alt'],
    [{ alt: 'two\nlines' }, 'alt'],
    [{ marks: [crack, { ...crack, note: 'shit' }] }, 'marks.1.note'],
  ])('%j is refused', async (body, field) => {
    const { ids } = await listingWith(1)
    const answer = await api.put<ErrorReply>(`/pictures/${ids[0]}`, body)
    expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, [field]])
  })
})

describe('removing', () => {
  test('makes the next one the cover', async () => {
    const { id, slug, ids } = await listingWith(3)
    expect((await api.delete(`/pictures/${ids[0]}`)).status).toBe(200)
    expect(await idsOf(id)).toEqual(ids.slice(1))
    expect((await publicly(slug)).images).toHaveLength(2)
    expect((await api.delete(`/pictures/${ids[0]}`)).status).toBe(404)
    await api.delete(`/pictures/${ids[1]}`)
    await api.delete(`/pictures/${ids[2]}`)
    expect(await publicly(slug)).toMatchObject({ imageUrl: null, images: [] })
    expect((await changesOf(app, id)).at(-1)?.changes).toEqual({ pictures: [[ids[2]], []] })
  })
})

describe('the calls that know one picture', () => {
  test('an edit with a picture replaces the cover and leaves the others', async () => {
    const { id, ids } = await listingWith(3)
    await api.put(`/pictures/${ids[0]}`, { alt: 'Old', marks: [{ x: 0, y: 0, note: 'Dent' }] })
    await api.put(`/seller/parts/${id}`, formOf({}, { bytes: await picture(50) }))
    expect(await list(id)).toMatchObject([{ id: ids[0], alt: '', marks: [] }, { id: ids[1] }, { id: ids[2] }])
  })

  test('the cover itself changes nothing, and another picture of the listing moves up', async () => {
    const { id, slug, ids } = await listingWith(3)
    const { version } = await publicly(slug)
    await api.put(`/seller/parts/${id}`, formOf({}, { bytes: await picture(0) }))
    expect((await publicly(slug)).version).toBe(version)
    await api.put(`/seller/parts/${id}`, formOf({}, { bytes: await picture(2) }))
    expect(await idsOf(id)).toEqual([ids[2], ids[1]])
  })

  test('a picture does not make an open form stale; other edits do', async () => {
    const { id, slug, ids } = await listingWith(2)
    const { version } = await publicly(slug)
    await add(id, 7)
    await order(id, [ids[1], ids[0], (await idsOf(id))[2]])
    const save = (partprice: string) => api.put<Listing>(`/seller/parts/${id}`, { partprice, version })
    expect(await save('80')).toMatchObject({ status: 200, body: { partprice: 80 } })
    expect(await save('70')).toMatchObject({ status: 409, body: { code: 'STALE' } })
  })
})

test('a listing’s history names pictures by their former positions', async () => {
  const { id, ids } = await listingWith(2)
  await order(id, ids.toReversed())
  await api.put(`/pictures/${ids[0]}`, { alt: 'Left', marks: [{ x: 0, y: 0, note: 'Dent' }] })
  await api.delete(`/pictures/${ids[1]}`)
  const admin = await app.signUp({ role: 'admin' })
  const { body } = await admin.api.get<{ items: { how: string; fields: object[] }[] }>(
    `/admin/parts/${id}/history`,
  )
  const field = { field: 'pictures', label: 'Pictures' }
  expect(body.items.map(({ how, fields }) => [how, fields])).toMatchObject([
    ['remove picture', [{ ...field, before: '1, 2', after: '2' }]],
    ['describe picture', [{ label: 'Picture notes', before: null, after: 'Left. Marks: Dent' }]],
    ['order pictures', [{ ...field, before: '1, 2', after: '2, 1' }]],
    ['add picture', [{ ...field, before: '1', after: '1, new' }]],
    ['add picture', [{ ...field, before: null, after: 'new' }]],
  ])
})
