import { describe, expect, test } from 'vitest'
import type { ImportMapping } from '#contract/csv/import-fields.ts'
import type { DryRunReply, ImportMode, ImportReceipt, ImportRecord, StagedReply } from '#contract/imports.ts'
import type { PartsPage } from '#contract/search/parts-search.ts'
import { longTest } from '#tests/support/at-length.ts'
import { csvOf, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { stockReader } from '#tests/support/numbered-parts.ts'
import { startPromotionWorker, untilImport } from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* A column of sides: what it says is in the part's name, and rows find the listings that an import made before without it. */

const app = await startTestApp()
await startPromotionWorker(app)
const trusted = () => proSeller(app, { trusted: true })
const { living } = stockReader(app)

const header = ['Stock', 'Part', 'Side', 'Number', 'Make', 'Model', 'Year', 'Price']
const unsided: ImportMapping = {
  stocknum: 'Stock',
  partname: 'Part',
  partnum: 'Number',
  partmanu: 'Make',
  partmodel: 'Model',
  partyear: 'Year',
  partprice: 'Price',
}
const sided: ImportMapping = { ...unsided, partside: 'Side' }
const fender = (
  stock: string,
  side: string,
  { number = '', part = 'Fender', price = '95' } = {},
): string[] => [stock, part, side, number, 'Ford', 'Crown Victoria', '2008', price]

type Sent = { rows: string[][]; mapping?: ImportMapping; mode?: ImportMode }

const bodyOf = ({ rows, mapping = sided, mode = 'replace' }: Sent) => ({
  file: csvOf(rows, header),
  fields: { mapping, mode },
})

async function check({ api }: SignedIn, sent: Sent): Promise<DryRunReply['preview']> {
  const { status, body } = await sendCsv<DryRunReply>(api, { ...bodyOf(sent), dryRun: true })
  expect(status).toBe(200)
  return body.preview
}

async function run({ api }: SignedIn, sent: Sent): Promise<ImportRecord> {
  const { importId } = (await sendCsv<StagedReply>(api, bodyOf(sent))).body
  return untilImport(app, api, importId)
}

async function undo({ api }: SignedIn, { id }: ImportRecord): Promise<void> {
  await api.post(`/pro/imports/${id}/undo`)
  await untilImport(app, api, id, 'undone')
}

const namesOf = async (seller: SignedIn) =>
  (await living(seller)).filter(({ ended_at }) => ended_at === null).map(({ name }) => name)

test('a side goes live with the name, and buyers find it', async () => {
  const seller = await trusted()
  const rows = [
    fender('S-1', 'RH'),
    fender('S-2', 'Driver'),
    fender('S-3', 'Left', { part: 'Fender LH' }),
    fender('S-4', 'A12'),
    fender('S-5', ''),
  ]
  await run(seller, { rows })
  expect(await namesOf(seller)).toEqual(['Fender RH', 'Fender Driver', 'Fender LH', 'Fender', 'Fender'])
  const { body } = await app.visitor.get<PartsPage>(`/parts?q=fender&side=right`)
  expect(body.items.map(({ partname }) => partname)).toEqual(['Fender RH'])
  const again = await run(seller, { rows: rows.toReversed() })
  expect(again.plan).toMatchObject({ create: 0, update: 0, unchanged: 5 })
})

test('a row whose name says the other side waits, with a sentence', async () => {
  const preview = await check(await trusted(), {
    rows: [fender('S-1', 'RH', { part: 'Fender LH' }), fender('S-2', 'Front', { part: 'Door RR' })],
  })
  expect(preview.rows.flatMap(({ issues }) => issues)).toMatchObject([
    {
      row: 2,
      column: 'Side',
      code: 'CONTRADICTING_SIDE',
      value: 'RH',
      message: 'The name says “Fender LH” and Side says “RH”. Correct the one that is wrong',
    },
    { row: 3, column: 'Side', code: 'CONTRADICTING_SIDE', value: 'Front' },
  ])
})

describe('a file that was imported before its sides were read', () => {
  const cases: [string, string[][], object][] = [
    ['its own stock numbers', [fender('S-1', 'LH'), fender('S-2', 'RH')], {}],
    [
      'its own stock numbers and part numbers',
      [fender('S-1', 'LH', { number: 'N-1' }), fender('S-2', 'RH', { number: 'N-2' })],
      {},
    ],
    [
      'stock numbers of vehicles and part numbers',
      [fender('V-1', 'LH', { number: 'N-1' }), fender('V-1', 'RH', { number: 'N-2' })],
      {},
    ],
    [
      'stock numbers of vehicles and prices',
      [fender('V-1', 'LH', { price: '10' }), fender('V-1', 'RH', { price: '20' })],
      {},
    ],
    ['part numbers', [fender('', 'LH', { number: 'N-1' }), fender('', 'RH', { number: 'N-2' })], {}],
    ['prices', [fender('', 'LH', { price: '10' }), fender('', 'RH', { price: '20' })], {}],
    ['nothing but sides', [fender('', 'LH'), fender('', 'RH')], { create: 1, update: 1 }],
  ]

  test('pairs with its listings by whatever tells them apart', async () => {
    const YEAR = header.indexOf('Year')
    // Cars of another year for each.
    const onCars = (rows: string[][], at: number) =>
      rows.map((row) => row.with(0, row[0] ? `${row[0]}-${at}` : '').with(YEAR, `${2001 + at}`))
    await pairs(
      cases.map(([, rows], at) => onCars(rows, at)),
      { create: 1, update: 2 * cases.length - 1 },
    )
  })

  longTest.each(cases)('pairs with its listings by %s', (_, rows, differing) => pairs([rows], differing))

  /** Groups of two rows each. */
  async function pairs(groups: string[][][], differing: object): Promise<void> {
    const rows = groups.flat()
    const seller = await trusted()
    await run(seller, { rows, mapping: unsided })
    const before = await living(seller)
    const plan = { create: 0, update: 2, ...differing }
    const { create: creates, update: updates } = plan
    expect((await check(seller, { rows })).plan).toMatchObject({ creates, updates, ends: 0 })
    const done = await run(seller, { rows })
    expect(done.plan).toMatchObject(plan)
    const after = (await living(seller)).filter(({ ended_at }) => ended_at === null)
    const shown = ([left, right]: string[][]) => [
      ['Fender LH', Number(left?.at(-1)) * 100],
      ['Fender RH', Number(right?.at(-1)) * 100],
    ]
    expect(after.map(({ name, price_cents }) => [name, price_cents])).toEqual(groups.flatMap(shown))
    expect(after.map(({ id }) => id).slice(0, before.length)).toEqual(before.map(({ id }) => id))
    const again = { creates: 0, updates: 0, ends: 0 }
    expect((await check(seller, { rows: rows.toReversed() })).plan).toMatchObject(again)
    await undo(seller, done)
    expect((await living(seller)).map(({ name, quantity }) => [name, quantity])).toEqual(
      before.map(({ name, quantity }) => [name, quantity]),
    )
  }

  test('does not end the listing of a row that has a problem', async () => {
    const seller = await trusted()
    const rows = [fender('', 'LH', { number: 'N-1' }), fender('', 'RH', { number: 'N-2' })]
    await run(seller, { rows, mapping: unsided })
    const done = await run(seller, {
      rows: [fender('', 'LH', { number: 'N-1', price: 'x' }), ...rows.slice(1)],
    })
    expect(done.plan).toMatchObject({ create: 0, update: 1 })
    expect(await namesOf(seller)).toEqual(['Fender', 'Fender RH'])
  })

  test('leaves a name that a person edited', async () => {
    const seller = await trusted()
    const rows = [fender('S-1', 'LH'), fender('S-2', 'RH')]
    await run(seller, { rows, mapping: unsided })
    const [first] = await living(seller)
    await seller.api.put(`/seller/parts/${first?.id}`, { partname: 'Front fender, driver side' })
    const done = await run(seller, { rows })
    expect(await namesOf(seller)).toEqual(['Front fender, driver side', 'Fender RH'])
    const { body } = await seller.api.get<ImportReceipt>(`/pro/imports/${done.id}/receipt`)
    expect(JSON.stringify(body)).toContain('Fender LH')
    expect((await run(seller, { rows })).plan).toMatchObject({ create: 0, update: 0, unchanged: 2 })
  })
})

test('a row that names its listing by id adds its side to the name', async () => {
  const seller = await trusted()
  await run(seller, { rows: [fender('S-1', '')], mapping: unsided })
  const [{ id = '' } = {}] = await living(seller)
  const sent = {
    file: csvOf([[...fender('S-1', 'RH'), id]], [...header, 'Id']),
    fields: { mapping: { ...sided, listingid: 'Id' } },
  }
  const { body } = await sendCsv<DryRunReply>(seller.api, { ...sent, dryRun: true })
  expect(body.preview.plan).toMatchObject({ creates: 0, updates: 1 })
  const { importId } = (await sendCsv<StagedReply>(seller.api, sent)).body
  await untilImport(app, seller.api, importId)
  expect(await namesOf(seller)).toEqual(['Fender RH'])
})
