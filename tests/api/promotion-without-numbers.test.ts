import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { PromotionSummary } from '#server/features/stock-files/promotion/summaries.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { longTest } from '#tests/support/at-length.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import { numbered, stockReader } from '#tests/support/numbered-parts.ts'
import {
  importRows,
  MODES,
  partFields,
  partsFields,
  sourcesOf,
  startPromotionWorker,
  undoImport,
} from '#tests/support/promotions.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Parts that were imported with stock numbers, in a file without them. */

const app = await startTestApp()
await startPromotionWorker(app)
const trusted = () => proSeller(app, { trusted: true })

const { living, stocks, stateOf } = stockReader(app)

async function logOf({ id }: PromotionSummary): Promise<string[]> {
  const { plan_job_id: jobId } = await app.db
    .selectFrom('promotion')
    .select('plan_job_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const events = await app.db
    .selectFrom('job_event')
    .select('message')
    .where('job_id', '=', jobId)
    .orderBy('seq')
    .execute()
  return events.flatMap(({ message }) => message ?? [])
}

describe('a file without stock numbers after one with them', () => {
  test.each(MODES)('duplicates nothing (%s), and an undo restores everything', async (mode) => {
    const seller = await trusted()
    await importRows(app, seller, numbered(partsFields(6)))
    const before = await stateOf(seller)
    const cheaper = partsFields(6, { partprice: '80' })
    const done = await importRows(app, seller, cheaper, { mode })
    expect(done).toMatchObject({ created: 0, updated: 6, ended: 0, plan: { create: 0, update: 6, end: 0 } })
    const after = await living(seller)
    expect(after.map(({ id }) => id)).toEqual(before.listings.map(({ id }) => id))
    expect(await stocks(seller)).toEqual([1, 2, 3, 4, 5, 6].map((n) => [`S-${n}`, 8000]))

    const again = await importRows(app, seller, cheaper.toReversed(), { mode })
    expect(again.plan).toMatchObject({ create: 0, update: 0, unchanged: 6, end: 0 })
    await undoImport(app, seller, again)
    expect(await undoImport(app, seller, done)).toMatchObject({ undone: 6, leftAsIs: 0 })
    expect(await stateOf(seller)).toEqual(before)

    const back = await importRows(app, seller, numbered(partsFields(6)), { mode })
    expect(back.plan).toMatchObject({ create: 0, update: 0, unchanged: 6, end: 0 })
  })

  longTest('switches back and forth between files with and without the numbers', async () => {
    const seller = await trusted()
    const files = [numbered(partsFields(4)), partsFields(4), numbered(partsFields(4)), partsFields(4)]
    for (const [at, rows] of files.entries()) {
      const { plan } = await importRows(app, seller, rows)
      expect(plan).toMatchObject(at === 0 ? { create: 4 } : { create: 0, refused: 0 })
      expect(await living(seller)).toHaveLength(4)
    }
    const other = await trusted()
    for (const [at, rows] of files.slice(1).entries()) {
      const { plan } = await importRows(app, other, rows)
      expect(plan).toMatchObject(at === 0 ? { create: 4 } : { create: 0, refused: 0 })
      expect(await living(other)).toHaveLength(4)
    }
  })

  test('rows with numbers keep theirs, and rows without do not lose theirs', async () => {
    const seller = await trusted()
    await importRows(app, seller, numbered(partsFields(3)))
    const rows = [
      { ...partFields(1), stocknum: 'S-1' },
      partFields(2, { partprice: '70' }),
      partFields(3, { stocknum: '', partprice: '71' }),
      { ...partFields(4), stocknum: 'S-4' },
    ]
    const { plan } = await importRows(app, seller, rows)
    expect(plan).toMatchObject({ create: 1, update: 2, unchanged: 1 })
    expect(await stocks(seller)).toEqual([
      ['S-1', 9550],
      ['S-2', 7000],
      ['S-3', 7100],
      ['S-4', 9550],
    ])
  })
})

type Case = {
  what: string
  stock: Fields[]
  rows: Fields[]
  plan: Record<string, number>
  prices: (readonly [string | null, number])[]
  says?: string
}

const twins = [
  { ...partFields(1), stocknum: 'A' },
  { ...partFields(1, { partprice: '80' }), stocknum: 'B' },
]

const cases: Case[] = [
  {
    what: 'one row that could be either of two parts is left out',
    stock: twins,
    rows: [partFields(1, { partprice: '70' })],
    plan: { create: 0, update: 0, refused: 1 },
    prices: [
      ['A', 9550],
      ['B', 8000],
    ],
    says: 'Record 1 is left out: it has no stock number and could be any of 2 of your parts (stock number A, B). Add its stock number.',
  },
  {
    what: 'two rows that could both be the same part are left out',
    stock: twins.slice(0, 1),
    rows: [partFields(1, { partprice: '70' }), partFields(1, { partprice: '71' })],
    plan: { create: 0, update: 0, refused: 2 },
    prices: [['A', 9550]],
    says: 'Record 2 is left out: it and another record have no stock number, and each could be the same part of yours (stock number A). Add their stock numbers.',
  },
  {
    what: 'the number of one row identifies the other',
    stock: twins,
    rows: [{ ...partFields(1, { partprice: '60' }), stocknum: 'B' }, partFields(1, { partprice: '70' })],
    plan: { create: 0, update: 2, refused: 0 },
    prices: [
      ['A', 7000],
      ['B', 6000],
    ],
  },
  {
    what: 'of several parts the one with the same content matches, whatever the others are',
    stock: twins,
    rows: [partFields(1, { partprice: '80' }), partFields(1, { partprice: '70' })],
    plan: { create: 0, update: 1, unchanged: 1, refused: 0 },
    prices: [
      ['A', 7000],
      ['B', 8000],
    ],
  },
  {
    what: 'equal rows match equal parts when there are as many of each',
    stock: [twins[0] ?? {}, { ...twins[0], stocknum: 'C' }, partFields(2, { stocknum: 'D' })],
    rows: [partFields(1), partFields(1), partFields(2)],
    plan: { create: 0, update: 0, unchanged: 3, merged: 0, refused: 0 },
    prices: [
      ['A', 9550],
      ['C', 9550],
      ['D', 9550],
    ],
  },
  {
    what: 'equal rows are left out when there are fewer rows than equal parts',
    stock: [twins[0] ?? {}, { ...twins[0], stocknum: 'C' }, { ...twins[0], stocknum: 'E' }],
    rows: [partFields(1), partFields(1)],
    plan: { create: 0, update: 0, unchanged: 0, merged: 0, refused: 2 },
    prices: [
      ['A', 9550],
      ['C', 9550],
      ['E', 9550],
    ],
  },
  {
    what: 'equal rows become the quantity of the only equal part',
    stock: twins.slice(0, 1),
    rows: [partFields(1), partFields(1)],
    plan: { create: 0, update: 1, merged: 1, refused: 0 },
    prices: [['A', 9550]],
  },
  {
    what: 'a row without a number matches the part imported without one, not the numbered part',
    stock: [...twins.slice(0, 1), partFields(1, { partprice: '50' })],
    rows: [partFields(1, { partprice: '51' })],
    plan: { create: 0, update: 1, refused: 0 },
    prices: [
      ['A', 9550],
      [null, 5100],
    ],
  },
  {
    what: 'a different number, year, make, model or name is a different part',
    stock: twins.slice(0, 1),
    rows: [partFields(1, { partyear: '2015' })],
    plan: { create: 1, update: 0, refused: 0 },
    prices: [
      ['A', 9550],
      [null, 9550],
    ],
  },
]

longTest.each(cases)(
  'matching a row without a number: $what',
  async ({ stock, rows, plan, prices, says }) => {
    const seller = await trusted()
    await importRows(app, seller, stock)
    const done = await importRows(app, seller, rows)
    expect(done.plan).toMatchObject(plan)
    expect(await stocks(seller)).toEqual(prices)
    if (says) expect(await logOf(done)).toContain(says)
  },
)

describe('matching a row without a number', () => {
  test('each row gets its part, or is left out, whatever the others get', async () => {
    const seller = await trusted()
    // Each case with parts and stock numbers of its own.
    const marked = (rows: Fields[], at: number) =>
      rows.map((row) => ({
        ...row,
        partnum: `${at}X-${row.partnum}`,
        ...(row.stocknum && { stocknum: `${row.stocknum}${at}` }),
      }))
    const all = (pick: (each: Case) => Fields[]) => cases.flatMap((each, at) => marked(pick(each), at))
    await importRows(
      app,
      seller,
      all(({ stock }) => stock),
    )
    const done = await importRows(
      app,
      seller,
      all(({ rows }) => rows),
    )
    const sum = (what: string) => cases.reduce((total, { plan }) => total + (plan[what] ?? 0), 0)
    expect(done.plan).toMatchObject({ create: sum('create'), update: sum('update'), refused: sum('refused') })
    const after = await living(seller)
    const log = (await logOf(done)).map((line) => line.replace(/^Record \d+/, 'Record'))
    for (const [at, { what, prices, says }] of cases.entries()) {
      const its = after.filter(({ part_number }) => part_number?.startsWith(`${at}X-`))
      expect([what, its.map(({ stock_number, price_cents }) => [stock_number, price_cents])]).toEqual([
        what,
        prices.map(([stock, cents]) => [stock && `${stock}${at}`, cents]),
      ])
      const numbers = /stock number ([A-Z, ]+)\)/
      const line = says?.replace(/^Record \d+/, 'Record')
      const marks = (_: string, list: string) =>
        `stock number ${list.replace(/[A-Z]/g, (stock) => `${stock}${at}`)})`
      if (line) expect(log).toContain(line.replace(numbers, marks))
    }
  })

  test('a full inventory does not end a part that may match the row', async () => {
    const seller = await trusted()
    await importRows(app, seller, [...twins, ...numbered(partsFields(9).slice(1))])
    const rows = [partFields(1, { partprice: '70' }), ...numbered(partsFields(9).slice(1))]
    const { plan } = await importRows(app, seller, rows, { mode: 'replace' })
    expect(plan).toMatchObject({ create: 0, update: 0, refused: 1, end: 0 })
  })

  test('equal parts all count as present in a full inventory', async () => {
    const seller = await trusted()
    const stock = [twins[0] ?? {}, { ...twins[0], stocknum: 'C' }, ...numbered(partsFields(9).slice(1))]
    await importRows(app, seller, stock)
    const rows = stock.map((row) => ({ ...row, stocknum: '' }))
    const { plan } = await importRows(app, seller, rows, { mode: 'replace' })
    expect(plan).toMatchObject({ create: 0, update: 0, unchanged: 10, merged: 0, refused: 0, end: 0 })
  })

  test('parts from before 0018 are found by the content of their listings', async () => {
    const seller = await trusted()
    await importRows(
      app,
      seller,
      numbered([partFields(1), partFields(2, { partyear: '2004-2008', partnum: '' })]),
    )
    const before = (await sourcesOf(app, seller)).map(({ part_key }) => part_key)
    const migration = await readFile(
      new URL('../../db/migrations/0018_part_keys.sql', import.meta.url),
      'utf8',
    )
    const backfill = /update listing_source[^;]*;/.exec(migration)?.[0] ?? ''
    await app.database.pool.query('update listing_source set part_key = null, part_hash = null')
    await app.database.pool.query(backfill)
    expect((await sourcesOf(app, seller)).map(({ part_key }) => part_key)).toEqual(before)
    const rows = [partFields(2, { partyear: '2004-2008', partnum: '' }), partFields(1)]
    expect((await importRows(app, seller, rows)).plan).toMatchObject({ create: 0, refused: 0 })
  })

  test('an active part wins over a sold one; if only a sold one matches, it stays sold', async () => {
    const seller = await trusted()
    await importRows(app, seller, twins)
    const [first] = await living(seller)
    await seller.api.post(`/seller/parts/${first?.id}/end`, { reason: 'sold-here' })
    await importRows(app, seller, [partFields(1, { partprice: '70' })])
    expect(await stocks(seller)).toEqual([
      ['A', 9550],
      ['B', 7000],
    ])
    const [, second] = await living(seller)
    await seller.api.delete(`/seller/parts/${second?.id}`)
    const { plan } = await importRows(app, seller, [partFields(1, { partprice: '71' })])
    expect(plan).toMatchObject({ create: 0, update: 1 })
    expect((await living(seller)).map(({ ended_reason }) => ended_reason)).toEqual(['sold-here'])
  })

  test('a number typed by a person finds its part in a file that has it', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(2))
    const before = await stateOf(seller)
    const [first] = before.listings
    await seller.api.put(`/seller/parts/${first?.id}`, { stocknum: 'S-1' })
    const done = await importRows(app, seller, numbered(partsFields(2, { partprice: '70' })))
    expect(done.plan).toMatchObject({ create: 0, update: 2 })
    expect((await living(seller)).map(({ id }) => id)).toEqual(before.listings.map(({ id }) => id))
    expect(await undoImport(app, seller, done)).toMatchObject({ undone: 2, leftAsIs: 0 })
    expect((await stateOf(seller)).sources).toEqual(before.sources)
  })
})
