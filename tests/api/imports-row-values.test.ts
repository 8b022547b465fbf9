import { expect, test } from 'vitest'
import type { DryRunReply, StagedReply } from '#contract/imports.ts'
import { csvOf, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { listingsOf, startPromotionWorker, untilImport } from '#tests/support/promotions.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* How the values of a row are read when its column, or the whole file, decides what they mean. */

const app = await startTestApp()
await startPromotionWorker(app)

const mapping = {
  stocknum: 'Stock',
  partname: 'Part',
  partmanu: 'Make',
  partmodel: 'Model',
  partyear: 'Year',
  partprice: 'Price',
  partgrade: 'Grade',
}
const header = ['Stock', 'Part', 'Make', 'Model', 'Year', 'Price', 'Grade']
const row = (number: number, grade: string, miles: string) => [
  `RV-${number}`,
  'Alternator',
  'Ford',
  'F-150',
  '2012',
  `${80 + number}.00`,
  grade,
  miles,
]

async function read(column: string, rows: string[][]) {
  const seller = await proSeller(app, { trusted: true })
  const sent = {
    file: csvOf(rows, [...header, column]),
    fields: { mapping: { ...mapping, partmiles: column } },
  }
  const { warnings } = (await sendCsv<DryRunReply>(seller.api, { ...sent, dryRun: true })).body
  const { importId } = (await sendCsv<StagedReply>(seller.api, sent)).body
  await untilImport(app, seller.api, importId, 'applied')
  const listings = await listingsOf(app, seller)
  const facts = listings
    .toSorted((a, b) => (a.stock_number ?? '').localeCompare(b.stock_number ?? ''))
    .map(({ miles, grade }) => [miles, grade])
  return { warnings, facts }
}

test('kilometers of a column are converted, and its words for grades are read together', async () => {
  const { warnings, facts } = await read('Kilometraje', [
    row(1, 'Regular', '160000'),
    row(2, 'Buena', '98,000'),
  ])
  expect(facts).toEqual([
    [99_419, 'C'],
    [60_894, 'B'],
  ])
  expect(warnings).toContain('“Kilometraje” is in kilometers: 160,000 is read as 99,419 miles.')
})

test('miles in thousands are seen from all of a column, and what can’t be read is left empty', async () => {
  const { warnings, facts } = await read('Miles', [
    row(1, 'A', '60'),
    row(2, 'Regular', '187'),
    row(3, 'B', 'TMU'),
    row(4, 'B', '44k'),
    row(5, 'B', '212'),
  ])
  expect(facts.map(([miles]) => miles)).toEqual([60_000, 187_000, null, 44_000, 212_000])
  expect(warnings).toContain('Miles can’t be read in 1 row and is left empty: “TMU” in row 4.')
})

test('remarks behind a name are its description, and the next file finds the same part', async () => {
  const seller = await proSeller(app, { trusted: true })
  const rows = [
    ['Hood, aluminum', 'Ford', 'F-150', '2012', '140', ''],
    ['SIDE MIRROR LH, LIGHT SURFACE RUST', 'Ford', 'F-150', '2012', '45', 'Power.'],
  ]
  const columns = ['Part', 'Make', 'Model', 'Year', 'Price', 'Notes']
  const { stocknum: _, partgrade: __, ...fields } = mapping
  const run = async (sent: string[][]) => {
    const { importId } = (
      await sendCsv<StagedReply>(seller.api, {
        file: csvOf(sent, columns),
        fields: { mapping: { ...fields, partdescription: 'Notes' } },
      })
    ).body
    await untilImport(app, seller.api, importId, 'applied')
    const listings = await listingsOf(app, seller)
    return listings.toSorted((a, b) => a.name.localeCompare(b.name))
  }
  const first = await run(rows)
  expect(first).toMatchObject([
    { name: 'Hood, aluminum', description: '' },
    { name: 'SIDE MIRROR LH', description: 'LIGHT SURFACE RUST\nPower.' },
  ])
  const next = await run(rows.map((cells) => cells.with(4, '150')))
  expect(next.map(({ id, price_cents }) => [id, price_cents])).toEqual(first.map(({ id }) => [id, 15_000]))
})

test('a stock number that is written otherwise is the same part’s, unless both are in the file', async () => {
  const seller = await proSeller(app, { trusted: true })
  const columns = ['Stock', 'Part', 'Make', 'Model', 'Year', 'Price']
  const { partgrade: _, ...fields } = mapping
  const car = ['Ford', 'Mustang', '2010']
  const run = async (sent: string[][]) => {
    const { importId } = (
      await sendCsv<StagedReply>(seller.api, { file: csvOf(sent, columns), fields: { mapping: fields } })
    ).body
    await untilImport(app, seller.api, importId, 'applied')
    const listings = await listingsOf(app, seller)
    return new Map(listings.map(({ id, price_cents }) => [id, price_cents]))
  }
  const first = await run([
    ['0012', 'Hood', ...car, '50'],
    ['KA 7', 'Radiator', ...car, '70'],
    ['ü-8', 'Fender', ...car, '80'],
  ])
  const second = await run([
    ['12', 'Hood', ...car, '51'],
    ['KA  7', 'Radiator', ...car, '71'],
    ['u\u0308\u200b-8', 'Fender', ...car, '81'],
  ])
  expect([...second.keys()].sort()).toEqual([...first.keys()].sort())
  expect([...second.values()].sort()).toEqual([5_100, 7_100, 8_100])
  // The old spelling still finds its part, and two spellings in one file are two parts.
  const third = await run([
    ['0012', 'Hood', ...car, '52'],
    ['KA-7', 'Radiator', ...car, '72'],
    ['KA.7', 'Radiator', ...car, '73'],
  ])
  expect([...third.values()].sort()).toEqual([5_200, 7_100, 7_200, 7_300, 8_100])
})

test('a price list changes known parts, and creates and ends none', async () => {
  const seller = await proSeller(app, { trusted: true })
  const columns = ['Stock', 'Part', 'Make', 'Model', 'Year', 'Price']
  const { partgrade: _, ...fields } = mapping
  const car = ['Ford', 'Mustang', '2010']
  const stock = [
    ['0012', 'Hood', ...car, '50'],
    ['AB-100', 'Radiator', ...car, '60'],
    ['V-1', 'Fender', ...car, '80'],
    ['V-1', 'Alternator', ...car, '90'],
  ]
  const whole = { file: csvOf(stock, columns), fields: { mapping: fields } }
  await untilImport(app, seller.api, (await sendCsv<StagedReply>(seller.api, whole)).body.importId, 'applied')
  const before = await listingsOf(app, seller)
  const prices = [
    ['12', '53'],
    ['ab-100', '63'],
    ['V-1', '70'],
    ['ZZ-9', '9'],
  ]
  const list = {
    file: csvOf(prices, ['Stock No', 'Price']),
    // Town and mode would change or end parts; a price list does neither.
    fields: {
      mapping: { stocknum: 'Stock No', partprice: 'Price' },
      defaults: { partcity: 'Tulsa' },
      mode: 'replace',
    },
  }
  const { preview } = (await sendCsv<DryRunReply>(seller.api, { ...list, dryRun: true })).body
  expect(preview.rows.flatMap(({ errors }) => errors)).toEqual([
    '2 of your parts have this stock number. Add a column that tells them apart, such as their listing ids',
    'None of your parts for sale has this stock number. Add its other columns to list it',
  ])
  expect(preview.plan).toMatchObject({ creates: 0, updates: 2, ends: 0 })
  const { importId } = (await sendCsv<StagedReply>(seller.api, list)).body
  await untilImport(app, seller.api, importId, 'applied')
  const after = await listingsOf(app, seller)
  const facts = (listings: typeof after) =>
    Object.fromEntries(
      listings.map(({ id, stock_number, price_cents, city, ended_at }) => [
        id,
        [stock_number, price_cents, city, ended_at],
      ]),
    )
  expect(facts(after)).toEqual(
    Object.fromEntries(
      Object.entries(facts(before)).map(([id, [number, price, ...rest]]) => {
        const changed = { '0012': 5_300, 'AB-100': 6_300 }[String(number)]
        return [id, [number, changed ?? price, ...rest]]
      }),
    ),
  )
})

test('two spellings of a manufacturer that look the same are one name and one question', async () => {
  const admin = await app.signUp({ role: 'admin' })
  const make = (manuname: string) => admin.api.post('/manufacturer', { manuname })
  expect((await make('Zorpo\u00ebn')).status).toBe(201)
  expect((await make('Zorpoe\u0308n')).status).toBe(409)
  expect((await make('Zor\u200bpo\u00ebn')).status).toBe(409)
  const seller = await proSeller(app, { trusted: true })
  const row = (number: number, name: string) => [`NF-${number}`, 'Hood', name, 'Zed', '2012', '50', 'A', '']
  const file = csvOf(
    [row(1, 'Quuxo\u00ebn'), row(2, 'Quuxoe\u0308n'), row(3, 'QUUXOEN'), row(4, 'Quu\u200bxo\u00ebn')],
    [...header, 'Miles'],
  )
  const { preview } = (await sendCsv<DryRunReply>(seller.api, { file, fields: { mapping }, dryRun: true }))
    .body
  const asked = preview.questions?.flatMap((one) => (one.kind === 'manufacturer' ? one.rows : [])) ?? []
  expect(asked).toEqual([4])
})
