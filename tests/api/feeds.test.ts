import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import type { Feeds, PublicSeller } from '#contract/pages/sellers.ts'
import type { NewListingRow } from '#server/features/market/listings/copy-listings.ts'
import { listingTitle } from '#server/features/market/listings/titles.ts'
import { endHolds, makeOrder } from '#tests/support/make-orders.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { readXml, textsOf } from '#tests/support/read-xml.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const SITE = 'https://parts.example'
const app = await startTestApp({ PUBLIC_URL: SITE })
const { db, visitor } = app
let yard: SignedIn
let ids: string[]

const GOOD: Partial<NewListingRow> = { description: 'Tested & works. 17" <hub>', price_cents: 12_050 }
const stock: Partial<NewListingRow>[] = [
  { ...GOOD, name: 'Alternator', part_number: 'AB-12', shipping_kind: 'flat', shipping_cents: 2_000 },
  { ...GOOD, name: 'Starter', year_from: 2010, year_to: 2014, shipping_kind: 'free', quantity: 0 },
  { ...GOOD, name: 'Hood', heading: '=Hood, black', shipping_kind: 'pickup' },
  { ...GOOD, name: 'Free of charge', price_cents: 0 },
  { ...GOOD, name: 'No picture' },
  { ...GOOD, name: 'No words', description: ' ' },
  { ...GOOD, name: 'Long', heading: 'x'.repeat(151) },
  { ...GOOD, name: 'Tiny picture' },
  { ...GOOD, name: 'Hidden', status: 'HIDDEN' },
]
const [UNPICTURED, TINY] = [4, 7]

async function addPicture(listingId: string, side: number, position = 0): Promise<void> {
  await sql`
    insert into listing_image (listing_id, position, sha256, width, height)
    values (${listingId}, ${position}, ${listingId.replaceAll('-', '').padEnd(64, String(position))}, ${side}, ${side})
  `.execute(db)
}

beforeAll(async () => {
  yard = await app.signUp()
  ids = await makeStock(db, { sellerId: yard.user.sellerId, parts: stock.length }, (at) => stock[at] ?? {})
  for (const [at, id] of ids.entries()) {
    if (at !== UNPICTURED) await addPicture(id, at === TINY ? 99 : 900)
  }
  await addPicture(ids[0] ?? '', 900, 1)
})

const pathOf = (file: string) => `/feeds/${yard.user.sellerSlug}/${file}`
const get = (file: string, headers: Record<string, string> = {}) =>
  app.http.inject({ method: 'GET', url: pathOf(file), headers })
const allow = (enabled: boolean) => yard.api.put<Feeds>('/seller/feeds', { enabled })

test('nothing can be read before the seller allows it, nor after the seller stops it', async () => {
  for (const file of ['google.xml', 'meta.csv']) expect((await get(file)).statusCode).toBe(404)
  expect((await yard.api.get<Feeds>('/seller/feeds')).body.enabled).toBe(false)
  expect((await allow(true)).body).toMatchObject({
    enabled: true,
    googleUrl: SITE + pathOf('google.xml'),
    metaUrl: SITE + pathOf('meta.csv'),
  })
  for (const file of ['google.xml', 'meta.csv']) expect((await get(file)).statusCode).toBe(200)
  expect((await allow(false)).body.enabled).toBe(false)
  expect((await get('google.xml')).statusCode).toBe(404)
  await allow(true)
  expect((await app.http.inject({ method: 'GET', url: '/feeds/nobody/google.xml' })).statusCode).toBe(404)
})

test('an invalid setting is refused with a sentence', async () => {
  const { status, body } = await yard.api.put<{ fields: object }>('/seller/feeds', { enabled: 'maybe' })
  expect(status).toBe(422)
  expect(body.fields).toEqual({ enabled: 'Say whether shopping sites may read your parts: true or false' })
})

test('the Google feed has what Google requires for used parts', async () => {
  const { headers, body } = await get('google.xml')
  expect(headers['content-type']).toBe('application/xml; charset=utf-8')
  const items = readXml(body).children[0]?.children.filter(({ name }) => name === 'item') ?? []
  const fields = items.map(({ children }) => children.map(({ name, text }) => [name, text]))
  expect(fields).toHaveLength(3)
  expect(fields[0]).toEqual([
    ['g:id', ids[0]],
    ['title', '2014 Ford F-150 Alternator'],
    ['description', 'Tested & works. 17" <hub>'],
    ['link', `${SITE}/parts/part-${ids[0]}`],
    ['g:image_link', expect.stringContaining(`${SITE}/api/auto-part/image/${ids[0]}?v=`)],
    ['g:additional_image_link', expect.stringContaining(`${SITE}/api/auto-part/image/`)],
    ['g:condition', 'used'],
    ['g:availability', 'in_stock'],
    ['g:price', '120.50 USD'],
    ['g:brand', 'Ford'],
    ['g:mpn', 'AB-12'],
    ['g:google_product_category', '899'],
    ['g:shipping', '\n\n\n'],
  ])
  expect(items.map((item) => textsOf(item, 'g:availability'))).toEqual([
    ['in_stock'],
    ['out_of_stock'],
    ['in_stock'],
  ])
  const { id } = await makeOrder(app.db, { listingId: ids[0] ?? '', state: 'pending' })
  const availability = async () => textsOf(readXml((await get('google.xml')).body), 'g:availability')
  expect(await availability()).toEqual(['in_stock', 'out_of_stock', 'in_stock'])
  const { etag } = (await get('google.xml')).headers
  await sql`update part_hold set kind = 'pending' where order_id = ${id}`.execute(app.db)
  await sql`select note_hold(${ids[0]})`.execute(app.db)
  expect(await availability()).toEqual(['out_of_stock', 'out_of_stock', 'in_stock'])
  expect((await get('google.xml')).headers.etag).not.toBe(etag)
  await endHolds(app.db, id)
  expect(await availability()).toEqual(['in_stock', 'out_of_stock', 'in_stock'])
  // The price of the part, then that of shipping; pickup has none.
  expect(items.map((item) => textsOf(item, 'g:price').slice(1))).toEqual([['20.00 USD'], ['0.00 USD'], []])
  expect(items.map((item) => textsOf(item, 'g:shipping_label'))).toEqual([[], [], ['pickup-only']])
  expect(textsOf(items[1] ?? readXml('<a/>'), 'g:identifier_exists')).toEqual(['no'])
})

test('titles are those of the parts’ pages', async () => {
  const titles = textsOf(readXml((await get('google.xml')).body), 'title').slice(1)
  const { body: part } = await visitor.get<Listing>(`/auto-part/part-${ids[1]}`)
  expect(titles).toEqual([
    '2014 Ford F-150 Alternator',
    listingTitle({
      yearFrom: Number(part.partyear),
      yearTo: Number(part.partyearto),
      manufacturerName: part.partmanuname ?? '',
      modelName: part.partmodel ?? '',
      name: part.partname,
    }),
    '=Hood, black',
  ])
})

test('the Meta feed has the same parts as a CSV file', async () => {
  const { headers, body } = await get('meta.csv')
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  const [head = [], ...rows] = parse(body) as string[][]
  const parts = rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])))
  expect(parts).toMatchObject([
    {
      id: ids[0],
      title: '2014 Ford F-150 Alternator',
      availability: 'in stock',
      condition: 'used',
      price: '120.50 USD',
      link: `${SITE}/parts/part-${ids[0]}`,
      brand: 'Ford',
      mpn: 'AB-12',
      shipping: 'US:::20.00 USD',
    },
    { id: ids[1], availability: 'out of stock', shipping: 'US:::0.00 USD', mpn: '' },
    // Safe to open in a spreadsheet.
    { id: ids[2], title: "'=Hood, black", shipping: '' },
  ])
})

test('the seller sees what is left out and why, and only the own parts', async () => {
  const { body } = await yard.api.get<Feeds>('/seller/feeds')
  expect(body).toMatchObject({ parts: 8, inFeeds: 3 })
  const found = Object.fromEntries(
    body.problems.map(({ problem, count, newest }) => [problem, [count, newest.map(({ slug }) => slug)]]),
  )
  expect(found).toEqual({
    'no-price': [1, [`part-${ids[3]}`]],
    'no-picture': [1, [`part-${ids[UNPICTURED]}`]],
    'no-description': [1, [`part-${ids[5]}`]],
    'long-title': [1, [`part-${ids[6]}`]],
    'small-picture': [1, [`part-${ids[TINY]}`]],
  })
  const other = await app.signUp()
  expect((await other.api.get<Feeds>('/seller/feeds')).body).toMatchObject({ parts: 0, problems: [] })
})

test('a feed is compressed, and not resent until a part changes', async () => {
  const plain = await get('google.xml')
  const packed = await get('google.xml', { 'accept-encoding': 'gzip' })
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
  const known = { 'if-none-match': String(plain.headers.etag) }
  expect((await get('google.xml', known)).statusCode).toBe(304)
  // A part that is sold or hidden leaves shared caches within a minute.
  expect(plain.headers['cache-control']).toBe('public, max-age=60')
  await addPicture(ids[UNPICTURED] ?? '', 900)
  expect((await get('google.xml', known)).statusCode).toBe(200)
})

test('more parts than are read at a time are all there, once', async () => {
  const dealer = await app.signUp()
  await dealer.api.put('/seller/feeds', { enabled: true })
  const many = await makeStock(db, { sellerId: dealer.user.sellerId, parts: 1_001 }, () => GOOD)
  await sql`
    insert into listing_image (listing_id, sha256, width, height)
    select id, md5(id::text) || md5(id::text), 500, 500 from unnest(${many}::uuid[]) id
  `.execute(db)
  const { body } = await app.http.inject({
    method: 'GET',
    url: `/feeds/${dealer.user.sellerSlug}/google.xml`,
  })
  expect(textsOf(readXml(body), 'g:id')).toEqual(many)
})

describe('a seller’s public record', () => {
  const read = (slug: string) => visitor.get<PublicSeller & Record<string, unknown>>(`/sellers/${slug}`)

  test('has the name and place of the newest part, the year of joining and the number of parts, and no phone number', async () => {
    const { status, body } = await read(yard.user.sellerSlug)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      slug: yard.user.sellerSlug,
      name: yard.user.name,
      city: null,
      state: null,
      since: expect.any(String),
      answersWithinHours: null,
      parts: 8,
      phone: null,
    })
    await makeStock(db, { sellerId: yard.user.sellerId, parts: 1 }, () => ({
      dealer_name: 'Harbor Salvage',
      dealer_phone: '555-0100',
      city: 'Tulsa',
      state: 'OK',
    }))
    expect((await read(yard.user.sellerSlug)).body).toMatchObject({
      name: 'Harbor Salvage',
      city: 'Tulsa',
      state: 'OK',
      parts: 9,
    })
  })

  test('is not found without a part', async () => {
    const { user } = await app.signUp()
    for (const slug of [user.sellerSlug, 'nobody']) expect((await read(slug)).status).toBe(404)
  })
})
