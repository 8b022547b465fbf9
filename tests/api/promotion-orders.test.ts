import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ImportReceipt } from '#contract/imports.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import { endHolds, makeOrder, sellHere } from '#tests/support/make-orders.ts'
import {
  importRows,
  listingsOf,
  MODES,
  partFields,
  partsFields,
  sendRows,
  startPromotionWorker,
  undoImport,
  untilState,
} from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What files do to parts that buyers have ordered. */

const app = await startTestApp()
await startPromotionWorker(app)
const trusted = () => proSeller(app, { trusted: true })

const receiptOf = async ({ api }: SignedIn, { importId }: { importId: string | null }) =>
  (await api.get<ImportReceipt>(`/pro/imports/${importId}/receipt`)).body
const endsOf = async (seller: SignedIn) =>
  (await listingsOf(app, seller)).map(({ ended_reason }) => ended_reason)

const firstEnds = async (seller: SignedIn) => (await endsOf(seller)).slice(0, 3)

const row = (number: number, changes: object = {}) =>
  partFields(number, { stocknum: `S-${number}`, ...changes })

describe('a part that a file would end', () => {
  test.each(['pending', 'authorized', 'capturing'] as const)('stays while its order is %s', async (state) => {
    const seller = await trusted()
    const rest = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((at) => row(at))
    await importRows(app, seller, [row(1), row(2), ...rest])
    const [held] = await listingsOf(app, seller)
    const { id, number } = await makeOrder(app.db, { listingId: held?.id ?? '', state })
    const done = await importRows(app, seller, rest, { mode: 'replace' })
    expect(done).toMatchObject({ ended: 1, plan: { end: 1 } })
    expect(await firstEnds(seller)).toEqual([null, 'sold-elsewhere', null])
    expect((await receiptOf(seller, done)).ordered).toMatchObject({
      total: 1,
      rows: [{ listing: { id: held?.id }, order: { id, number }, reason: expect.stringContaining(number) }],
    })
    // The next file asks again, until the order answers.
    await endHolds(app.db, id)
    const next = await importRows(app, seller, rest, { mode: 'replace' })
    expect((await receiptOf(seller, next)).ordered.total).toBe(0)
    expect(await firstEnds(seller)).toEqual(['sold-elsewhere', 'sold-elsewhere', null])
  })

  test('stays if it is ordered after the plan', async () => {
    const seller = await trusted()
    await importRows(app, seller, [row(1), row(2)])
    const [held] = await listingsOf(app, seller)
    const { promotionId, importId, path } = await sendRows(app, seller, [row(2)], { mode: 'replace' })
    const { planId, plan } = await untilState(app, promotionId, 'review')
    expect(plan).toMatchObject({ end: 1 })
    await makeOrder(app.db, { listingId: held?.id ?? '', state: 'pending' })
    const admin = await app.signUp({ role: 'admin' })
    const approval = { root: 'ecomm', paths: [path], planId }
    expect((await admin.api.post('/admin/automation/staging/promote', approval)).status).toBe(202)
    expect(await untilState(app, promotionId, 'applied')).toMatchObject({ ended: 0 })
    expect(await endsOf(seller)).toEqual([null, null])
    expect((await receiptOf(seller, { importId })).ordered.rows).toMatchObject([
      { listing: { id: held?.id } },
    ])
  })
})

describe.each(MODES)('in mode %s', (mode) => {
  test('price and text follow the file; the quantity does not fall below what is ordered', async () => {
    const seller = await trusted()
    const twice = [row(1), row(1), row(1)]
    await importRows(app, seller, twice)
    const [held] = await listingsOf(app, seller)
    expect(held?.quantity).toBe(3)
    const { number } = await makeOrder(app.db, {
      listingId: held?.id ?? '',
      state: 'authorized',
      quantity: 2,
    })
    const done = await importRows(app, seller, [row(1, { partprice: '80' })], { mode })
    expect(done.updated).toBe(1)
    expect((await listingsOf(app, seller))[0]).toMatchObject({ quantity: 3, price_cents: 8_000 })
    expect((await receiptOf(seller, done)).ordered.rows).toMatchObject([
      { reason: expect.stringContaining(number) },
    ])
    const same = await importRows(app, seller, [row(1, { partprice: '80' })], { mode })
    expect(await receiptOf(seller, same)).toMatchObject({ unchanged: 1, refused: 0, ordered: { total: 0 } })
  })

  test('a part that was sold here and is still in the file stays sold; after 30 days its seller is asked', async () => {
    const seller = await trusted()
    await importRows(app, seller, [row(1), row(2)])
    const [sold] = await listingsOf(app, seller)
    const { number } = await makeOrder(app.db, { listingId: sold?.id ?? '', state: 'confirmed' })
    await sellHere(app.db, sold?.id ?? '', new Date(Date.now() - 29 * 86_400_000))
    const done = await importRows(app, seller, [row(1, { partprice: '80' }), row(2)], { mode })
    expect(await endsOf(seller)).toEqual(['sold-here', null])
    expect((await receiptOf(seller, done)).ordered.total).toBe(0)
    await sql`
      update part_order set state = 'delivered' where number = ${number}`.execute(app.db)
    await sellHere(app.db, sold?.id ?? '', new Date(Date.now() - 31 * 86_400_000))
    const later = await importRows(app, seller, [row(1, { partprice: '70' }), row(2)], { mode })
    expect(await endsOf(seller)).toEqual(['sold-here', null])
    expect((await receiptOf(seller, later)).ordered.rows).toMatchObject([
      { listing: { id: sold?.id }, order: { number }, reason: expect.stringContaining('30 days') },
    ])
  })
})

test('a full file without a part that was sold here agrees', async () => {
  const seller = await trusted()
  await importRows(app, seller, [row(1), row(2)])
  const [sold] = await listingsOf(app, seller)
  await makeOrder(app.db, { listingId: sold?.id ?? '', state: 'confirmed' })
  await sellHere(app.db, sold?.id ?? '')
  const done = await importRows(app, seller, [row(2)], { mode: 'replace' })
  expect(await receiptOf(seller, done)).toMatchObject({ ended: 0, ordered: { total: 0 } })
  expect(await endsOf(seller)).toEqual(['sold-here', null])
})

test('undoing an import leaves ordered parts and names their orders', async () => {
  const seller = await trusted()
  const done = await importRows(app, seller, partsFields(3))
  const [held, sold] = await listingsOf(app, seller)
  const { number } = await makeOrder(app.db, { listingId: held?.id ?? '', state: 'authorized' })
  await makeOrder(app.db, { listingId: sold?.id ?? '', state: 'shipped' })
  await sellHere(app.db, sold?.id ?? '')
  expect(await undoImport(app, seller, done)).toMatchObject({ undone: 1, leftAsIs: 2 })
  const { left } = await receiptOf(seller, done)
  expect(left).toMatchObject([
    { id: held?.id, reason: `A buyer ordered it (${number}).` },
    { id: sold?.id, reason: 'It was ended after the import.' },
  ])
  expect((await listingsOf(app, seller)).map(({ deleted_at }) => deleted_at !== null)).toEqual([
    false,
    false,
    true,
  ])
})
