import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Listing, ListingPage } from '#contract/listings.ts'
import { foldTally, tallyOf } from '#server/features/market/for-sale/tally.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let sellers: SignedIn[]
beforeAll(async () => {
  sellers = await Promise.all([app.signUp(), app.signUp(), app.signUp()])
})

type Counts = { live: number; running: number; ended: number }

/** Counted row by row, for all and for each seller. */
async function expectExact(): Promise<void> {
  for (const sellerId of [undefined, ...sellers.map(({ user }) => user.sellerId)]) {
    const { rows: kept } = await sql<Counts>`
      select live, running, ended from (${tallyOf(sellerId)}) tally
    `.execute(app.db)
    const { rows: counted } = await sql<Counts>`
      select count(*) filter (where status = 'ACTIVE' and ended_at is null and deleted_at is null) as live,
             count(*) filter (where ended_at is null and deleted_at is null) as running,
             count(*) filter (where ended_at is not null and deleted_at is null) as ended
      from listing where ${sellerId ?? null}::uuid is null or seller_id = ${sellerId ?? null}
    `.execute(app.db)
    expect(kept).toEqual(counted)
  }
  const [live] = (await sql<Counts>`select live from (${tallyOf(undefined)}) tally`.execute(app.db)).rows
  expect((await app.visitor.get('/auto-parts-count')).body).toBe(live?.live)
}

const system = { actorKind: 'system', reason: 'test' } as const

test('counts are exact after every kind of change, folded or not', async () => {
  const [one] = sellers
  if (!one) throw new Error('nobody signed up')
  const made: Listing[] = []
  for (let n = 0; n < 4; n++) made.push(await makeQuickListing(one.api))
  const [sold, gone, back, hidden] = made.map(({ id }) => id)
  await expectExact()
  await one.api.post(`/seller/parts/${sold}/end`, { reason: 'sold-here' })
  await one.api.delete(`/seller/parts/${gone}`)
  await one.api.delete(`/seller/parts/${back}`)
  await one.api.post(`/seller/parts/${back}/restore`)
  await one.api.put(`/seller/parts/${back}`, { partprice: '7' })
  await withChangeSet(app.db, system, (trx) =>
    sql`update listing set status = 'HIDDEN' where id = ${hidden}`.execute(trx),
  )
  await expectExact()
  expect(await foldTally(app.db)).toBeGreaterThan(0)
  await expectExact()
  await one.api.delete(`/seller/parts/${sold}`)
  await withChangeSet(app.db, system, (trx) => sql`delete from listing where id = ${gone}`.execute(trx))
  await expectExact()
  const { body } = await one.api.get<ListingPage>('/seller/parts')
  expect(body).toMatchObject({ total: 2, lastPage: 1 })
})

test('counts are exact while others write and folding runs', async () => {
  const stock = await Promise.all(
    sellers.map(({ user }) => makeStock(app.db, { sellerId: user.sellerId, parts: 50 })),
  )
  const round = async ({ api, user }: SignedIn, at: number) => {
    const ids = stock[at] ?? []
    await Promise.all([
      ...ids.slice(0, 10).map((id) => api.delete(`/seller/parts/${id}`)),
      ...ids.slice(10, 20).map((id) => api.post(`/seller/parts/${id}/end`, {})),
      makeStock(app.db, { sellerId: user.sellerId, parts: 30 }),
      foldTally(app.db),
    ])
    await Promise.all([
      ...ids.slice(0, 20).map((id) => api.post(`/seller/parts/${id}/restore`)),
      foldTally(app.db),
      foldTally(app.db),
    ])
  }
  await Promise.all(sellers.map(round))
  await expectExact()
  while ((await foldTally(app.db)) > 0);
  await expectExact()
  const { rows } = await sql`select from listing_tally_change`.execute(app.db)
  expect(rows).toHaveLength(0)
})

test('rolled-back changes are not counted', async () => {
  const before = await app.visitor.get<number>('/auto-parts-count')
  const undone = withChangeSet(app.db, system, async (trx) => {
    await sql`delete from listing`.execute(trx)
    throw new Error('changed my mind')
  })
  await expect(undone).rejects.toThrow('changed my mind')
  expect((await app.visitor.get('/auto-parts-count')).body).toBe(before.body)
  await expectExact()
})

test('the home page numbers come from the same counts', async () => {
  const { rows } = await sql<{ listings: number; sellers: number }>`
    select count(*) as listings, count(distinct seller_id) as sellers from listing
    where status = 'ACTIVE' and ended_at is null and deleted_at is null
  `.execute(app.db)
  const { body } = await app.visitor.get<{ counts: { listings: number; sellers: number } }>('/site')
  expect(body.counts).toMatchObject(rows[0] ?? {})
})
