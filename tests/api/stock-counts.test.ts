import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { isForSale } from '#server/features/market/for-sale/for-sale.ts'
import { settleGoneSellers } from '#server/features/market/for-sale/gone-sellers.ts'
import { countPairs, foldStock, readStockCounts } from '#server/features/market/for-sale/stock-counts.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { readLookupIds } from '#server/features/running/demo/load-demo.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const PARTS = 40
let sellers: SignedIn[]
let stock: string[][]
let kinds: { category_id: string | null; manufacturer_id: string | null; car_model_id: string | null }[]

beforeAll(async () => {
  sellers = await Promise.all([app.signUp(), app.signUp()])
  const { categories, manufacturers, models } = await readLookupIds(app.db)
  kinds = [
    ['Alternator', 'Ford', 'Ford/F-150'],
    ['Tailgate', 'Ford', 'Ford/Ranger'],
    ['Alternator', 'Toyota', 'Toyota/Tundra'],
    ['', 'Toyota', ''],
  ].map(([part = '', make = '', model = '']) => ({
    category_id: categories.get(part) ?? null,
    manufacturer_id: manufacturers.get(make) ?? null,
    car_model_id: models.get(model) ?? null,
  }))
  stock = await Promise.all(sellers.map((seller) => addParts(seller)))
})

const addParts = ({ user }: SignedIn, parts = PARTS) =>
  makeStock(app.db, { sellerId: user.sellerId, parts }, (at) => ({
    ...kinds[at % kinds.length],
    year_from: 2005 + (at % 7),
    year_to: 2005 + (at % 7) + (at % 3),
  }))

type Count = { name: string; live: number }

/** As the counts are after all folds, and as counting all listings gives. */
async function expectExact(): Promise<void> {
  while ((await foldStock(app.db)) > 0);
  const { rows: kept } = await sql<Count>`
    select concat_ws(' ', id, nullif(year, 0)) as name, live from stock_count where live <> 0
    union all
    select concat_ws('/', car_model_id, category_id), live from stock_pair where live <> 0 order by 1`.execute(
    app.db,
  )
  const { rows: counted } = await sql<Count>`
    with l as (select * from listing l where ${isForSale})
    select named::text as name, count(*)::int as live
    from l cross join unnest(array[category_id, manufacturer_id, car_model_id]) named where named is not null group by 1
    union all
    select car_model_id || ' ' || year, count(*)::int
    from l cross join generate_series(year_from::int, year_to::int) year where car_model_id is not null group by 1
    union all
    select car_model_id || '/' || category_id, count(*)::int
    from l where car_model_id is not null and category_id is not null group by 1 order by 1`.execute(app.db)
  expect(kept).toEqual(counted)
  expect(kept.length).toBeGreaterThan(0)
  expect((await readStockCounts(app.db, -1)).isBehind).toBe(false)
}

const setDisabled = async ({ user }: SignedIn, isDisabled: boolean) =>
  app.db.transaction().execute(async (trx) => {
    await sql`update app_user set disabled_at = ${isDisabled ? new Date() : null} where id = ${user.id}`.execute(
      trx,
    )
    await settleGoneSellers(trx, user.id)
  })

const system = { actorKind: 'system', reason: 'test' } as const

test('counts are exact after every kind of change', async () => {
  const [one] = sellers
  const [sold, gone, back, moved, hidden, erased] = stock[0] ?? []
  if (!one) throw new Error('nobody signed up')
  await expectExact()
  await one.api.post(`/seller/parts/${sold}/end`, { reason: 'sold-here' })
  await one.api.delete(`/seller/parts/${gone}`)
  await one.api.delete(`/seller/parts/${back}`)
  await one.api.post(`/seller/parts/${back}/restore`)
  await withChangeSet(app.db, system, async (trx) => {
    await sql`update listing set status = 'HIDDEN' where id = ${hidden}`.execute(trx)
    await sql`delete from listing where id = ${erased}`.execute(trx)
    await sql`update listing set car_model_id = ${kinds[2]?.car_model_id}, year_to = 2030 where id = ${moved}`.execute(
      trx,
    )
  })
  await expectExact()
})

test('a change of what is not counted notes nothing', async () => {
  await withChangeSet(app.db, system, (trx) =>
    sql`update listing set price_cents = price_cents + 1`.execute(trx),
  )
  expect((await sql`select from stock_change`.execute(app.db)).rows).toHaveLength(0)
})

test('reading again returns only what a later fold changed', async () => {
  const before = await readStockCounts(app.db, -1)
  const last = Math.max(...before.counts.map(({ changed }) => changed))
  expect((await readStockCounts(app.db, last)).counts).toEqual([])
  await makeStock(app.db, { sellerId: sellers[0]?.user.sellerId ?? '', parts: 1 }, () => ({
    ...kinds[1],
    year_from: 2001,
    year_to: 2002,
  }))
  expect((await readStockCounts(app.db, last)).isBehind).toBe(true)
  await foldStock(app.db)
  const { category_id, manufacturer_id, car_model_id } = kinds[1] ?? {}
  const { counts } = await readStockCounts(app.db, last)
  expect(counts.map(({ id, year }) => `${id} ${year}`).toSorted()).toEqual(
    [
      `${category_id} 0`,
      `${manufacturer_id} 0`,
      `${car_model_id} 0`,
      `${car_model_id} 2001`,
      `${car_model_id} 2002`,
    ].sort(),
  )
})

test('parts of a seller who is gone are not counted, whatever happens to them meanwhile', async () => {
  const [, other] = sellers
  if (!other) throw new Error('nobody signed up')
  await addParts(other, 5)
  await setDisabled(other, true)
  expect((await readStockCounts(app.db, -1)).isBehind).toBe(true)
  await expectExact()
  await addParts(other, 9)
  await expectExact()
  await addParts(other, 3)
  await setDisabled(other, false)
  await expectExact()
})

test('counts are exact while others write and several fold', async () => {
  await Promise.all(
    sellers.map(async (seller, at) => {
      const ids = stock[at]?.slice(10, 20) ?? []
      await Promise.all([
        ...ids.map((id) => seller.api.delete(`/seller/parts/${id}`)),
        addParts(seller, 30),
        ...[1, 2, 3].map(() => foldStock(app.db)),
      ])
      await Promise.all([
        ...ids.map((id) => seller.api.post(`/seller/parts/${id}/restore`)),
        ...[1, 2, 3].map(() => foldStock(app.db)),
        at === 0 && setDisabled(seller, true),
      ])
    }),
  )
  await expectExact()
})

test('only pairs in stock are counted', async () => {
  const [alternator, tailgate] = kinds
  const pair = (part: typeof alternator, model: typeof alternator) => ({
    modelId: model?.car_model_id ?? '',
    partId: part?.category_id ?? '',
  })
  const counted = await countPairs(app.db, [pair(tailgate, tailgate), pair(tailgate, alternator)])
  expect(counted).toEqual([{ ...pair(tailgate, tailgate), live: expect.any(Number) }])
})
