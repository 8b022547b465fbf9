import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Listing, type ListingPage, listing as listingReply } from '#contract/listings.ts'
import { card, type PartsPage } from '#contract/search/parts-search.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { writeSearchRows } from '#server/features/market/listings/search-row/search-rows.ts'
import { makePictureListing, makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp, type TestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let seller: SignedIn
beforeAll(async () => {
  seller = await app.signUp()
})

const hide = (id: string) =>
  withChangeSet(app.db, { actorKind: 'system', reason: 'hide' }, async (trx) => {
    await trx.updateTable('listing').set({ status: 'HIDDEN' }).where('id', '=', id).execute()
    await writeSearchRows(trx, [id])
  })
const read = (api: TestApp['visitor'], listing: Listing) => api.get<Listing>(`/auto-part/${listing.partslug}`)

describe('GET /list-auto-parts/{page} and /auto-parts-count', () => {
  test('returns listings newest first, by page, and the count as a bare number', async () => {
    for (const partname of ['First', 'Second', 'Third']) await makeQuickListing(seller.api, { partname })
    const page = async (n: number) =>
      (await app.visitor.get<Listing[]>(`/list-auto-parts/${n}?perPage=2`)).body.map((item) => item.partname)
    expect([await page(1), await page(2), await page(3)]).toEqual([['Third', 'Second'], ['First'], []])
    expect((await app.visitor.get('/auto-parts-count')).body).toBe(3)
  })

  test('a deleted listing leaves the list at once', async () => {
    const { body } = await app.visitor.get<Listing[]>('/list-auto-parts/1?perPage=1')
    await seller.api.delete(`/seller/parts/${body[0]?.id}`)
    const { body: after } = await app.visitor.get<Listing[]>('/list-auto-parts/1?perPage=10')
    expect(after.map((item) => item.partname)).toEqual(['Second', 'First'])
  })
})

describe('public listing data', () => {
  test('has exactly the declared fields', async () => {
    const listing = await makePictureListing(seller.api)
    const { body } = await read(app.visitor, listing)
    expect(Object.keys(body).toSorted()).toEqual(Object.keys(listingReply.shape).toSorted())
  })

  test('shows phone numbers only where the seller allows it, but always to the owner and admins', async () => {
    const listing = await makeQuickListing(seller.api, { phoneb: '(918) 555-0199' })
    const admin = await app.signUp({ role: 'admin' })
    const other = await app.signUp()
    const seen = async () =>
      Promise.all(
        [app.visitor, other.api, seller.api, admin.api].map(
          async (api) => (await read(api, listing)).body.dealerphone,
        ),
      )
    expect(await seen()).toEqual([null, null, '(918) 555-0142', '(918) 555-0142'])
    expect((await read(app.visitor, listing)).body.phoneb).toBeNull()
    await seller.api.put('/profile', { communicationPrefs: { showPhonePublicly: true } })
    expect(await seen()).toEqual(Array(4).fill('(918) 555-0142'))
  })

  test('shows hidden listings to their seller and admins only', async () => {
    const listing = await makeQuickListing(seller.api, { partname: 'Secret gearbox' })
    const admin = await app.signUp({ role: 'admin' })
    const other = await app.signUp()
    await hide(listing.id)
    const statuses = await Promise.all(
      [app.visitor, other.api, seller.api, admin.api].map(async (api) => (await read(api, listing)).status),
    )
    expect(statuses).toEqual([404, 404, 200, 200])
    const found = await app.visitor.get<ListingPage>('/parts?q=secret')
    expect(found.body.total).toBe(0)
  })

  test('treats a forged token as signed out', async () => {
    const owner = await app.signUp()
    const listing = await makeQuickListing(owner.api, { stocknum: 'S-1', vin: '1FTFW1ET5DFC10312' })
    const forged = app.visitor.as({ token: `${owner.api.token}x` })
    const hidden = { dealerphone: null, stocknum: null, vin: null, mine: false }
    expect((await read(forged, listing)).body).toMatchObject(hidden)
    expect((await read(owner.api, listing)).body).toMatchObject({ stocknum: 'S-1', mine: true })
  })
})

describe('GET /parts', () => {
  test('returns cards, with exactly the declared fields', async () => {
    const listing = await makePictureListing(seller.api, { partname: 'Carded radiator' })
    const { body } = await app.visitor.get<PartsPage>('/parts?q=carded')
    const [found] = body.items
    const always = Object.keys(card.shape).filter(
      (field) => !['distanceMiles', 'featured', 'interchange'].includes(field),
    )
    expect(Object.keys(found ?? {}).toSorted()).toEqual(always.toSorted())
    const { sellerSlug, total, ...shared } = found ?? {}
    expect(listing).toMatchObject(shared)
    expect(body).toMatchObject({ total: 1, lastPage: 1, page: 1, perPage: 12 })
  })

  test('finds by words, vehicle and year; sorts by price', async () => {
    const cheap = await makeQuickListing(seller.api, {
      partname: 'Starter motor',
      partprice: '10',
      partyear: '2009',
    })
    const dear = await makeQuickListing(seller.api, {
      partname: 'Starter motor',
      partprice: '90',
      partyear: '2010',
    })
    const ids = async (query: string) =>
      (await app.visitor.get<ListingPage>(`/parts?${query}`)).body.items.map((item) => item.id)
    expect(await ids('q=starter+motors')).toEqual([dear.id, cheap.id])
    expect(await ids('q=starter&sort=price-low')).toEqual([cheap.id, dear.id])
    expect(await ids('q=starter&year=2009')).toEqual([cheap.id])
    expect(await ids(`q=starter&modelId=${cheap.partmodelId}&year=2010`)).toEqual([dear.id])
  })
})

describe('POST /parts/{slug}/views', () => {
  const viewsOf = async ({ id }: Listing) => {
    const { rows } = await sql<{ views: number }>`
      select views from listing_view where listing_id = ${id}`.execute(app.db)
    return rows[0]?.views ?? 0
  }
  const look = ({ partslug }: Listing, ip: string, browser = 'Firefox') =>
    app.visitor.as({ ip }).post(`/parts/${partslug}/views`, undefined, { 'user-agent': browser })

  test('counts each visitor once a day, without touching the version', async () => {
    const [listing, other] = [await makeQuickListing(seller.api), await makeQuickListing(seller.api)]
    for (let n = 0; n < 300; n += 1) await look(listing, '198.51.100.7')
    await look(listing, '198.51.100.8')
    await look(listing, '198.51.100.8', 'Safari')
    await look(other, '198.51.100.7')
    await expect.poll(() => viewsOf(listing), { timeout: 8_000 }).toBe(3)
    await expect.poll(() => viewsOf(other), { timeout: 8_000 }).toBe(1)
    expect((await read(app.visitor, listing)).body.version).toBe(1)
    await look(listing, '198.51.100.7')
    await look(other, '198.51.100.8')
    await expect.poll(() => viewsOf(other), { timeout: 8_000 }).toBe(2)
    expect(await viewsOf(listing)).toBe(3)
  }, 30_000)

  test('forgets the visitors of a day with the day', async () => {
    const listing = await makeQuickListing(seller.api)
    await look(listing, '198.51.100.9')
    await expect.poll(() => viewsOf(listing), { timeout: 8_000 }).toBe(1)
    const { rows: marks } = await sql<{ text: string }>`select m::text as text from view_mark m`.execute(
      app.db,
    )
    expect(marks.length).toBeGreaterThan(0)
    expect(JSON.stringify(marks)).not.toContain('198.51')
    await sql`update view_salt set day = day - 1`.execute(app.db)
    await sql`update view_mark set day = day - 1`.execute(app.db)
    await look(listing, '198.51.100.9')
    await expect.poll(() => viewsOf(listing), { timeout: 8_000 }).toBe(2)
    const days = await app.db.selectFrom('view_salt').select('day').execute()
    expect(days).toHaveLength(1)
  }, 30_000)
})

test('no public search reveals a stock number or a VIN; the seller’s own search finds both', async () => {
  const yard = await app.signUp()
  const listing = await makeQuickListing(yard.api, { stocknum: 'ZQ-7741', vin: '1HGCM82633A004352' })
  const total = async (api: TestApp['visitor'], path: string) => (await api.get<ListingPage>(path)).body.total
  for (const q of ['zq7741', 'ZQ', '1HGCM82633A004352', '1HG']) {
    expect(await total(app.visitor, `/parts?q=${q}`)).toBe(0)
    expect(await total(yard.api, `/seller/parts?q=${q}`)).toBe(1)
  }
  expect(listing.stocknum).toBe('ZQ-7741')
})
