import { expect, test } from 'vitest'
import type { DryRunReply, ImportReceipt, ImportRecord, StagedReply } from '#contract/imports.ts'
import type { PromotionSummary } from '#server/features/stock-files/promotion/summaries.ts'
import { csvOf, partHeader, partMapping, partRow, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { listingsOf, startPromotionWorker, untilImport } from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* A row with quantity 0 in a file that adds to the stock: its part is gone. */

const app = await startTestApp()
await startPromotionWorker(app)

const fields = { mapping: { ...partMapping, partquantity: 'Bin' } }
const row = (number: number, quantity: string, changes = {}) =>
  partRow(number, { Model: 'Crown Victoria', Bin: quantity, ...changes })

const check = async ({ api }: SignedIn, rows: string[][]) =>
  (await sendCsv<DryRunReply>(api, { file: csvOf(rows), fields, dryRun: true })).body.preview

async function run(
  { api }: SignedIn,
  rows: string[][],
  state: PromotionSummary['state'] = 'applied',
): Promise<ImportRecord> {
  const { importId } = (await sendCsv<StagedReply>(api, { file: csvOf(rows), fields })).body
  return untilImport(app, api, importId, state)
}

/** Stock number and end reason of each listing. */
const stock = async (seller: SignedIn) =>
  (await listingsOf(app, seller))
    .map(({ stock_number, name, ended_at, ended_reason }) =>
      [stock_number, name, ended_at && ended_reason].filter(Boolean).join(' '),
    )
    .toSorted()

const many = (from: number) => Array.from({ length: 12 }, (_, at) => row(from + at, '1'))

test('ends the part as sold elsewhere, as the check says, and undo brings it back', async () => {
  const seller = await proSeller(app, { trusted: true })
  // One vehicle's parts share its number.
  const vehicle = (name: string, category: string, quantity: string, price = '80') =>
    row(1, quantity, { Stock: 'V-7', Title: name, Type: category, Price: price })
  await run(seller, [...many(100), vehicle('Hood', 'Hood', '1'), vehicle('Radiator', 'Radiator', '1')])
  const before = await stock(seller)
  expect(before).toHaveLength(14)

  const next = [
    vehicle('Radiator', 'Radiator', '0', ''),
    row(100, '0', { Price: '0' }),
    row(101, '2'),
    row(999, '0'),
    row(998, '0', { Stock: 'V-7', Title: 'Alternator', Type: 'Alternator' }),
  ]
  const { errors, plan, whole } = await check(seller, next)
  expect(errors).toBe(4)
  expect(plan).toMatchObject({ creates: 0, updates: 1, ends: 2, held: 0 })
  expect(whole).toEqual({ create: 0, update: 1, unchanged: 0, merged: 0, refused: 0 })

  const done = await run(seller, next)
  expect(done).toMatchObject({ rejected: 4, plan: { create: 0, update: 1, ended: 2, held: 0 } })
  expect((await stock(seller)).filter((part) => part.endsWith('sold-elsewhere'))).toEqual([
    'S-100 Alternator 100 sold-elsewhere',
    'V-7 Radiator sold-elsewhere',
  ])
  const { body: receipt } = await seller.api.get<ImportReceipt>(`/pro/imports/${done.id}/receipt`)
  expect(receipt).toMatchObject({ ended: 2, refused: 0 })

  // The same file again ends nothing more, and one that has the part brings it back.
  expect((await check(seller, next)).plan).toMatchObject({ ends: 0 })
  await run(seller, [row(100, '1')])
  expect((await stock(seller)).filter((part) => part.endsWith('sold-elsewhere'))).toHaveLength(1)

  expect((await seller.api.post(`/pro/imports/${done.id}/undo`)).status).toBe(202)
  await untilImport(app, seller.api, done.id, 'undone')
  expect(await stock(seller)).toEqual(before)
})

test('that names no stock number and may be any of several parts ends none, and counts once', async () => {
  const seller = await proSeller(app, { trusted: true })
  const alike = (stock: string, quantity: string, price: string) =>
    row(1, quantity, { Stock: stock, Title: 'Hood', Type: 'Hood', Price: price })
  await run(seller, [...many(300), alike('A-1', '1', '80'), alike('A-2', '1', '90')])
  const next = [row(300, '2'), alike('', '0', '85')]
  const { total, errors, plan, whole } = await check(seller, next)
  expect([total, errors, plan?.ends, whole?.refused]).toEqual([2, 1, 0, 0])
  const done = await run(seller, next)
  const { body: receipt } = await seller.api.get<ImportReceipt>(`/pro/imports/${done.id}/receipt`)
  expect(receipt).toMatchObject({ total: 2, rejected: 1, refused: 0, updated: 1, ended: 0 })
})

test('asks first if more than a fifth of the stock would end', async () => {
  const seller = await proSeller(app, { trusted: true })
  await run(seller, many(1))
  const next = [1, 2, 3].map((number) => row(number, '0'))
  expect((await check(seller, next)).goesLive).toMatchObject({ how: 'confirm' })
  const { review } = await run(seller, next, 'review')
  expect(review[0]?.message).toMatch(/^3 of 12 live parts \(25%\) are not for sale in this file/)
  expect((await stock(seller)).filter((part) => part.endsWith('sold-elsewhere'))).toEqual([])
})

test('a part on hold leaves the site, and comes back as it was', async () => {
  const seller = await proSeller(app, { trusted: true })
  const header = partHeader.map((column) => (column === 'Bin' ? 'Status' : column))
  const send = async (state: string) => {
    const rows = [row(1, state), ...Array.from({ length: 11 }, (_, at) => row(100 + at, 'Available'))]
    const sent = { file: csvOf(rows, header), fields: { mapping: partMapping } }
    const { importId } = (await sendCsv<StagedReply>(seller.api, sent)).body
    return untilImport(app, seller.api, importId, 'applied')
  }
  const find = async () => {
    const found = (await listingsOf(app, seller)).find(({ stock_number }) => stock_number === 'S-1')
    if (!found) throw new Error('the part is missing')
    return found
  }
  await send('Available')
  const first = await find()
  await seller.api.put(`/seller/parts/${first.id}`, { partprice: '77.50' })

  expect(await send('On Hold')).toMatchObject({ rejected: 1, plan: { ended: 1 } })
  expect(await find()).toMatchObject({ id: first.id, ended_reason: 'sold-elsewhere' })

  await send('Available')
  expect(await find()).toMatchObject({ id: first.id, slug: first.slug, ended_at: null, price_cents: 7750 })
})
