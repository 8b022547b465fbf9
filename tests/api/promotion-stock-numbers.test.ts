import { describe, expect, test } from 'vitest'
import type { StagedReply } from '#contract/imports.ts'
import { listLeftOut } from '#server/features/stock-files/plan/left-out.ts'
import { listLeft } from '#server/features/stock-files/plan/show-plan.ts'
import type { PromotionSummary } from '#server/features/stock-files/promotion/summaries.ts'
import { longTest } from '#tests/support/at-length.ts'
import {
  badRow,
  csvOf,
  partMapping,
  partRow,
  partRows,
  proSeller,
  type SentImport,
  sendCsv,
} from '#tests/support/make-imports.ts'
import { numbered, stockReader } from '#tests/support/numbered-parts.ts'
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

const app = await startTestApp()
await startPromotionWorker(app)
const trusted = () => proSeller(app, { trusted: true })

const { living, stocks, stateOf } = stockReader(app)

const undo = (seller: SignedIn, promotion: PromotionSummary) => undoImport(app, seller, promotion)

describe('stock numbers that are mapped for the first time', () => {
  test.each(MODES)('duplicate nothing (%s), and an undo restores everything', async (mode) => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(6))
    const before = await stateOf(seller)
    const done = await importRows(app, seller, numbered(partsFields(6)), { mode })
    expect(done).toMatchObject({ created: 0, updated: 6, ended: 0, plan: { create: 0, update: 6, end: 0 } })
    const after = await living(seller)
    expect(after.map(({ id }) => id)).toEqual(before.listings.map(({ id }) => id))
    expect(after.map(({ stock_number }) => stock_number)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `S-${n}`))

    const again = await importRows(app, seller, numbered(partsFields(6)).toReversed(), { mode })
    expect(again.plan).toMatchObject({ create: 0, update: 0, unchanged: 6, end: 0 })
    await undo(seller, again)
    expect(await undo(seller, done)).toMatchObject({ undone: 6, leftAsIs: 0 })
    expect(await stateOf(seller)).toEqual(before)

    const plain = await importRows(app, seller, partsFields(6), { mode })
    expect(plain.plan).toMatchObject({ create: 0, update: 0, unchanged: 6, end: 0 })
    const numberedAgain = await importRows(app, seller, numbered(partsFields(6)), { mode })
    expect(numberedAgain.plan).toMatchObject({ create: 0, update: 6, end: 0 })
  })

  test('several copies of one part are matched by their content, then by their order', async () => {
    const seller = await trusted()
    const [a, b, c] = ['80', '90', '100'].map((partprice) => partFields(1, { partprice }))
    await importRows(app, seller, [a ?? {}, b ?? {}, c ?? {}])
    const rows = [
      { ...c, stocknum: 'C' },
      { ...a, stocknum: 'A', partprice: '85' },
      { ...b, stocknum: 'B' },
      { ...a, stocknum: 'D', partprice: '70' },
    ]
    const done = await importRows(app, seller, rows)
    expect(done.plan).toMatchObject({ create: 1, update: 3 })
    expect(await stocks(seller)).toEqual([
      ['A', 8500],
      ['B', 9000],
      ['C', 10_000],
      ['D', 7000],
    ])
  })

  test('a part that matches another row of the file stays with that row', async () => {
    const seller = await trusted()
    await importRows(app, seller, [partFields(1), partFields(2)])
    const rows = [partFields(1), { ...partFields(1), stocknum: 'S-9' }, { ...partFields(2), stocknum: 'S-2' }]
    const done = await importRows(app, seller, rows)
    expect(done.plan).toMatchObject({ create: 1, update: 1, unchanged: 1 })
    expect(await stocks(seller)).toEqual([
      [null, 9550],
      ['S-2', 9550],
      ['S-9', 9550],
    ])
  })

  test('equal rows that were a quantity become separate parts', async () => {
    const seller = await trusted()
    await importRows(app, seller, [partFields(1), partFields(1)])
    const done = await importRows(app, seller, numbered([partFields(1), partFields(1)]))
    expect(done.plan).toMatchObject({ create: 1, update: 1 })
    expect((await living(seller)).map(({ quantity }) => quantity)).toEqual([1, 1])
    await undo(seller, done)
    expect((await living(seller)).map(({ quantity, stock_number }) => [quantity, stock_number])).toEqual([
      [2, null],
    ])
  })

  test('a part whose stock number was set by hand and a deleted part are not matched', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(3))
    const [first, second] = await listingsOf(app, seller)
    await seller.api.put(`/seller/parts/${first?.id}`, { stocknum: 'T-1' })
    await seller.api.delete(`/seller/parts/${second?.id}`)
    const done = await importRows(app, seller, numbered(partsFields(3)))
    expect(done.plan).toMatchObject({ create: 2, update: 1 })
    expect((await stocks(seller)).map(([stock]) => stock)).toEqual(['T-1', 'S-3', 'S-1', 'S-2'])
  })

  test('a part ended by hand stays ended; one ended by a full inventory is live again', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(6))
    await importRows(app, seller, partsFields(5), { mode: 'replace' })
    const [sold] = await listingsOf(app, seller)
    await seller.api.post(`/seller/parts/${sold?.id}/end`, { reason: 'sold-here' })
    const done = await importRows(app, seller, numbered(partsFields(6)))
    expect(done.plan).toMatchObject({ create: 0, update: 6 })
    expect((await living(seller)).map(({ ended_reason }) => ended_reason)).toEqual([
      'sold-here',
      null,
      null,
      null,
      null,
      null,
    ])
    await undo(seller, done)
    expect((await living(seller)).map(({ ended_reason }) => ended_reason)).toEqual([
      'sold-here',
      null,
      null,
      null,
      null,
      'sold-elsewhere',
    ])
  })

  test('a full inventory does not end a part whose row was refused', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(6))
    const rows = numbered(partsFields(6)).map((row, at) =>
      at === 2 ? { ...row, partprice: 'call us' } : row,
    )
    const done = await importRows(app, seller, rows, { mode: 'replace' })
    expect(done.plan).toMatchObject({ create: 0, update: 5, end: 0, refused: 1 })
    expect((await living(seller)).filter(({ ended_at }) => ended_at !== null)).toEqual([])
  })

  longTest('a full inventory does not end a part whose row was rejected by the check', async () => {
    const seller = await trusted()
    const { stocknum: _, ...mapping } = partMapping
    const send = async (rows: string[][], fields: SentImport['fields']) => {
      const { body } = await sendCsv<StagedReply>(seller.api, { file: csvOf(rows), fields: { ...fields } })
      const { id } = await app.db
        .selectFrom('promotion')
        .select('id')
        .where('import_id', '=', body.importId)
        .executeTakeFirstOrThrow()
      return untilState(app, id, 'applied')
    }
    await send(partRows(6), { mapping })
    const done = await send([...partRows(5), badRow(6)], { mode: 'replace' })
    expect(done.plan).toMatchObject({ create: 0, update: 5, end: 0 })
    expect((await living(seller)).map(({ ended_at }) => ended_at)).toEqual(Array(6).fill(null))
  })

  /** Parts of the vehicle V-1, with prices that may be wrong. */
  const onVehicle = (...parts: [title: string, price: string][]): string[][] =>
    parts.map(([Title, Price]) => partRow(1, { Stock: 'V-1', Title, Price, Type: Title }))
  const others = partRows(12, 20)
  const first = onVehicle(['Radiator', '90'], ['Front Door', '120'], ['Hood', '80'])
  const next = onVehicle(['Radiator', '90'], ['Front Door', 'call us'], ['Tail Light', 'ask'])

  longTest('of a vehicle with a refused row, a full inventory ends the parts that it is not', async () => {
    const seller = await trusted()
    const fieldsOf = (rows: string[][]) =>
      rows.map(([stocknum, partname, partcategory, partmanu, partmodel, partyear, partprice]) => ({
        ...{ stocknum, partname, partcategory, partmanu, partmodel, partyear, partprice },
      })) as ReturnType<typeof partsFields>
    await importRows(app, seller, fieldsOf([...first, ...others]))
    const done = await importRows(app, seller, fieldsOf([...next, ...others]), { mode: 'replace' })
    expect(done.plan).toMatchObject({ create: 0, end: 1, refused: 2 })
    expect((await living(seller)).filter(({ ended_at }) => ended_at).map(({ name }) => name)).toEqual([
      'Hood',
    ])
  })

  test('the only part under the number of a refused row stays, however much of the row is new', async () => {
    const seller = await trusted()
    const before = numbered(partsFields(12))
    await importRows(app, seller, before)
    const corrected = {
      partname: 'Fuel Pump',
      partcategory: 'Fuel Pump',
      partnum: 'X-77',
      partprice: 'call us',
    }
    const rows = before.map((row, at) => (at === 2 ? { ...row, ...corrected } : row))
    const done = await importRows(app, seller, rows, { mode: 'replace' })
    expect(done.plan).toMatchObject({ create: 0, end: 0, refused: 1 })
  })

  test('the same of a row that the check rejected, and its dry run says so', async () => {
    const seller = await trusted()
    const send = async (rows: string[][], sent: Pick<SentImport, 'fields' | 'dryRun'>) =>
      (await sendCsv<StagedReply>(seller.api, { file: csvOf(rows), ...sent })).body
    const applied = async ({ importId }: StagedReply) => {
      const promotions = app.db.selectFrom('promotion').select('id').where('import_id', '=', importId)
      return untilState(app, (await promotions.executeTakeFirstOrThrow()).id, 'applied')
    }
    await applied(await send([...first, ...others], {}))
    const stock = [...next, ...others]
    const dryRun: unknown = await send(stock, { fields: { mode: 'replace' }, dryRun: true })
    expect(dryRun).toMatchObject({ preview: { plan: { ends: 1 } } })
    const done = await applied(await send(stock, { fields: { mode: 'replace' } }))
    expect(done.plan).toMatchObject({ create: 0, end: 1 })
    expect((await living(seller)).filter(({ ended_at }) => ended_at).map(({ name }) => name)).toEqual([
      'Hood',
    ])
  })

  test('undoing the import that created the parts while a later one is live lists them as left', async () => {
    const seller = await trusted()
    const first = await importRows(app, seller, partsFields(2))
    await importRows(app, seller, numbered(partsFields(2)))
    expect(await undo(seller, first)).toMatchObject({ undone: 0, leftAsIs: 2 })
    expect((await listLeft(app.db, first.id, 10)).map(({ reason }) => reason)).toEqual([
      'A later import changed it.',
      'A later import changed it.',
    ])
    expect(await living(seller)).toHaveLength(2)
  })

  test('a part that a person changes between plan and page is left as it is', async () => {
    const seller = await proSeller(app)
    const admin = await app.signUp({ role: 'admin' })
    const promote = (path: string) =>
      admin.api.post('/admin/automation/staging/promote', { root: 'ecomm', paths: [path] })
    const first = await sendRows(app, seller, partsFields(3))
    await untilState(app, first.promotionId, 'planned')
    await promote(first.path)
    await untilState(app, first.promotionId, 'applied')
    const next = await sendRows(app, seller, numbered(partsFields(3)))
    expect((await untilState(app, next.promotionId, 'planned')).plan).toMatchObject({ create: 0, update: 3 })
    const [one, two] = await listingsOf(app, seller)
    await seller.api.put(`/seller/parts/${one?.id}`, { stocknum: 'T-1' })
    await seller.api.delete(`/seller/parts/${two?.id}`)
    await promote(next.path)
    const done = await untilState(app, next.promotionId, 'applied')
    expect(done).toMatchObject({ created: 2, updated: 1 })
    expect((await stocks(seller)).map(([stock]) => stock)).toEqual(['T-1', 'S-3', 'S-1', 'S-2'])
    expect(await undo(seller, done)).toMatchObject({ undone: 3, leftAsIs: 0 })
    expect((await stocks(seller)).map(([stock]) => stock)).toEqual(['T-1', null])
  })
})

describe('rows with the stock number and name of an earlier row', () => {
  const again = { ...partFields(3), stocknum: 'S-3', partprice: '70' }

  test('that differ from it are left out, where numbers are of parts', async () => {
    const seller = await trusted()
    const done = await importRows(app, seller, [...numbered(partsFields(12)), again])
    expect(done.plan).toMatchObject({ create: 12, refused: 1 })
    expect((await stocks(seller)).filter(([number]) => number === 'S-3')).toEqual([['S-3', 9550]])
    const [left] = await listLeftOut(app.db, done.id)
    expect(left).toMatchObject({ rowNo: 13, why: 'disagrees', firstRow: 3 })
  })

  test('are parts of their own, where numbers are of vehicles', async () => {
    const seller = await trusted()
    const rows = numbered(partsFields(12)).map((fields) => ({ ...fields, stocknum: 'CAR-1' }))
    const done = await importRows(app, seller, [...rows, { ...again, stocknum: 'CAR-1' }])
    expect(done.plan).toMatchObject({ create: 13, refused: 0 })
  })
})
