import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Listing, ListingPage } from '#contract/listings.ts'
import { walks } from '#server/features/finding/search/matches/match-queries.ts'
import { makeQuickListing, someLookups } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* More listings than are counted (10,000), counted off (20,000) or, as set here, walked (20,000). */

const app = await startTestApp()
const PARTS = 33_000
const { atMost } = walks
walks.atMost = sql`20000`
afterAll(() => {
  walks.atMost = atMost
})
let seller: SignedIn
/** In order of creation, oldest first. */
let stock: string[]
/** The remaining ones, newest first. */
let ids: string[]
let gone: string | undefined
let categoryId: string
let manufacturerId: string
beforeAll(async () => {
  seller = await app.signUp()
  const names = (at: number) => {
    if (at < 11_000) return 'Ancient door'
    if (at < 11_500) return 'Antique door'
    if (at % 2 === 0) return 'Headlamp'
    return at % 40 === 1 ? 'Mirror' : 'Wheel'
  }
  const { category, manufacturer } = await someLookups(app.visitor)
  categoryId = category.id
  manufacturerId = manufacturer.id
  stock = await makeStock(app.db, { sellerId: seller.user.sellerId, parts: PARTS }, (at) => ({
    name: names(at),
    price_cents: at,
    category_id: at % 2 === 0 ? categoryId : null,
    manufacturer_id: at % 3 === 0 ? manufacturerId : null,
  }))
  ids = stock.toReversed()
}, 120_000)

const find = async (query: string) => (await app.visitor.get<ListingPage>(`/parts?${query}`)).body
const idsOf = ({ items }: { items: Listing[] }) => items.map(({ id }) => id)
/** The stock at these positions (counted oldest first), newest first. */
const made = (isOne: (at: number) => boolean) =>
  stock.filter((id, at) => isOne(at) && id !== gone).toReversed()

test('a list of whole listings reaches its end', async () => {
  for (const page of [1_000, 2_000, 3_299, 3_300]) {
    const { body } = await app.visitor.get<Listing[]>(`/list-auto-parts/${page}?perPage=10`)
    expect(body.map(({ id }) => id)).toEqual(ids.slice((page - 1) * 10, page * 10))
  }
  const { body } = await app.visitor.get(`/list-auto-parts/3301?perPage=10`)
  expect(body).toEqual([])
})

test('at most two pages beyond row 10,000 are read at once, nearer ones at any time', async () => {
  const read = (page: number) => app.visitor.get<Listing[]>(`/list-auto-parts/${page}?perPage=10`)
  const far = await Promise.all([3_300, 3_000, 2_800, 2_000, 2_567, 9_000].map(read))
  const refused = far.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  for (const { status, body, headers } of refused) {
    expect([status, (body as { code?: string }).code]).toEqual([503, 'BUSY'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  }
  expect(far.length - refused.length).toBeGreaterThanOrEqual(2)
  const near = await Promise.all([1_000, 999, 998, 500, 1].map(read))
  expect(near.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  // Whoever was refused may come again.
  expect((await read(2_567)).body.map(({ id }) => id)).toEqual(ids.slice(25_660, 25_670))
})

test('public lists end at page 400, at any page size', async () => {
  const page = async (n: number, perPage: number, more = '') => find(`perPage=${perPage}&page=${n}${more}`)
  const last = await page(400, 24)
  expect(last).toMatchObject({ total: 10_000, totalIsAtLeast: true, lastPage: 400, page: 400 })
  expect(idsOf(last)).toEqual(ids.slice(9_576, 9_600))
  expect(await page(401, 24)).toMatchObject({ items: [], total: 10_000, lastPage: 400, page: 401 })
  expect(await page(400, 5, '&q=headlamp')).toMatchObject({ lastPage: 400, items: { length: 5 } })
  expect(await page(401, 5, '&q=headlamp')).toMatchObject({ lastPage: 400, items: [] })
  expect(await page(330, 100)).toMatchObject({ total: 10_000, totalIsAtLeast: true, lastPage: 330 })
  expect(await page(331, 100)).toMatchObject({ items: [], lastPage: 330 })
  expect(idsOf(await page(300, 100, '&sort=price-low'))).toEqual(ids.toReversed().slice(29_900, 30_000))
})

test('a deep page accounts for listings added since', async () => {
  const came = await makeStock(app.db, { sellerId: seller.user.sellerId, parts: 25 })
  const all = [...came.reverse(), ...ids]
  const page = async (n: number) => idsOf(await find(`page=${n}&perPage=100`))
  expect(await page(300)).toEqual(all.slice(29_900, 30_000))
  expect(await page(100)).toEqual(all.slice(9_900, 10_000))
  await Promise.all(came.map((id) => seller.api.delete(`/seller/parts/${id}`)))
})

test('after a deletion deep pages are exact again within a few seconds', async () => {
  gone = ids.splice(25_000, 1)[0]
  await seller.api.delete(`/seller/parts/${gone}`)
  const page = async (n: number) => idsOf(await find(`page=${n}&perPage=100`))
  expect(await page(150)).toEqual(ids.slice(14_900, 15_000))
  await expect.poll(() => page(300), { timeout: 15_000, interval: 500 }).toEqual(ids.slice(29_900, 30_000))
})

test('a filtered list of a seller or an administrator reaches its end', async () => {
  const admin = await app.signUp({ role: 'admin' })
  const lamps = made((at) => at >= 11_500 && at % 2 === 0)
  for (const [who, path] of [
    [seller, '/seller/parts'],
    [admin, '/admin/parts'],
  ] as const) {
    const page = async (n: number) =>
      (await who.api.get<ListingPage>(`${path}?q=headlamp&perPage=100&page=${n}`)).body
    const first = await page(1)
    expect(first).toMatchObject({ totalIsAtLeast: true, lastPage: Math.ceil(lamps.length / 100) })
    expect(idsOf(await page(105))).toEqual(lamps.slice(10_400, 10_500))
    expect(idsOf(await page(first.lastPage))).toEqual(lamps.slice((first.lastPage - 1) * 100))
    expect(idsOf(await page(first.lastPage + 1))).toEqual([])
  }
})

test('a frequent word returns 10,000 matches, then the search must be narrowed', async () => {
  const first = await find('q=headlamp&perPage=100')
  expect(first).toMatchObject({ total: 10_000, totalIsAtLeast: true, lastPage: 100 })
  const lamps = (
    await sql<{ id: string }>`select id from listing where name = 'Headlamp' order by id desc`.execute(app.db)
  ).rows
  const pages = [1, 2, 50, 100]
  for (const page of pages) {
    const found = await find(`q=headlamp&perPage=100&page=${page}`)
    expect(idsOf(found)).toEqual(lamps.slice((page - 1) * 100, page * 100).map(({ id }) => id))
  }
  expect((await find('q=headlamp&perPage=100&page=101')).items).toEqual([])
  // The page with the 10,000th match ends there.
  expect((await find('q=headlamp&perPage=70&page=143')).items).toHaveLength(60)
})

test('words that only old listings have are found, newest first and in both price orders', async () => {
  const ancient = made((at) => at < 11_000)
  for (let again = 0; again < 3; again++) {
    const found = await find('q=ancient&perPage=50')
    expect(found).toMatchObject({ total: 10_000, totalIsAtLeast: true })
    expect(idsOf(found)).toEqual(ancient.slice(0, 50))
    expect(idsOf(await find('q=ancient&perPage=50&page=3'))).toEqual(ancient.slice(100, 150))
  }
  expect(idsOf(await find('q=ancient&perPage=50&sort=price-high'))).toEqual(ancient.slice(0, 50))
  expect(idsOf(await find('q=ancient&perPage=50&sort=price-low'))).toEqual(ancient.toReversed().slice(0, 50))
  const antique = made((at) => at >= 11_000 && at < 11_500)
  for (let again = 0; again < 2; again++) {
    const found = await find('q=antique&perPage=100&page=5')
    expect([found.total, found.lastPage, idsOf(found)]).toEqual([500, 5, antique.slice(400)])
  }
})

test('a new match appears at once, even where an empty result was cached', async () => {
  await find('q=ancient')
  await find('q=mirror')
  const [ancient, mirror] = await Promise.all([
    makeQuickListing(seller.api, { partname: 'Ancient hood' }),
    makeQuickListing(seller.api, { partname: 'Door mirror' }),
  ])
  expect((await find('q=ancient&perPage=1')).items[0]?.id).toBe(ancient.id)
  const mirrors = await find('q=mirror&perPage=1')
  expect(mirrors.items[0]?.id).toBe(mirror.id)
  await seller.api.delete(`/seller/parts/${mirror.id}`)
  await seller.api.delete(`/seller/parts/${ancient.id}`)
  expect((await find('q=mirror&perPage=1')).total).toBe(mirrors.total - 1)
})

test('a total is exact up to 10,000, however often it is requested', async () => {
  const mirrors = made((at) => at >= 11_500 && at % 40 === 1)
  for (let page = 1; page <= 3; page++) {
    const found = await find(`q=mirrors&page=${page}&perPage=100`)
    expect(found.total).toBe(mirrors.length)
    expect(idsOf(found)).toEqual(mirrors.slice((page - 1) * 100, page * 100))
  }
})

test('a category of more than 10,000 is listed correctly, alone and with other filters', async () => {
  const inCategory = made((at) => at % 2 === 0)
  for (const page of [1, 2, 3]) {
    const found = await find(`categoryId=${categoryId}&page=${page}&perPage=40`)
    expect(found).toMatchObject({ total: 10_000, totalIsAtLeast: true, lastPage: 250 })
    expect(idsOf(found)).toEqual(inCategory.slice((page - 1) * 40, page * 40))
  }
  const lamps = made((at) => at % 2 === 0 && at >= 11_500)
  for (const page of [1, 200]) {
    const found = await find(`q=headlamp&categoryId=${categoryId}&page=${page}&perPage=50`)
    expect(idsOf(found)).toEqual(lamps.slice((page - 1) * 50, page * 50))
  }
  const ofMaker = made((at) => at % 6 === 0)
  for (let again = 0; again < 2; again++) {
    const both = await find(`manuId=${manufacturerId}&categoryId=${categoryId}&perPage=20`)
    expect([both.total, idsOf(both)]).toEqual([ofMaker.length, ofMaker.slice(0, 20)])
    const cheapest = await find(`manuId=${manufacturerId}&sort=price-low&perPage=20`)
    expect(idsOf(cheapest)).toEqual(
      made((at) => at % 3 === 0)
        .toReversed()
        .slice(0, 20),
    )
  }
  expect(await find('q=nothing-like-it')).toMatchObject({ items: [], total: 0, lastPage: 1 })
  expect((await find('q=nothing-like-it')).total).toBe(0)
})

test('many concurrent searches for the same new word return the same result', async () => {
  const found = await Promise.all(Array.from({ length: 12 }, () => find('q=wheel&perPage=5')))
  expect(new Set(found.map((one) => JSON.stringify([one.total, one.totalIsAtLeast, idsOf(one)]))).size).toBe(
    1,
  )
  expect(found[0]).toMatchObject({ total: 10_000, totalIsAtLeast: true })
})

test('a seller can search a large number of own listings', async () => {
  const own = async (query: string) => (await seller.api.get<ListingPage>(`/seller/parts?${query}`)).body
  const ancient = made((at) => at < 11_000)
  for (let again = 0; again < 2; again++) {
    const found = await own('q=ancient&perPage=20')
    expect(found).toMatchObject({ total: 10_000, totalIsAtLeast: true, lastPage: 550 })
    expect(idsOf(found)).toEqual(ancient.slice(0, 20))
  }
  await seller.api.post(`/seller/parts/${ancient[0]}/end`, {})
  expect(idsOf(await own('q=ancient&perPage=20'))).toEqual(ancient.slice(1, 21))
  expect(await own('q=ancient&state=sold')).toMatchObject({ total: 1, items: [{ id: ancient[0] }] })
  expect(idsOf(await own('perPage=100&page=300'))).toHaveLength(100)
})
