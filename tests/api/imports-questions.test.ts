import { describe, expect, test } from 'vitest'
import type { ColumnQuestion } from '#contract/column-questions/questions.ts'
import type { ImportMapping } from '#contract/csv/import-fields.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import type {
  DryRunReply,
  ImportReceipt,
  ImportRecord,
  MappingTemplate,
  StagedReply,
} from '#contract/imports.ts'
import { csvOf, newKey, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { makeWorkbook } from '#tests/support/make-workbook.ts'
import { listingsOf, startPromotionWorker, untilImport } from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What a column's values contradict is asked before a run, once; nothing is read as money that may be something else. */

const app = await startTestApp()
await startPromotionWorker(app)
const trusted = () => proSeller(app, { trusted: true })

const columns = ['Stock No', 'Part Name', 'Category', 'Make', 'Model', 'Year'] as const
const mapping: ImportMapping = {
  ...{ stocknum: 'Stock No', partname: 'Part Name', partcategory: 'Category' },
  ...{ partmanu: 'Make', partmodel: 'Model', partyear: 'Year' },
}
const part = (number: number) => [
  `Q-${number}`,
  'Hood',
  'Hood',
  'Ford',
  'Mustang',
  String(2000 + (number % 20)),
]

type Yard = { file: string | Buffer; mapping: ImportMapping; fileName?: string }

/** Parts with these further columns. */
function yardFile(
  further: readonly string[],
  rows: readonly (readonly string[])[],
  more: ImportMapping,
): Yard {
  const file = csvOf(
    rows.map((cells, at) => [...part(at + 1), ...cells]),
    [...columns, ...further],
  )
  return { file, mapping: { ...mapping, ...more } }
}

type Fields = Record<string, string | number | object | undefined>

const send = <T>(seller: SignedIn, { mapping: mapped, ...sent }: Yard, fields: Fields, dryRun = false) =>
  sendCsv<T>(seller.api, { ...sent, fields: { mapping: mapped, ...fields }, dryRun })

async function check(seller: SignedIn, yard: Yard, fields: Fields = {}): Promise<DryRunReply['preview']> {
  const { status, body } = await send<DryRunReply>(seller, yard, fields, true)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.preview
}

const asked = ({ questions = [] }: DryRunReply['preview']): ColumnQuestion[] =>
  questions.flatMap((question) => ('sentence' in question ? question : []))

async function refused(seller: SignedIn, yard: Yard, fields: Fields = {}): Promise<ColumnQuestion[]> {
  const { status, body } = await send<ErrorReply>(seller, yard, fields)
  expect([status, body.code]).toEqual([422, 'ANSWER_NEEDED'])
  return body.questions ?? []
}

async function run(seller: SignedIn, yard: Yard, fields: Fields = {}): Promise<ImportRecord> {
  const { status, body } = await send<StagedReply>(seller, yard, fields)
  expect(status, JSON.stringify(body)).toBe(200)
  return untilImport(app, seller.api, body.importId)
}

/** Cents by stock number, of parts that are for sale. */
async function pricesOf(seller: SignedIn): Promise<Record<string, number | null>> {
  const live = (await listingsOf(app, seller)).filter(({ ended_at }) => ended_at === null)
  return Object.fromEntries(live.map((listing) => [listing.stock_number ?? '', listing.price_cents]))
}

const receiptOf = async (seller: SignedIn, { id }: ImportRecord) =>
  (await seller.api.get<ImportReceipt>(`/pro/imports/${id}/receipt`)).body

const shapeOf = async (seller: SignedIn, header: readonly string[]) =>
  (
    await seller.api.post<{ mapping: ImportMapping; answers: object; mode?: string }>('/pro/bulk/shape', {
      header,
    })
  ).body

describe('codes that look like money', () => {
  const codes = (number: number) =>
    [
      ['638', '2015', 'Ford', 'Escape', '638-66387', '92.50', `C-${number}`, 'Radio'],
      ['320', '2015', 'Ford', 'Escape', '320-12856A', '33.00', `C-${number}`, 'Throttle Body'],
      ['447', '2015', 'Ford', 'Escape', '447-57416A', '40.50', `C-${number}`, 'Axle Shaft'],
    ][number % 3] ?? []
  const file = csvOf(
    Array.from({ length: 9 }, (_, at) => codes(at)),
    null,
  )
  const mapped: ImportMapping = {
    ...{ partprice: 'Column 1', partyear: 'Column 2', partmanu: 'Column 3', partmodel: 'Column 4' },
    ...{ stocknum: 'Column 7', partname: 'Column 8' },
  }
  const yard = { file, mapping: mapped }
  const headless = { reading: { headerRow: 0 } }

  test('are asked about, and the answer chooses the column with the prices', async () => {
    const seller = await trusted()
    const [question, ...others] = asked(await check(seller, yard, headless))
    expect(others).toEqual([])
    expect(question).toMatchObject({
      id: 'price:Column 1',
      kind: 'price',
      column: 'Column 1',
      sentence: 'Is “Column 1” your price? First parts would cost $638 and $320.',
      several: false,
      takesRate: false,
    })
    expect(question?.choices.map(({ id }) => id)).toEqual(['yes', 'Column 6', 'none'])
    const idempotencyKey = newKey()
    expect(await refused(seller, yard, { ...headless, idempotencyKey })).toEqual([question])
    expect(await listingsOf(app, seller)).toEqual([])
    const answers = { 'price:Column 1': 'Column 6' }
    const record = await run(seller, yard, { ...headless, idempotencyKey, answers })
    expect(record.answers).toEqual([{ id: 'price:Column 1', sentence: 'The price is “Column 6”' }])
    expect(await pricesOf(seller)).toMatchObject({ 'C-0': 9_250, 'C-1': 3_300, 'C-2': 4_050 })
    // The next day the same mapping comes without the answer.
    const next = await check(seller, yard, headless)
    expect(asked(next)).toEqual([])
    expect(next.remembered).toEqual([{ id: 'price:Column 1', sentence: 'The price is “Column 6”' }])
  })

  test('a running number is none under the name of a price, and is asked about under any other', async () => {
    const seller = await trusted()
    const numbers = Array.from({ length: 8 }, (_, at) => [String(41 + at)])
    expect(asked(await check(seller, yardFile(['Price'], numbers, { partprice: 'Price' })))).toEqual([])
    const [question] = asked(await check(seller, yardFile(['Item'], numbers, { partprice: 'Item' })))
    expect(question?.id).toBe('price:Item')
  })

  test('another answer is refused by name', async () => {
    const seller = await trusted()
    const wrong = async (answers: object) =>
      (await send<ErrorReply>(seller, yard, { ...headless, answers })).body.fields?.answers
    expect(await wrong({ 'price:Column 1': 'Cash' })).toContain('price:Column 1')
    expect(await wrong({ 'price:Preis': 'yes' })).toContain('price:Preis')
    expect(await wrong({ 'color:Column 1': 'yes' })).toContain('color:Column 1')
  })
})

describe('two columns of money', () => {
  const money = ['LIST', 'SALE PRICE', 'COST', 'CORE']
  const rows = [
    ['274.73', '203.50', '122.10', '0.00'],
    ['113.33', '83.95', '50.37', '0.00'],
    ['156.60', '116.00', '69.60', '25.00'],
  ]

  test.each([
    ['COST', true],
    ['LIST', true],
    ['SALE PRICE', false],
  ])('a suggestion of %s is asked about: %s; one that a person made is not', async (partprice, isAsked) => {
    const seller = await trusted()
    const yard = yardFile(money, rows, { partprice })
    const suggested = asked(await check(seller, yard, { suggested: ['partprice'] }))
    expect(suggested.map(({ id }) => id)).toEqual(isAsked ? [`price:${partprice}`] : [])
    expect(asked(await check(seller, yard))).toEqual([])
  })

  test('what a shop sells for less costs that', async () => {
    const seller = await trusted()
    const shop = [
      ['70.00', '85.00'],
      ['', '85.00'],
      ['0', '65.00'],
    ]
    await run(seller, yardFile(['Sale price', 'Regular price'], shop, { partprice: 'Regular price' }))
    expect(await pricesOf(seller)).toEqual({ 'Q-1': 7_000, 'Q-2': 8_500, 'Q-3': 6_500 })
  })
})

describe('another currency', () => {
  const pesos = yardFile(
    ['Precio', 'Envío'],
    [
      ['$873.00 MXN', '$100.00'],
      ['$3,761.10 MXN', 'Gratis'],
      ['$927.00 MXN', ''],
    ],
    {
      ...{ partprice: 'Precio', partshipping: 'Envío' },
    },
  )

  test('in cells is converted at a rate to the cent, with the shipping of its row, and the rate is kept', async () => {
    const seller = await trusted()
    const preview = await check(seller, pesos)
    expect(asked(preview)).toMatchObject([
      {
        id: 'currency:Precio',
        sentence:
          'Your prices are in Mexican pesos. We list in US dollars. Enter a rate, or leave these parts out.',
        choices: [{ id: 'rate' }, { id: 'leave-out' }],
        takesRate: true,
      },
    ])
    expect(preview.errors).toBe(3)
    await refused(seller, pesos)
    const idempotencyKey = newKey()
    const record = await run(seller, pesos, { idempotencyKey, answers: { 'currency:Precio': '0.05' } })
    expect(await pricesOf(seller)).toEqual({ 'Q-1': 4_365, 'Q-2': 18_806, 'Q-3': 4_635 })
    const [first] = await listingsOf(app, seller)
    expect(first?.shipping_cents).toBe(500)
    const said = [{ id: 'currency:Precio', sentence: 'Prices are Mexican pesos at 0.05' }]
    expect(record.answers).toEqual(said)
    expect((await receiptOf(seller, record)).answers).toEqual(said)
    const next = await check(seller, pesos)
    expect([asked(next), next.remembered]).toEqual([[], said])
    expect((await shapeOf(seller, [...columns, 'Precio', 'Envío'])).answers).toEqual({
      'currency:Precio': 0.05,
    })
  })

  test.each([[0.05], ['0.05'], ['rate:0.05'], [{ rate: 0.05 }]])('a rate may be sent as %j', async (rate) => {
    const seller = await trusted()
    const { errors } = await check(seller, pesos, { answers: { 'currency:Precio': rate } })
    expect(errors).toBe(0)
  })

  test.each([
    ['Price (CAD)', 'Canadian dollars'],
    ['Preis (€)', 'euros'],
    ['Price_GBP', 'British pounds'],
    ['CAD Price', 'Canadian dollars'],
  ])('in the column’s name “%s”', async (header, name) => {
    const seller = await trusted()
    const yard = yardFile([header], [['150.00'], ['60.00']], { partprice: header })
    const [question] = asked(await check(seller, yard))
    expect(question).toMatchObject({ id: `currency:${header}`, kind: 'currency' })
    expect(question?.sentence).toContain(name)
    await run(seller, yard, { answers: { [`currency:${header}`]: 0.7354 } })
    expect(await pricesOf(seller)).toEqual({ 'Q-1': 11_031, 'Q-2': 4_412 })
  })

  test('in a column of currencies, row by row; rows in dollars go live', async () => {
    const seller = await trusted()
    const rows = [
      ['150.00', 'CAD'],
      ['60.00', 'USD'],
      ['70.00', ''],
    ]
    const yard = yardFile(['Price', 'Currency'], rows, { partprice: 'Price' })
    expect(asked(await check(seller, yard))).toMatchObject([{ id: 'currency:Currency', column: 'Currency' }])
    const { errors, rows: failing } = await check(seller, yard, {
      answers: { 'currency:Currency': 'leave-out' },
    })
    expect(errors).toBe(1)
    expect(failing[0]?.errors).toEqual(['Price is in Canadian dollars. You chose to leave these parts out'])
    await run(seller, yard, { answers: { 'currency:Currency': 'leave-out' } })
    expect(await pricesOf(seller)).toEqual({ 'Q-2': 6_000, 'Q-3': 7_000 })
  })

  test('two in one column have a rate each', async () => {
    const seller = await trusted()
    const rows = [['150.00 CAD'], ['€60.00'], ['$70.00']]
    const yard = yardFile(['Price'], rows, { partprice: 'Price' })
    const ids = asked(await check(seller, yard)).map(({ id }) => id)
    expect(ids).toEqual(['currency:Price (CAD)', 'currency:Price (EUR)'])
    // One rate must not go for both.
    await refused(seller, yard, { answers: { 'currency:Price': 0.5 } })
    await run(seller, yard, { answers: { 'currency:Price (CAD)': 0.72, 'currency:Price (EUR)': 1.1 } })
    expect(await pricesOf(seller)).toEqual({ 'Q-1': 10_800, 'Q-2': 6_600, 'Q-3': 7_000 })
    expect(asked(await check(seller, yard))).toEqual([])
  })

  test('beside dollars is not asked about if the dollars are the price', async () => {
    const seller = await trusted()
    const rows = [
      ['100.00', '72.00'],
      ['105.00', '75.60'],
    ]
    const prices = ['Price (CAD)', 'Price (USD)']
    expect(asked(await check(seller, yardFile(prices, rows, { partprice: 'Price (USD)' })))).toEqual([])
    expect(asked(await check(seller, yardFile(prices, rows, { partprice: 'Price (CAD)' })))).toMatchObject([
      { id: 'currency:Price (CAD)' },
    ])
  })

  test('in the number format of a workbook’s cells', async () => {
    const seller = await trusted()
    const cell = (value: number, format: string) => ({ value, format })
    const book = await makeWorkbook({
      sheets: [
        {
          name: 'Stock',
          rows: [
            [...columns, 'Price'],
            [...part(1), cell(1_299.5, '[$€-407] #,##0.00')],
            [...part(2), cell(85, '"$"#,##0.00')],
            [...part(3), cell(90, '[$$-409]#,##0.00')],
            [...part(4), cell(95, '[$$-1009]#,##0.00')],
          ],
        },
      ],
    })
    const yard = {
      file: Buffer.from(await book.arrayBuffer()),
      mapping: { ...mapping, partprice: 'Price' },
      fileName: 'stock.xlsx',
    }
    const ids = asked(await check(seller, yard)).map(({ id }) => id)
    expect(ids.toSorted()).toEqual(['currency:Price (CAD)', 'currency:Price (EUR)'])
    const answers = { 'currency:Price (CAD)': 'leave-out', 'currency:Price (EUR)': 1.08 }
    await run(seller, yard, { answers })
    expect(await pricesOf(seller)).toEqual({ 'Q-1': 140_346, 'Q-2': 8_500, 'Q-3': 9_000 })
  })

  test('in a few cells of many stays an error of these rows', async () => {
    const seller = await trusted()
    const rows = [...Array.from({ length: 60 }, (_, at) => [`${50 + at}.00`]), ['€45.00']]
    const preview = await check(seller, yardFile(['Price'], rows, { partprice: 'Price' }))
    expect(asked(preview)).toEqual([])
    expect(preview.rows.map(({ index }) => index)).toEqual([61])
  })
})

test('a single part asks nothing: another currency is its error', async () => {
  const seller = await trusted()
  const hood = { partname: 'Hood', partmanu: 'Ford', partmodel: 'Mustang', partyear: 2010 }
  const send = async (changes: object) =>
    (await seller.api.post<DryRunReply>('/pro/bulk/parts?dryRun=1', { ...hood, ...changes })).body.preview
  expect((await send({ partprice: 'C$85' })).rows[0]?.errors).toHaveLength(1)
  expect((await send({ partprice: 85, currency: 'CAD' })).rows[0]?.errors).toHaveLength(1)
  const fine = await send({ partprice: 85, currency: 'USD', status: 'Bench' })
  expect([fine.errors, fine.questions]).toEqual([0, []])
})

describe('states of sale', () => {
  const statuses = ['Available', 'Yard hold', 'Sold', 'Bench', 'Bench']
  const rows = statuses.map((status) => ['50.00', status])
  const yard = yardFile(['Price', 'Status'], rows, { partprice: 'Price' })

  test('words that we don’t know are asked about once, and decide what goes live', async () => {
    const seller = await trusted()
    const [question] = asked(await check(seller, yard))
    expect(question).toMatchObject({
      id: 'state:Status',
      kind: 'state',
      sentence: '“Status” has words that we don’t know. Which of these are for sale?',
      several: true,
    })
    expect(question?.values).toContainEqual({ value: 'Bench', rows: 2 })
    expect(question?.choices.map(({ id }) => id)).toEqual(['Bench', 'Yard hold'])
    await refused(seller, yard)
    await run(seller, yard, { answers: { 'state:Status': ['Bench'] } })
    expect(Object.keys(await pricesOf(seller))).toEqual(['Q-1', 'Q-4', 'Q-5'])
    expect(asked(await check(seller, yard))).toEqual([])
    // On hold the next day, and a word that nobody was asked about.
    const next = yardFile(
      ['Price', 'Status'],
      [...rows.slice(0, 3), ['50.00', 'Yard hold'], ['51.00', 'Loaned']],
      {
        partprice: 'Price',
      },
    )
    expect(asked(await check(seller, next))[0]?.choices.map(({ id }) => id)).toEqual(['Yard hold', 'Loaned'])
    const { plan, whole } = await check(seller, next, { answers: { 'state:Status': 'Loaned' } })
    expect([plan?.ends, whole?.unchanged, whole?.update]).toEqual([1, 1, 1])
  })

  test.each([
    ['Status', ['Available', 'On Hold', 'Crushed']],
    ['Color', ['Black', 'White', 'Silver']],
    ['Published', ['1', '0', '-1']],
  ])('“%s” with %j is not asked about', async (header, values) => {
    const seller = await trusted()
    const known = values.map((value) => ['50.00', value])
    expect(asked(await check(seller, yardFile(['Price', header], known, { partprice: 'Price' })))).toEqual([])
  })
})

describe('units of the miles', () => {
  const miles = (header: string, values: readonly string[]) =>
    yardFile(
      ['Price', header],
      values.map((value) => ['50.00', value]),
      { partprice: 'Price', partmiles: header },
    )

  test('are asked about only where the values contradict each other', async () => {
    const seller = await trusted()
    const mixed = ['60', '87', '145', '210', '33', '145000']
    expect(asked(await check(seller, miles('Mileage', mixed)))).toMatchObject([
      {
        id: 'units:Mileage',
        choices: [{ id: 'miles' }, { id: 'kilometers' }, { id: 'thousands' }, { id: 'leave-out' }],
      },
    ])
    expect(asked(await check(seller, miles('Mileage', ['160000 km', '98000', '120000 km'])))).toHaveLength(1)
    expect(asked(await check(seller, miles('Mileage', ['98000', '120500', '12'])))).toEqual([])
    expect(asked(await check(seller, miles('Odometer (km)', ['160000', '98000', '120000 km'])))).toEqual([])
  })

  test('an answer leaves them out', async () => {
    const seller = await trusted()
    const yard = miles('Mileage', ['60', '87', '145', '210', '33', '145000'])
    await run(seller, yard, { answers: { 'units:Mileage': 'leave-out' } })
    expect((await listingsOf(app, seller)).map(({ miles: of }) => of)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ])
  })
})

describe('a file in chunks', () => {
  const header = [...columns, 'Price', 'Status']
  const chunk = (from: number, statuses: readonly string[]) =>
    csvOf(
      statuses.map((status, at) => [...part(from + at), `${50 + at}.00`, status]),
      header,
    )
  const files = [chunk(1, ['Available', 'Available']), chunk(3, ['Shelf 9', 'Sold']), chunk(5, ['Available'])]
  const mapped = { ...mapping, partprice: 'Price' }
  const sendChunk = <T>(seller: SignedIn, chunkIndex: number, fields: Fields) =>
    send<T>(
      seller,
      { file: files[chunkIndex] ?? '', mapping: mapped },
      { chunkIndex, chunkCount: files.length, ...fields },
    )

  test('is asked about as a whole by its last call; then the key is free for all of it', async () => {
    const seller = await trusted()
    const idempotencyKey = newKey()
    const all = async (fields: Fields) => {
      const statuses: number[] = []
      // The last chunk to arrive is not the last of the file.
      for (const index of [2, 0, 1]) {
        const { status } = await sendChunk(seller, index, { idempotencyKey, ...fields })
        statuses.push(status)
      }
      return statuses
    }
    expect(await all({})).toEqual([200, 200, 422])
    expect(await all({ answers: { 'state:Status': [] } })).toEqual([200, 200, 200])
    const { body } = await seller.api.get<{ items: ImportRecord[] }>('/pro/imports')
    expect(body.items).toHaveLength(1)
    await untilImport(app, seller.api, body.items[0]?.id ?? '')
    expect(Object.keys(await pricesOf(seller))).toEqual(['Q-1', 'Q-2', 'Q-5'])
  })
})

describe('a template', () => {
  test('says which column is meant, and is asked once about what contradicts it', async () => {
    const seller = await trusted()
    const yard = yardFile(['Cost', 'List', 'Currency'], [['50.00', '80.00', 'EUR']], { partprice: 'Cost' })
    const { body: template } = await seller.api.post<MappingTemplate>('/pro/mappings', {
      name: 'Ours',
      mapping: yard.mapping,
    })
    const named = { mapping: undefined, mappingId: template.id }
    const ids = (await refused(seller, yard, named)).map(({ id }) => id)
    expect(ids).toEqual(['currency:Currency'])
    await run(seller, yard, { ...named, answers: { 'currency:Currency': 1.1 } })
    expect(await pricesOf(seller)).toEqual({ 'Q-1': 5_500 })
    // A file with one column more is read with the same template.
    const wider = yardFile(['Cost', 'List', 'Currency', 'Bin'], [['60.00', '80.00', 'EUR', 'A1']], {})
    expect(asked(await check(seller, wider, named))).toEqual([])
  })
})

describe('before a run', () => {
  const stock = (number: number, price: string, changes: { name?: string; year?: string } = {}) => {
    const [stockNo = '', name = '', ...others] = part(number)
    return [stockNo, changes.name ?? name, ...others, price, '98000', 'B', 'Tulsa', 'OK']
  }
  const header = [...columns, 'Price', 'Miles', 'Grade', 'City', 'State']
  const mapped: ImportMapping = {
    ...{ ...mapping, partprice: 'Price', partmiles: 'Miles', partgrade: 'Grade' },
    ...{ partcity: 'City', partstate: 'State' },
  }
  const rows = Array.from({ length: 12 }, (_, at) => stock(at + 1, `${60 + at}.00`))
  const special = [
    stock(20, '900.00', { name: 'LH Fender' }),
    stock(21, '5.00', { name: 'RH Mirror' }),
    stock(22, 'call'),
  ]
  const all = [...rows.slice(0, 5), ...special, ...rows.slice(5)]

  test('five finished listings are shown, of the whole file in whatever chunks, with the columns of their values', async () => {
    const seller = await trusted()
    const whole = await check(seller, { file: csvOf(all, header), mapping: mapped })
    const [dearest, cheapest, common, ...drawn] = whole.examples ?? []
    expect(dearest).toEqual({
      why: 'dearest',
      row: 7,
      title: '2000 Ford Mustang LH Fender',
      price: 900,
      side: 'left',
      miles: 98_000,
      grade: 'B',
      category: 'Fender',
      place: 'Tulsa, OK',
      partnum: '',
      columns: {
        ...{ title: 'Part Name', price: 'Price', side: 'Part Name', miles: 'Miles', grade: 'Grade' },
        ...{ category: 'Category', place: 'City' },
      },
    })
    expect(cheapest).toMatchObject({ why: 'cheapest', row: 8, price: 5, side: 'right' })
    expect(common).toMatchObject({ why: 'common', category: 'Hood' })
    expect(drawn.map(({ why }) => why)).toEqual(['drawn', 'drawn'])
    const chunks = [all.slice(0, 4), all.slice(4, 9), all.slice(9)]
    const idempotencyKey = newKey()
    const previews: DryRunReply['preview'][] = []
    for (const index of [2, 0, 1]) {
      const file = csvOf(chunks[index] ?? [], header)
      previews.push(
        await check(seller, { file, mapping: mapped }, { idempotencyKey, chunkIndex: index, chunkCount: 3 }),
      )
    }
    expect(previews.map(({ examples }) => examples?.length)).toEqual([undefined, undefined, 5])
    const inChunks = previews[2]?.examples ?? []
    expect(inChunks.slice(0, 2)).toEqual([dearest, cheapest])
    const numbers = new Map(all.map((cells, at) => [at + 2, cells[6]]))
    for (const { row, price } of inChunks) expect(Number(numbers.get(row))).toBe(price)
  })

  test('the plan says how many parts the file does not name, in both modes, and what a run ends', async () => {
    const seller = await trusted()
    await run(seller, { file: csvOf(rows, header), mapping: mapped })
    // Ten of twelve, one of them with an error, and a new one.
    const next = [...rows.slice(0, 9), stock(10, 'call'), stock(30, '70.00')]
    const yard = { file: csvOf(next, header), mapping: mapped }
    const planOf = async (mode: string) => (await check(seller, yard, { mode })).plan
    expect(await planOf('add')).toMatchObject({ creates: 1, ends: 0, missing: 2 })
    expect(await planOf('replace')).toMatchObject({ creates: 1, ends: 2, missing: 2 })
    expect((await check(seller, { file: csvOf(rows, header), mapping: mapped })).plan?.missing).toBe(0)
  })

  test('asks for what neither file, defaults nor listing defaults have', async () => {
    const seller = await trusted()
    const yard = { file: csvOf(rows, header), mapping: mapped }
    expect((await check(seller, yard)).wants).toEqual(['dealerphone', 'dealername'])
    expect((await check(seller, yard, { defaults: { dealername: 'Green Country' } })).wants).toEqual([
      'dealerphone',
    ])
    await seller.api.put('/profile', { listingDefaults: { dealerPhone: '918 555 0142' } })
    expect((await check(seller, yard, { defaults: { dealername: 'Green Country' } })).wants).toEqual([])
    const { partcity: _, ...placeless } = mapped
    expect((await check(seller, { ...yard, mapping: placeless })).wants).toContain('partcity')
    // Parts of a list of prices have theirs.
    await run(seller, yard)
    const prices = await check(seller, { ...yard, mapping: { stocknum: 'Stock No', partprice: 'Price' } })
    expect([prices.errors, prices.wants, prices.examples]).toEqual([0, [], []])
  })

  test('what a file was read with is remembered for its columns in any order, the mode from the second file on', async () => {
    const seller = await trusted()
    const empty = { mapping: {}, defaults: {}, answers: {} }
    expect(await shapeOf(seller, header)).toEqual(empty)
    const yard = { file: csvOf(rows, header), mapping: mapped }
    await run(seller, yard, { defaults: { dealername: 'Green Country' }, mode: 'replace' })
    const first = { mapping: mapped, defaults: { dealername: 'Green Country' }, answers: {} }
    expect(await shapeOf(seller, header.toReversed())).toEqual(first)
    await run(seller, yard, { mode: 'replace' })
    expect(await shapeOf(seller, header)).toEqual({ ...first, defaults: {}, mode: 'replace' })
    expect(await shapeOf(await trusted(), header)).toEqual(empty)
  })
})

describe('what a file does not say plainly', () => {
  const prices = [
    '185.50',
    '92.00',
    '240.75',
    '61.25',
    '118.00',
    '77.50',
    '305.00',
    '149.99',
    '84.25',
    '66.00',
  ]

  test('a suggested price that is less than sure is asked about once', async () => {
    const seller = await trusted()
    const yard = yardFile(
      ['Replacement Value'],
      prices.map((price) => [price]),
      { partprice: 'Replacement Value' },
    )
    const suggested = { suggested: ['partprice'] }
    const [question] = await refused(seller, yard, suggested)
    expect(question?.sentence).toBe(
      'Is “Replacement Value” your price? First parts would cost $185.50 and $92.00.',
    )
    await run(seller, yard, { ...suggested, answers: { 'price:Replacement Value': 'yes' } })
    expect(asked(await check(seller, yard, suggested))).toEqual([])
  })

  test('a column that someone named is the answer for later files of it', async () => {
    const seller = await trusted()
    const yard = yardFile(
      ['List', 'Jobber'],
      prices.map((price) => [price, String(Number(price) * 0.6)]),
      { partprice: 'List' },
    )
    const suggested = { suggested: ['partprice'] }
    expect(asked(await check(seller, yard, suggested))).toMatchObject([{ id: 'price:List' }])
    await run(seller, yard)
    expect(asked(await check(seller, yard, suggested))).toEqual([])
    expect((await shapeOf(seller, [...columns, 'List', 'Jobber'])).answers).toEqual({ 'price:List': 'List' })
  })

  test('a column of currencies is found by its values', async () => {
    const seller = await trusted()
    const yard = yardFile(
      ['Price', 'Tender'],
      prices.map((price, at) => [price, at < 2 ? 'USD' : 'GTQ']),
      { partprice: 'Price' },
    )
    expect(await refused(seller, yard)).toMatchObject([{ id: 'currency:Tender', kind: 'currency' }])
    await run(seller, yard, { answers: { 'currency:Tender': '0,13' } })
    expect(await pricesOf(seller)).toMatchObject({ 'Q-1': 18_550, 'Q-2': 9_200, 'Q-3': 3_130 })
  })

  test('a column of states without a name for it is asked about, and its answer stays', async () => {
    const seller = await trusted()
    const yard = yardFile(
      ['Price', 'Disp'],
      prices.map((price, at) => [price, at % 2 === 0 ? 'Rack' : 'Gone']),
      { partprice: 'Price' },
    )
    const [question] = await refused(seller, yard)
    expect(question).toMatchObject({
      id: 'state:Disp',
      sentence: '“Disp” seems to say whether a part is for sale. Which of these are for sale?',
    })
    await run(seller, yard, { answers: { 'state:Disp': ['Rack'] } })
    expect(Object.keys(await pricesOf(seller))).toHaveLength(5)
    expect(asked(await check(seller, yard))).toEqual([])
  })
})

test('how a person had a file read is remembered for files that look like it, and forgotten', async () => {
  const seller = await trusted()
  const yard = yardFile(['Price'], [['85.50']], { partprice: 'Price' })
  const found = ['My yard', 'Column 2']
  const readAs = { header: found, reading: { headerRow: 3, sheet: 'Parts' } }
  const reading = async () => (await shapeOf(seller, found)) as { reading?: object }
  await check(seller, yard, { readAs })
  expect(await reading()).not.toHaveProperty('reading')
  await run(seller, yard, { readAs })
  expect(await reading()).toMatchObject({ mapping: {}, reading: readAs.reading })
  await run(seller, yard, { readAs: { header: found, reading: {} } })
  expect(await reading()).not.toHaveProperty('reading')
  const { body } = await send<ErrorReply>(seller, yard, { readAs: { header: [] } }, true)
  expect(body.fields?.readAs).toContain('readAs must be')
})
