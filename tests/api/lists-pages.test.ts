import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Listing, ListingPage } from '#contract/listings.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { atLength } from '#tests/support/at-length.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const PARTS = atLength({ full: 5_000, brief: 1_000 })
let seller: SignedIn
/** Newest first, as the lists should be. */
let ids: string[]
beforeAll(async () => {
  seller = await app.signUp()
  ids = (
    await makeStock(app.db, { sellerId: seller.user.sellerId, parts: PARTS }, (at) => ({
      // Several parts at each price, not in order of creation.
      price_cents: 100 * ((at * 37) % 250),
    }))
  ).reverse()
})

async function pageThrough(path: (page: number) => string, api = app.visitor): Promise<string[]> {
  const found: string[] = []
  for (let page = 1; ; page++) {
    const { body } = await api.get<Listing[] | ListingPage>(path(page))
    const items = Array.isArray(body) ? body : body.items
    if (items.length === 0) return found
    found.push(...items.map(({ id }) => id))
  }
}

test('the public list has every listing once, from the first page to the last', async () => {
  expect(await pageThrough((page) => `/list-auto-parts/${page}?perPage=7`)).toEqual(ids)
})

test('the list stays complete after listings leave the middle and others are added on top', async () => {
  const gone = ids.filter((_, at) => at % 200 === 3)
  await Promise.all(gone.map((id) => seller.api.delete(`/seller/parts/${id}`)))
  const came = await makeStock(app.db, { sellerId: seller.user.sellerId, parts: 30 })
  ids = [...came.reverse(), ...ids.filter((id) => !gone.includes(id))]
  expect(await pageThrough((page) => `/list-auto-parts/${page}?perPage=40`)).toEqual(ids)
  expect(await pageThrough((page) => `/parts?page=${page}&perPage=100`)).toEqual(ids)
})

test('a seller pages through active and ended listings', async () => {
  const ended = ids.filter((_, at) => at % 2 === 0)
  await withChangeSet(app.db, { actorKind: 'system', reason: 'end' }, async (trx) => {
    await sql`update listing set ended_at = now(), ended_reason = 'scrapped' where id = any(${ended}::uuid[])`.execute(
      trx,
    )
    await sql`update listing_search set live = false where listing_id = any(${ended}::uuid[])`.execute(trx)
  })
  const own = (state: string) => (page: number) => `/seller/parts?state=${state}&page=${page}&perPage=100`
  expect(await pageThrough(own('sold'), seller.api)).toEqual(ended)
  ids = ids.filter((_, at) => at % 2 === 1)
  expect(await pageThrough(own('active'), seller.api)).toEqual(ids)
})

test('each price order is complete, and one is the reverse of the other', async () => {
  const dear = await pageThrough((page) => `/parts?sort=price-high&page=${page}&perPage=90`)
  expect(dear.toSorted()).toEqual(ids.toSorted())
  expect(await pageThrough((page) => `/parts?sort=price-low&page=${page}&perPage=70`)).toEqual(
    dear.toReversed(),
  )
  const { rows } = await sql<{ id: string }>`
    select id from listing where id = any(${ids}::uuid[]) order by price_cents desc, id desc
  `.execute(app.db)
  expect(dear).toEqual(rows.map(({ id }) => id))
})

test('a page past the end is empty and reports the last page', async () => {
  const { body } = await app.visitor.get<ListingPage>('/parts?page=1000000000&perPage=100')
  expect(body).toMatchObject({ items: [], total: ids.length, lastPage: Math.ceil(ids.length / 100) })
  const last = await app.visitor.get<ListingPage>(`/parts?page=${body.lastPage}&perPage=100`)
  expect(last.body.items.at(-1)?.id).toBe(ids.at(-1))
})
