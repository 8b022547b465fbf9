import { describe, expect, test } from 'vitest'
import type { ImportField } from '#contract/csv/import-fields.ts'
import { catalogueDictionary } from '#tests/support/yard-stock.ts'
import { type SuggestedColumns, suggestColumns } from './suggest-columns.ts'

/* Which of a file's amounts is the price, and which values keep a known column from its field. */

const catalogue = catalogueDictionary()
const ROWS = 40

type Cells = (at: number) => string
const price: Cells = (at) => `${40 + ((at * 37) % 90)}.50`
const times =
  (factor: number): Cells =>
  (at) =>
    (Number(price(at)) * factor).toFixed(2)
const turn =
  (...texts: string[]): Cells =>
  (at) =>
    texts[at % texts.length] ?? ''
const part = turn('Alternator', 'Hood', 'Radiator', 'Tail Light', 'Starter', 'Fender', 'Grille')

function suggested(columns: Record<string, Cells>): SuggestedColumns {
  const all: Record<string, Cells> = {
    'Stock #': (at) => `T${700 + ((at * 37) % 90)}`,
    Part: part,
    ...columns,
  }
  const rows = Array.from({ length: ROWS }, (_, at) => Object.values(all).map((cells) => cells(at)))
  return suggestColumns(Object.keys(all), rows, catalogue)
}

const surely = (header: string) => expect.objectContaining({ header, sure: true })

describe('the price is what a buyer pays', () => {
  test.each<[string, Record<string, Cells>]>([
    ['List', { List: times(1.4), 'Sale Price': price }],
    ['List before Net', { List: times(1.4), Net: price }],
    ['Retail beside Internet price', { 'Retail Price': times(1.3), 'Internet Price': price }],
    ['regular beside sale price', { 'Sale price': price, 'Regular price': times(1.2) }],
    ['cost and core', { Cost: times(0.4), Core: turn('0.00', '25.00'), Price: price }],
    ['purchase price', { 'Purchase Price': times(0.5), 'Asking Price': price }],
    ['wholesale', { Wholesale: times(0.7), Retail: price }],
    ['insurance', { 'Ins. Price': times(0.8), 'Retail Price': price }],
    ['Canadian dollars', { 'Price (CAD)': times(1.39), 'Price (USD)': price }],
    ['MSRP, cost and a price in Spanish', { MSRP: times(1.4), Costo: times(0.4), Precio: price }],
  ])('%s', (_what, columns) => {
    const own = Object.keys(columns).find((name) => columns[name] === price) ?? ''
    expect(suggested(columns).partprice).toEqual(surely(own))
    const turned = Object.fromEntries(Object.entries(columns).toReversed())
    expect(suggested(turned).partprice).toEqual(surely(own))
  })

  test('is the column that has the sale price where there is one', () => {
    const sale: Cells = (at) => (at % 5 === 0 ? price(at) : '')
    const effective: Cells = (at) => sale(at) || times(1.2)(at)
    const columns = { 'Sale price': sale, 'Regular price': times(1.2), Price: effective }
    expect(suggested(columns).partprice).toEqual(surely('Price'))
  })

  test.each<[string, Record<string, Cells>]>([
    ['two prices', { 'Price 1': price, 'Price 2': times(0.9) }],
    ['two of the buyer’s prices', { 'Sale Price': price, 'Internet Price': times(0.9) }],
    ['a list price beside a cost', { List: price, Cost: times(0.4) }],
    ['a list price beside amounts of another name', { MSRP: times(1.4), Zebra: price }],
    [
      'a sale price in a few rows',
      { Price: times(1.2), 'Sale Price': (at) => (at % 5 === 0 ? price(at) : '') },
    ],
    ['no name', { 'Column 3': times(1.4), 'Column 4': price }],
  ])('is asked for: %s', (_what, columns) => {
    expect(suggested(columns).partprice).toMatchObject({ sure: false })
  })

  test.each(['Cost', 'Purchase Price', 'Wholesale', 'Core Price', 'Einkaufspreis', 'Reserve price'])(
    'is never “%s”',
    (name) => {
      expect(suggested({ [name]: price }).partprice).toBeUndefined()
    },
  )
})

describe('whole numbers that are codes', () => {
  const codes = turn('601', '117', '674', '166', '604', '110', '190')
  const interchange: Cells = (at) => `${codes(at)}-${10_000 + ((at * 7_919) % 80_000)}`

  test('begin a neighbor’s values', () => {
    const columns = { 'Column 3': codes, 'Column 4': interchange, 'Column 5': price }
    expect(suggested(columns).partprice).toEqual(surely('Column 5'))
    expect(suggested({ 'Column 3': codes, 'Column 4': interchange }).partprice).toBeUndefined()
    expect(suggested({ Price: codes, 'Column 4': interchange }).partprice).toBeUndefined()
  })

  test('are one for each name of a part', () => {
    expect(suggested({ 'Column 3': codes }).partprice).toBeUndefined()
    // A price list has such prices, and says so.
    expect(suggested({ 'Our Price': codes }).partprice).toEqual(surely('Our Price'))
  })
})

describe('a known name wins over odd values', () => {
  test.each<[ImportField, string, Cells]>([
    ['partprice', 'Price', turn('150.000000', '60.500000', '85.2500')],
    ['partprice', 'Price (USD, no tax)', price],
    ['partprice', 'Precio', turn('$873.00 MXN', '$3,761.10 MXN')],
    ['partprice', 'Preis (€)', turn('150,00 €', '60,50 €')],
    ['zipcode', 'Zip', turn('="02134"', '="00501"')],
    ['partquantity', 'Qty', turn('0', 'In Stock', '2+', '2 pcs', '1.0000')],
    ['partmiles', 'Miles', turn('98000', 'TMU', 'exempt', '~98000', '87k')],
    ['partmiles', 'Mileage', turn('60', '145', '212')],
    ['partmiles', 'Kilometraje', turn('298099', '207196')],
    ['partmiles', 'Odometer (km)', turn('60000', '163111')],
    ['dealerphone', 'Phone', turn('6175550142.0', '9185550177.0')],
    ['warrantydays', 'Warranty', turn('90', '6 mo', '30 days')],
    ['corecharge', 'Core', turn('Core $200', 'Core $150')],
    ['partdescription', 'Notes (max 500 characters)', turn('tested good', '', 'small dent')],
    ['partnum', 'OEM No. (if known)', turn('27060-0V210', '', 'N/A', 'FL3Z-13405-B')],
    ['zipcode', 'yard_zip', turn('74103')],
    ['partside', 'Side', turn('L', 'R', '-', '-', '-')],
    ['partside', 'L/R', turn('L', 'N', 'R', 'N')],
    ['partmiles', 'Donor Mileage', turn('98,000', '145,200')],
  ])('%s = %s', (field, header, cells) => {
    expect(suggested({ [header]: cells })[field]).toEqual(surely(header))
  })

  test('a description that names the parts is their name', () => {
    const rows = Array.from({ length: 20 }, (_, at) => [`P${at}`, part(at), price(at)])
    expect(suggestColumns(['PART NO', 'DESCRIPTION', 'PRICE'], rows, catalogue).partname).toEqual(
      surely('DESCRIPTION'),
    )
  })
})

describe('no field is filled from a column that merely could be it', () => {
  test.each<[ImportField, string, Cells]>([
    ['partgrade', 'Condition', turn('Used')],
    ['partgrade', 'Variation Name', turn('Regular')],
    ['partgrade', 'Condition', turn('Used', 'New')],
    ['dealername', 'Column 3', turn('Green Country Salvage')],
    ['dealername', 'Account', turn('Parts Income')],
    ['dealername', 'Price type', turn('inc VAT')],
    ['partquantity', 'product_online', turn('1', '2')],
    ['partprice', 'Watchers', turn('12', '140', '33', '75')],
    ['partstate', 'ST', turn('A', 'H', 'S')],
    ['partgrade', 'Column 3', turn('A', 'A', 'H', 'S')],
    ['stocknum', 'Where', turn('A12', 'B3', 'C7')],
    ['asis', 'Cost Basis', price],
  ])('%s, “%s”', (field, header, cells) => {
    expect(suggested({ [header]: cells })[field]?.header).not.toBe(header)
  })

  test.each<[ImportField, string, Cells]>([
    ['partmanu', 'Manufacturer', turn('Bosch', 'Denso', 'Valeo')],
    ['partname', 'Name', turn('Ray', 'Luis', 'Deb')],
    ['parttrim', 'Trim', turn('Gray', 'Blue', 'Black')],
    ['dealername', 'Seller', turn('Ray', 'Luis', 'Deb')],
    ['zipcode', 'Zip', (at) => String(10_000 + at * 907)],
    ['returndays', 'Returns', turn('Y', 'N')],
  ])('%s, “%s”, is not sure', (field, header, cells) => {
    const found = suggested({ [header]: cells })[field]
    expect(found?.header === header && found.sure).toBe(false)
  })
})

test.each(['Q#', 'HK$#', '# quetzales', '# baht', 'S/ #', 'RD$ #', 'R #'])(
  'amounts in other money, as in %s, are prices; the currency is asked about later',
  (form) => {
    const foreign: Cells = (at) => form.replace('#', price(at))
    expect(suggested({ Price: foreign }).partprice).toEqual(surely('Price'))
  },
)

test('numbers of parts that begin with letters of a currency are none', () => {
  const codes =
    (letters: string): Cells =>
    (at) =>
      `${letters}${1000 + ((at * 37) % 90)}`
  expect(suggested({ 'Column 3': codes('Q'), Price: price }).partprice).toEqual(surely('Price'))
  expect(suggested({ 'Column 3': codes('CZK') }).partprice).toBeUndefined()
  expect(suggested({ 'Column 3': codes('R') }).partprice).toBeUndefined()
})

test.each<[string, Record<string, Cells>]>([
  ['what may be the price for dealers', { MSRP: times(1.4), Dealer: price }],
  ['a price that was', { 'Last Sold For': price }],
  ['a value', { 'Replacement Value': price }],
  ['an amount below the retail price', { Retail: times(1.4), Amount: price }],
  ['a jobber’s price', { List: times(1.4), Jobber: price }],
])('%s makes the price unsure', (_, columns) =>
  expect(suggested(columns).partprice).toMatchObject({ sure: false }),
)
