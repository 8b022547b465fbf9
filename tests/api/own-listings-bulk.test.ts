import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Listing, ListingPage, OwnFigures } from '#contract/listings.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db, signUp, visitor } = app

type Changed = { updated: number; changeSetId: string | null; kept: { id: string; why: string }[] }
type Seller = Awaited<ReturnType<typeof signUp>>

const list = (seller: Seller, query = '') =>
  seller.api.get<ListingPage & { figures: Record<string, OwnFigures> }>(`/seller/parts${query}`)
const change = (seller: Seller, body: object) => seller.api.post<Changed>('/seller/parts/bulk', body)
const undo = (seller: Seller, id: string | null) =>
  seller.api.post<{ undone: number; kept: { why: string }[] }>(`/seller/change-sets/${id}/undo`, {})

async function sellerWith(...prices: string[]) {
  const seller = await signUp()
  const listings: Listing[] = []
  for (const partprice of prices) listings.push(await makeQuickListing(seller.api, { partprice }))
  return { seller, listings, ids: listings.map(({ id }) => id) }
}
const pricesOf = async (seller: Seller) =>
  (await list(seller, '?sort=oldest')).body.items.map(({ partprice }) => partprice)

describe('POST /seller/parts/bulk', () => {
  test.each([
    [{ how: 'percent', value: -10 }, [8.96, 90]],
    [{ how: 'add', value: 5.5 }, [15.45, 105.5]],
    [{ how: 'set', value: 20 }, [20, 20]],
  ])('changes prices by %j in one change set, which undo takes back', async (how, prices) => {
    const { seller, ids } = await sellerWith('9.95', '100')
    const { status, body } = await change(seller, { action: 'price', ids, ...how })
    expect([status, body.updated, body.kept]).toEqual([200, 2, []])
    expect(await pricesOf(seller)).toEqual(prices)
    const changes = await db
      .selectFrom('listing_change')
      .select('listing_id')
      .where('change_set_id', '=', body.changeSetId ?? '')
      .execute()
    expect(changes.map((one) => one.listing_id).toSorted()).toEqual(ids.toSorted())
    expect((await undo(seller, body.changeSetId)).body).toMatchObject({ undone: 2, kept: [] })
    expect(await pricesOf(seller)).toEqual([9.95, 100])
    expect((await undo(seller, body.changeSetId)).status).toBe(409)
  })

  test('ends listings as sold, out of the public list, and undo puts them back', async () => {
    const { seller, listings, ids } = await sellerWith('10', '20', '30')
    await seller.api.post(`/seller/parts/${ids[2]}/end`, {})
    const { body } = await change(seller, { action: 'end', ids })
    expect(body).toMatchObject({ updated: 2, kept: [{ id: ids[2], why: 'It is already sold or withdrawn' }] })
    expect((await list(seller)).body.total).toBe(0)
    expect((await list(seller, '?state=sold')).body.total).toBe(3)
    const [first] = listings
    const page = await visitor.get<Listing>(`/auto-part/${first?.partslug}`)
    expect(page.body.endedReason).toBe('sold-elsewhere')
    const found = () => visitor.get<ListingPage>(`/parts?q=${first?.partnum}`)
    expect((await found()).body.items.map(({ id }) => id)).not.toContain(ids[0])
    expect((await undo(seller, body.changeSetId)).body.undone).toBe(2)
    expect((await list(seller)).body.total).toBe(2)
    expect((await found()).body.items.map(({ id }) => id)).toContain(ids[0])
  })

  test('a listing edited since is kept by undo, and named', async () => {
    const { seller, ids } = await sellerWith('10', '20')
    const { body } = await change(seller, { action: 'price', ids, how: 'add', value: 1 })
    await seller.api.put(`/seller/parts/${ids[0]}`, { partprice: '15' })
    expect((await undo(seller, body.changeSetId)).body).toMatchObject({ undone: 1, kept: [{ id: ids[0] }] })
    expect(await pricesOf(seller)).toEqual([15, 20])
  })

  test('a price below zero is left alone and named; the others change', async () => {
    const { seller, ids } = await sellerWith('10', '100')
    const { body } = await change(seller, { action: 'price', ids, how: 'add', value: -50 })
    expect(body).toMatchObject({ updated: 1, kept: [{ id: ids[0], why: 'Its price would be below zero' }] })
    expect(await pricesOf(seller)).toEqual([10, 50])
  })

  test('another seller’s listing is not found, nothing changes, and nobody else undoes', async () => {
    const mine = await sellerWith('10')
    const other = await sellerWith('10')
    const both = { action: 'price', ids: [...mine.ids, ...other.ids], how: 'set', value: 1 }
    expect((await change(mine.seller, both)).status).toBe(404)
    expect([await pricesOf(mine.seller), await pricesOf(other.seller)]).toEqual([[10], [10]])
    const { body } = await change(mine.seller, { ...both, ids: mine.ids })
    expect((await undo(other.seller, body.changeSetId)).status).toBe(404)
    expect((await visitor.post('/seller/parts/bulk', both)).status).toBe(401)
  })

  test.each([
    [{ action: 'price', ids: [], how: 'set', value: 1 }],
    [{ action: 'price', ids: ['x'], how: 'set', value: 1 }],
    [{ action: 'price', how: 'set', value: 1 }],
    [{ action: 'price', how: 'set', value: -1 }],
    [{ action: 'price', how: 'set', value: 1.005 }],
    [{ action: 'price', how: 'percent', value: -101 }],
    [{ action: 'price', how: 'half', value: 1 }],
    [{ action: 'price', how: 'set', value: '5' }],
    [{ action: 'end', reason: 'eaten' }],
    [{ action: 'burn' }],
  ])('422 for %j', async (body) => {
    const { seller, ids } = await sellerWith('10')
    const sent =
      'how' in body && body.how === 'set' && body.value === 1 && !('ids' in body) ? body : { ids, ...body }
    expect((await change(seller, sent)).status).toBe(422)
    expect(await pricesOf(seller)).toEqual([10])
  })
})

describe('GET /seller/parts', () => {
  test('sorts by price and age', async () => {
    const { seller, ids } = await sellerWith('20', '10', '30')
    const [first, second, third] = ids
    const order = async (sort: string) => (await list(seller, `?sort=${sort}`)).body.items.map(({ id }) => id)
    expect(await order('newest')).toEqual([third, second, first])
    expect(await order('oldest')).toEqual([first, second, third])
    expect(await order('price-low')).toEqual([second, first, third])
    expect(await order('price-high')).toEqual([third, first, second])
    expect(await order('price-high&q=DL3Z-10346-A')).toEqual(await order('price-high'))
    expect((await list(seller, '?sort=luck')).status).toBe(400)
  })

  test('sorts by views of the last 30 days and by messages, before or after those without, newest first', async () => {
    const { seller, listings, ids } = await sellerWith('10', '20', '30', '40')
    const [a, b, c, d] = ids
    const seen = (id: string | undefined, daysAgo: number, views: number) => ({
      listing_id: id ?? '',
      day: sql<string>`current_date - ${daysAgo}::int`,
      views,
    })
    const { seller_id } = await db
      .selectFrom('listing')
      .select('seller_id')
      .where('id', '=', a ?? '')
      .executeTakeFirstOrThrow()
    const days = [seen(a, 0, 2), seen(a, 29, 5), seen(c, 3, 6), seen(d, 30, 900)]
    await db
      .insertInto('listing_view')
      .values(days.map((day) => ({ ...day, seller_id })))
      .execute()
    const question = { name: 'Ruth', phone: '(918) 555-0107', message: 'Still there?' }
    for (const one of [listings[1], listings[1], listings[2]]) {
      await visitor.post(`/parts/${one?.partslug}/messages`, question)
    }
    const order = async (query: string) =>
      (await list(seller, `?sort=${query}`)).body.items.map(({ id }) => id)
    expect(await order('most-views')).toEqual([a, c, d, b])
    expect(await order('fewest-views')).toEqual([d, b, c, a])
    expect(await order('most-messages')).toEqual([b, c, d, a])
    expect(await order('fewest-messages')).toEqual([d, a, c, b])
    expect(await order('most-views&q=DL3Z-10346-A')).toEqual([a, c, d, b])
    expect(await order('fewest-views&q=nowhere')).toEqual([])
    const page = async (sort: string, at: number) =>
      (await list(seller, `?sort=${sort}&perPage=1&page=${at}`)).body
    expect(await page('most-views', 3)).toMatchObject({ items: [{ id: d }], total: 4, lastPage: 4 })
    expect((await page('fewest-views', 3)).items).toMatchObject([{ id: c }])
    await seller.api.post(`/seller/parts/${a}/end`, {})
    expect(await order('most-views')).toEqual([c, d, b])
    expect(await order('most-views&state=sold')).toEqual([a])
  })

  test('has each listing’s views and messages', async () => {
    const { seller, listings } = await sellerWith('20', '10')
    const [seen, unseen] = listings
    await visitor.post(`/parts/${seen?.partslug}/views`, {})
    const question = { name: 'Ruth', phone: '(918) 555-0107', message: 'Still there?' }
    await visitor.post(`/parts/${seen?.partslug}/messages`, question)
    await expect
      .poll(async () => (await list(seller)).body.figures[seen?.id ?? ''], { timeout: 10_000 })
      .toEqual({ views: 1, messages: 1, unanswered: 1, order: null })
    const { figures } = (await list(seller)).body
    expect(figures[unseen?.id ?? '']).toEqual({ views: 0, messages: 0, unanswered: 0, order: null })
  })
})
