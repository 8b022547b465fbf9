import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ImportField, importFieldLabels, importFields } from '#contract/csv/import-fields.ts'
import { suggestColumns } from './suggest-columns.ts'

const headersOf = (headers: readonly string[]) =>
  Object.fromEntries(
    Object.entries(suggestColumns(headers, [])).map(([field, { header }]) => [field, header]),
  )

test('our own field names and labels match exactly and are sure', () => {
  const own = suggestColumns(importFields, [])
  const labels = suggestColumns(
    importFields.map((field) => importFieldLabels[field]),
    [],
  )
  for (const field of importFields) {
    expect(own[field]).toMatchObject({ header: field, sure: true })
    expect(labels[field]).toMatchObject({ header: importFieldLabels[field], sure: true })
  }
})

test('the export of a yard system', () => {
  const headers = [
    'Stock #',
    'Year',
    'Make',
    'Model',
    'Part Type',
    'Part #',
    'Qty',
    'Retail Price',
    'Notes',
    'ZIP',
  ]
  expect(headersOf(headers)).toEqual({
    stocknum: 'Stock #',
    partyear: 'Year',
    partmanu: 'Make',
    partmodel: 'Model',
    partname: 'Part Type',
    partnum: 'Part #',
    partquantity: 'Qty',
    partprice: 'Retail Price',
    partdescription: 'Notes',
    zipcode: 'ZIP',
  })
})

test('the export of another yard system, whose part type is a category', () => {
  const headers = [
    'Part Type',
    'Title',
    'Year',
    'Make',
    'Model',
    'OEM Part No',
    'Cond',
    'Retail',
    'Yard City',
    'ST',
  ]
  expect(suggestColumns(headers, [])).toMatchObject({
    partcategory: { header: 'Part Type', sure: true },
    partname: { header: 'Title', sure: true },
    partyear: { header: 'Year', sure: true },
    partmanu: { header: 'Make', sure: true },
    partmodel: { header: 'Model', sure: true },
    partnum: { header: 'OEM Part No', sure: true },
    partgrade: { header: 'Cond', sure: true },
    partprice: { header: 'Retail', sure: true },
    partcity: { header: 'Yard City', sure: true },
    partstate: { header: 'ST', sure: true },
  })
})

describe('the spec’s substrings', () => {
  test.each<[string, ImportField]>([
    ['my_partname_en', 'partname'],
    ['item desc', 'partdescription'],
    ['Contact phone', 'dealerphone'],
    ['tel.', 'dealerphone'],
    ['Yard telephone no', 'dealerphone'],
    ['Asking price USD', 'partprice'],
  ])('%j is %s', (header, field) => {
    expect(headersOf([header])).toEqual({ [field]: header })
  })
})

describe('headers that match two fields', () => {
  test.each<[string[], Partial<Record<ImportField, string>>]>([
    [['modelyear'], { partyear: 'modelyear' }],
    [['Model Year', 'Model'], { partyear: 'Model Year', partmodel: 'Model' }],
    [['model_year_range'], { partmodel: 'model_year_range' }],
    [['description'], { partdescription: 'description' }],
    [['Part description', 'Part name'], { partdescription: 'Part description', partname: 'Part name' }],
    [['name', 'dealername'], { partname: 'name', dealername: 'dealername' }],
    [['price', 'partprice'], { partprice: 'partprice' }],
    [['partprice', 'price'], { partprice: 'partprice' }],
    [['list price', 'price before tax'], { partprice: 'list price' }],
    [['Phone', 'Dealer phone'], { dealerphone: 'Dealer phone' }],
    [['Part category', 'category name'], { partcategory: 'Part category' }],
    [['part', 'part number'], { partname: 'part', partnum: 'part number' }],
  ])('%j', (headers, expected) => {
    expect(headersOf(headers)).toEqual(expected)
  })
})

test('a partial match needs review, a full match does not', () => {
  expect(suggestColumns(['Price on the tag', 'Make'], [])).toMatchObject({
    partprice: { header: 'Price on the tag', sure: false },
    partmanu: { header: 'Make', sure: true },
  })
})

test('blank headers, headers without letters, and JavaScript property names match nothing', () => {
  expect(suggestColumns(['', '  ', '--', '__proto__', 'constructor', 'colour', 'width 1'], [])).toEqual({})
})

test('with repeated headers the values decide, and the match is not sure', () => {
  const header = ['Price', 'Part', 'Price (2)']
  const rows = ['85.50', '120.00', '40.25', '1,299.00', '65.95', '310.00'].map((price, row) => [
    row % 2 === 0 ? '0.00' : '25.00',
    'Door',
    price,
  ])
  expect(suggestColumns(header, rows).partprice).toMatchObject({ header: 'Price (2)', sure: false })
})

test('ragged rows are not used as evidence', () => {
  const rows = Array.from({ length: 9 }, (_, row) =>
    row % 3 === 0 ? ['Door', 'a piece too much', `${2000 + row}`] : ['Door', `${2000 + row}`],
  )
  expect(suggestColumns(['Column1', 'Column2'], rows).partyear).toMatchObject({
    header: 'Column2',
    sure: true,
  })
})

const words = fc.constantFrom(
  'part',
  'name',
  'model',
  'year',
  'price',
  'desc',
  'phone',
  'dealer',
  'stock',
  'no',
  '_',
)
const header = fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))

test('one column per field, one field per column, and always the same result', () => {
  fc.assert(
    fc.property(fc.uniqueArray(header, { maxLength: 8 }), (headers) => {
      const found = headersOf(headers)
      expect(new Set(Object.values(found)).size).toBe(Object.keys(found).length)
      expect(Object.values(found).every((name) => headers.includes(name))).toBe(true)
      expect(headersOf(headers)).toEqual(found)
    }),
  )
})

test.each([
  ['Kilometerstand', 'Meilen'],
  ['Odo km', 'Odo mi'],
  ['Mileage (km)', 'Mileage'],
])('of %s and %s, the miles are meant in any order; kilometers alone are', (kilometers, miles) => {
  const rows = Array.from({ length: 12 }, (_, at) => [
    String(90_000 + at * 7_919),
    String(55_923 + at * 4_921),
  ])
  const found = (...header: string[]) => suggestColumns(header, rows).partmiles?.header
  expect([found(kilometers, miles), found(miles, kilometers), found(kilometers, 'Price')]).toEqual([
    miles,
    miles,
    kilometers,
  ])
})
