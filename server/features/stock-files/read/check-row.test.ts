import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ImportMapping, importFields } from '#contract/csv/import-fields.ts'
import { checkListing } from '#contract/listing/listing-rules.ts'
import type { ReadVin } from '#server/features/market/vin/vehicles.ts'
import { checkCells, fieldsOf, goodRow, issuesOf, YEAR } from '#tests/support/checked-row.ts'
import { testVocabulary } from '#tests/support/test-vocabulary.ts'
import { compileRowCheck } from './check-row.ts'
import { splitColumns } from './split-columns.ts'

test('a good row is returned unchanged, without its empty fields', () => {
  expect(fieldsOf(checkCells({}))).toEqual(goodRow)
  expect(fieldsOf(checkCells({ vin: '', partgrade: ' ', imageUrl: '\u00a0' }))).not.toHaveProperty('vin')
  expect(Object.keys(fieldsOf(checkCells({ partgrade: ' ', imageUrl: '\u00a0' })))).toHaveLength(21)
})

test('every problem of a row is reported', () => {
  const issues = issuesOf(checkCells({ partyear: '190', partprice: 'x', zipcode: '1', partname: '' }))
  expect(issues.map(({ column }) => column)).toEqual(['partname', 'partyear', 'partprice'])
})

describe('the value that an issue shows', () => {
  test('is cut to 100 characters', () => {
    const [issue] = issuesOf(checkCells({ partname: 'x'.repeat(10 * 1024 * 1024) }))
    expect(issue).toMatchObject({ code: 'TOO_LONG', value: 'x'.repeat(100) })
  })
  test('is never cut inside a character', () => {
    const [issue] = issuesOf(checkCells({ partname: `${'x'.repeat(99)}🚗${'x'.repeat(99)}` }))
    expect(issue?.value).toBe('x'.repeat(99))
  })
})

test('every accepted row also passes the form’s rules', () => {
  const value = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc
      .array(fc.constantFrom('a', '\u00a0', 'é', '\u200b', '\n', '🚗', '\u202e', '\u0085'))
      .map((of) => of.join('')),
    fc.stringMatching(/^[$ ]?[0-9]{1,4}[,.]?[0-9]{0,3}$/),
    fc.constantFrom('1,299.00', '$5', '2019', 'a', '1,000', 'Free', '74103', 'Flat $20', '007', '1.5'),
  )
  fc.assert(
    fc.property(fc.constantFrom(...importFields), value, (field, changed) => {
      const result = checkCells({ [field]: changed })
      if ('issues' in result) return
      const { imageUrl: _, partcategory: __, partmanu, ...fields } = result.fields
      const text = { ...fields, partmanuname: partmanu ?? '' }
      expect(checkListing('ecommerce', text, { mode: 'edit', year: YEAR, fromFile: true })).toBeUndefined()
    }),
    { numRuns: 1_000 },
  )
})

test('rows may lack only the unnamed columns at the end of the header', () => {
  const header = ['Part', '', 'Price', '', '']
  const names = header.map((name, at) => name || `Column ${at + 1}`)
  const defaults = { partcategory: 'Door', partmanu: 'Ford', partmodel: 'F-150', partyear: '2012' }
  const mapping = { partname: 'Part', partprice: 'Price' }
  const checkRow = compileRowCheck({ header: names, mapping, defaults, year: YEAR })
  expect(fieldsOf(checkRow(['Door', '', '85']))).toMatchObject({ partname: 'Door', partprice: '85' })
  expect(issuesOf(checkRow(['Door', '']))).toMatchObject([{ code: 'TOO_FEW_CELLS' }])
  const checkNameless = compileRowCheck({
    header: names.map((_, at) => `Column ${at + 1}`),
    mapping: { partname: 'Column 1', partprice: 'Column 3' },
    defaults,
    year: YEAR,
  })
  expect(issuesOf(checkNameless(['Door', '', '85']))).toMatchObject([{ code: 'TOO_FEW_CELLS' }])
})

const header = ['Stock', 'Part', 'Category', 'Make', 'Model', 'Year', 'Price', 'Notes']
const mapping: ImportMapping = {
  stocknum: 'Stock',
  partname: 'Part',
  partcategory: 'Category',
  partmanu: 'Make',
  partmodel: 'Model',
  partyear: 'Year',
  partprice: 'Price',
}
const check = compileRowCheck({ header, mapping, defaults: {}, year: 2026 })
const isRemark = (row: string) => issuesOf(check(row.split('|'))).some(({ code }) => code === 'NOT_A_PART')

describe('rows that are not parts', () => {
  test.each([
    'Total||||||1234.50|',
    'TOTAL:|12|||||1,234.50|',
    '|Grand total|||||$1,234.50|',
    'Subtotal||||||9|',
    'Total|||1234',
    'Total parts: 500',
    'Total|Parts|All||||1234.50|',
    '500 records',
    '1,204 rows exported',
    '(500 rows affected)',
    'End of report',
    '*** End of file ***',
    'Page 3 of 12',
    'Printed on 11/20/2026 by Joe',
    'Records|500',
    '-----|-----|-----|-----|-----|-----|-----|-----',
    '=====',
    'Prices do not include core charges.',
    "BOB'S AUTO SALVAGE - INVENTORY LIST",
    'ENGINES & TRANS|||||||',
    '|yellow = ask Bob first||||||',
  ])('%s', (row) => {
    expect(isRemark(row)).toBe(true)
  })

  test.each([
    'S1|Door||||2015|100|',
    'S1|Total seal ring||Ford|Focus|20l5|100|',
    'Door',
    '2014 Ford Focus Front Door Left',
    'Bob’s tested door, front, left',
    'S1|Door|Doors',
    'Total|Door|Doors|Ford|Focus|2015',
    '||||||12|',
  ])('%s is a part with mistakes', (row) => {
    expect(isRemark(row)).toBe(false)
  })

  test('a heading in a column of vehicles is one, too', () => {
    const { partmanu: _, partmodel: __, partyear: ___, ...others } = mapping
    const ofVehicles = compileRowCheck({
      header,
      mapping: { ...others, split: { from: 'Make', as: 'vehicle' } },
      defaults: {},
      year: 2026,
    })
    const codes = (row: string) => issuesOf(ofVehicles(row.split('|'))).map(({ code }) => code)
    expect(codes('|||IMPORTS||||')).toEqual(['NOT_A_PART'])
    expect(codes('S1|Door||Imports|||100|')).toEqual(['UNSURE_SPLIT'])
  })

  test('a good part whose name starts like a remark is a part', () => {
    expect(fieldsOf(check('S1|Total seal ring|Engine|Ford|Focus|2015|100|'.split('|'))).partname).toBe(
      'Total seal ring',
    )
  })

  test('a remark is explained and sends no fields', () => {
    const checked = check('Total||||||1234.50|'.split('|'))
    expect(issuesOf(checked)).toEqual([
      {
        column: '',
        code: 'NOT_A_PART',
        value: 'Total',
        message: 'This line is a heading, a total or a remark, not a part. We skip it',
      },
    ])
    expect(checked).toMatchObject({ sent: {} })
  })

  test('a remark is recognized even if defaults fill most required fields', () => {
    const defaults = { partcategory: 'Doors', partmanu: 'Ford', partmodel: 'Focus' }
    const some = compileRowCheck({ header, mapping, defaults, year: 2026 })
    expect(issuesOf(some('Total||||||1234.50|'.split('|')))[0]?.code).toBe('NOT_A_PART')
  })
})

test.each([
  ['UNCLOSED_QUOTE', 'A quotation mark opens in this row and never closes'],
  ['RECORD_TOO_LONG', 'The row is longer than 16 MB'],
] as const)('a record with %s is an issue of its row and is not echoed', (problem, sentence) => {
  const checked = check(['S1', `"${'x'.repeat(1_000_000)}`], problem)
  const [issue] = issuesOf(checked)
  expect(issue?.message.startsWith(sentence)).toBe(true)
  expect(issue?.value.length).toBeLessThanOrEqual(100)
  expect(checked).toHaveProperty('sent', undefined)
})

describe('a quantity of 0', () => {
  const counted = compileRowCheck({
    header: [...header, 'Qty', 'Listing'],
    mapping: { ...mapping, partdescription: 'Notes', partquantity: 'Qty', listingid: 'Listing' },
    defaults: {},
    year: 2026,
  })
  const id = '01999999-0000-7000-8000-000000000009'
  const row = (quantity: string, listing = '') =>
    counted(`S1|Door|Doors|Ford|Focus|2015|100||${quantity}|${listing}`.split('|'))

  test('means that the part is sold, so its listing may end', () => {
    expect(issuesOf(row('0')).map(({ column, code }) => [column, code])).toEqual([['Qty', 'OUT_OF_STOCK']])
    expect(row('0')).toMatchObject({ sent: {} })
    expect(fieldsOf(row('2')).partquantity).toBe('2')
  })

  test.each(['SOLD', 'sold 11/2', 'Sold on 11-2-26!'])('is implied by the note: %s', (note) => {
    const sold = counted(['S1', 'Door', 'Doors', 'Ford', 'Focus', '2015', '', note, '1', ''])
    expect(sold).toMatchObject({ issues: [{ code: 'OUT_OF_STOCK' }], sent: {}, soldOut: { stocknum: 'S1' } })
  })

  test('is implied by a name that ends so', () => {
    const row = (name: string) => counted(['S1', name, 'Doors', 'Ford', 'Focus', '2015', '100', '', '1', ''])
    expect(issuesOf(row('Door LH SOLD'))).toMatchObject([{ column: 'Part', code: 'OUT_OF_STOCK' }])
    expect(fieldsOf(row('Door, not sold')).partname).toBe('Door, not sold')
  })

  test.each([
    ['Status', 'Sold'],
    ['STS', 'S'],
    ['Disponibilité', 'Vendu'],
    ['Sold?', 'Y'],
    ['Bin', 'SOLD 11/2'],
    ['Status', 'On Hold'],
    ['Status', 'Crushed'],
    ['Published', '-1'],
    ['Archived', 'Y'],
    ['Date sold', '11/2/26'],
  ])('is implied by a column that is not mapped: %s %s', (column, cell) => {
    const marked = compileRowCheck({ header: [...header, column], mapping, defaults: {}, year: 2026 })
    const row = (text: string) => marked(['S1', 'Door', 'Doors', 'Ford', 'Focus', '2015', '100', '', text])
    expect(row(cell)).toMatchObject({
      issues: [{ column, code: 'OUT_OF_STOCK' }],
      soldOut: { stocknum: 'S1' },
    })
    const live = { Published: '1', Archived: 'N', 'Sold?': 'N', 'Date sold': '' }[column] ?? 'A'
    expect(fieldsOf(row(live)).stocknum).toBe('S1')
  })

  test('is implied by an extra cell that says so, and the name is the listed one', () => {
    const row = ['S1', 'Door', 'Doors', 'Ford', 'Focus', '2015', '100', '', '1', '']
    expect(counted([...row, 'SOLD'])).toMatchObject({ soldOut: { stocknum: 'S1', partname: 'Door' } })
    expect(issuesOf(counted([...row, 'red']))).toMatchObject([{ code: 'TOO_MANY_CELLS' }])
    expect(counted(row.with(1, 'Door - SOLD'))).toMatchObject({ soldOut: { partname: 'Door' } })
  })

  test('is what the seller answered about a word', () => {
    const isParted = (cell: string) => (cell === 'Parted' ? ('not for sale' as const) : undefined)
    const states = new Map([['Status', isParted]])
    const answered = compileRowCheck({
      header: [...header, 'Status'],
      mapping,
      defaults: {},
      year: 2026,
      states,
    })
    const row = (text: string) => answered(['S1', 'Door', 'Doors', 'Ford', 'Focus', '2015', '100', '', text])
    expect(issuesOf(row('Parted'))).toMatchObject([{ column: 'Status', code: 'OUT_OF_STOCK' }])
    expect(fieldsOf(row('Yard')).stocknum).toBe('S1')
  })

  test.each(['Sold as is', 'Sold with brackets', 'sold as a pair'])(
    'is not implied by the note: %s',
    (note) => {
      const sold = counted(['S1', 'Door', 'Doors', 'Ford', 'Focus', '2015', '100', note, '1', ''])
      expect(fieldsOf(sold).partdescription).toBe(note)
    },
  )

  test('is an edit if the row names its listing', () => {
    expect(fieldsOf(row('0', id)).partquantity).toBe('0')
  })
})

describe('a column of VINs', () => {
  const header = ['part', 'price', 'vin', 'year', 'make', 'model', 'id']
  const mapping = {
    partname: 'part',
    partprice: 'price',
    vin: 'vin',
    partyear: 'year',
    partmanu: 'make',
    partmodel: 'model',
    listingid: 'id',
  }
  const accord = { partyear: '2003', partmanu: 'Honda', partmodel: 'Accord', bodystyle: 'Coupe' }
  const readVin: ReadVin = (vin) => (vin.startsWith('1HG') ? accord : { isMistyped: true })
  const check = compileRowCheck({ header, mapping, defaults: { partmodel: 'Civic' }, year: 2026, readVin })
  const row = (vin: string, year = '', make = '', id = '') =>
    check(['Alternator', '85', vin, year, make, '', id])

  test('fills what a row leaves empty, before the defaults', () => {
    expect(row('1hgcm82633a004352')).toEqual({
      fields: { partname: 'Alternator', partprice: '85', vin: '1hgcm82633a004352', ...accord },
    })
  })

  test('reports a different year or make, and a typo', () => {
    expect(row('1HGCM82633A004352', '2005-2007', 'Acura')).toMatchObject({
      fields: { partyear: '2005-2007', partmanu: 'Acura' },
      ofVin: ['vin year', 'vin make'],
    })
    expect(row('1HGCM82633A004352', '2002-2004', 'HONDA')).not.toHaveProperty('ofVin')
    expect(row('2HGCM82633A004352', '2003', 'Honda')).toMatchObject({ ofVin: ['vin typo'] })
  })

  test('says what is wrong with a VIN where only it could say the car', () => {
    const message = (vin: string) => issuesOf(row(vin)).map((issue) => issue.message)
    expect(message('2HGCM82633A0O4352')).toEqual([
      'This VIN has a typo: character 13 cannot be O: a VIN has no I, O or Q. Did you mean 0?',
    ])
    expect(message('2HGCM82633A00435')).toEqual([
      'This VIN has a typo: a VIN has 17 characters; this one has 16.',
    ])
    expect(issuesOf(row('2HGCM82633A004352'))).toEqual([
      {
        column: 'vin',
        code: 'INVALID_VIN',
        value: '2HGCM82633A004352',
        message: 'This VIN has a typo: the 9th character should be 0.',
      },
    ])
  })

  test('leaves rows alone that have no complete VIN or that edit a listing', () => {
    const issues = [{ code: 'REQUIRED' }, { code: 'REQUIRED' }]
    expect(issuesOf(row('1HG'))).toMatchObject(issues)
    const id = '0192f3a4-5b6c-7d8e-9f01-23456789abcd'
    expect(issuesOf(row('1HGCM82633A004352', '', '', id))).toMatchObject(issues)
  })
})

test('an engine’s code is kept as a fact, and a transmission’s says its kind', () => {
  const columns = ['Stk', 'E/T', 'Code / Size', 'Make', 'Model', 'Year', 'Price']
  const coded = compileRowCheck({
    header: columns,
    mapping: {
      stocknum: 'Stk',
      partname: 'E/T',
      partmanu: 'Make',
      partmodel: 'Model',
      partyear: 'Year',
      partprice: 'Price',
    },
    defaults: {},
    year: 2026,
  })
  const row = (name: string, code: string) =>
    fieldsOf(coded(['N1', name, code, 'Mazda', 'CX-5', '2015', '500']))
  expect(row('ENG', '2.4L VIN B 8th digit')).toMatchObject({
    partname: 'Engine',
    partdescription: 'Code / Size: 2.4L VIN B 8th digit',
  })
  expect(row('TRN', '5 spd MT').partname).toBe('Manual Transmission')
  expect(row('Hood', 'B')).toMatchObject({ partname: 'Hood' })
})

/* Titles whose make is in another column. */

const split = splitColumns({
  header: ['Title', 'Vendor'],
  mapping: { partmanu: 'Vendor', split: { from: 'Title', as: 'title' } },
  year: 2026,
  vocabulary: testVocabulary,
})

test.each([
  ['2010 TL door', 'Acura', ['Acura', 'TL', '2010', 'door']],
  ['2015 3 hood', 'Mazda', ['Mazda', '3', '2015', 'hood']],
  ['2011 Mazda 3 hood', 'Mazda', ['Mazda', '3', '2011', 'hood']],
  ['2011 Camry hood', 'Salvage World', ['Toyota', 'Camry', '2011', 'hood']],
])('“%s” by %s has the vendor’s model', (title, vendor, expected) => {
  const { fields, problems } = split?.read([title, vendor]) ?? { fields: {}, problems: [] }
  expect([fields.partmanu, fields.partmodel, fields.partyear, fields.partname]).toEqual(expected)
  expect(problems).toEqual([])
})

test('a description gives the year and the part of a car that other columns have', () => {
  const items = splitColumns({
    header: ['Description', 'Make', 'Model'],
    mapping: { partmanu: 'Make', partmodel: 'Model', split: { from: 'Description', as: 'title' } },
    year: 2026,
    vocabulary: testVocabulary,
  })
  const { fields } = items?.read(['Tail light, left, 2008', 'Chevrolet', 'Silverado 1500']) ?? { fields: {} }
  expect(fields).toMatchObject({
    partyear: '2008',
    partmodel: 'Silverado 1500',
    partname: 'Tail light, left',
  })
})

test('a title without a model stays unclear, whoever made it', () => {
  expect(split?.read(['Widget', 'Acura']).problems).toHaveLength(1)
})

/* Fields in more than one column. */

/* The yard's usual grade. */

test.each([
  [{}, 'B', ['partgrade']],
  [{ notes: 'A grade' }, 'A', undefined],
  [{ partdescription: 'Grade: C, tested' }, 'C', undefined],
  [{ notes: 'has a grade' }, 'B', ['partgrade']],
  [{ notes: 'light surface rust' }, undefined, undefined],
  [{ notes: 'no rust, no dents' }, 'B', ['partgrade']],
  [{ partname: 'Hood, for parts' }, undefined, undefined],
  [{ damagecode: '5P1 2S2' }, 'C', undefined],
  [{ partgrade: 'D' }, 'D', undefined],
] as const)('a default of B for %j is %s', (changed, grade, byDefault) => {
  const header = [
    'partname',
    'partmanu',
    'partmodel',
    'partyear',
    'partprice',
    'partdescription',
    'damagecode',
    'partgrade',
  ]
  const mapping = Object.fromEntries(header.map((field) => [field, field]))
  const check = compileRowCheck({
    header: [...header, 'Notes'],
    mapping,
    defaults: { partgrade: 'B' },
    year: YEAR,
  })
  const row: Record<string, string> = {
    partname: 'Hood',
    partmanu: 'Ford',
    partmodel: 'Focus',
    partyear: '2010',
    partprice: '85',
    ...changed,
  }
  const found = check([...header.map((field) => row[field] ?? ''), row.notes ?? ''])
  expect(fieldsOf(found).partgrade).toBe(grade)
  expect('fields' in found && found.byDefault).toEqual(byDefault)
})

test('vehicles that a part fits are known, or named as unknown', () => {
  const header = ['partname', 'partmanu', 'partmodel', 'partyear', 'partprice', 'fitment']
  const mapping = Object.fromEntries(header.map((field) => [field, field]))
  const check = compileRowCheck({ header, mapping, defaults: {}, year: YEAR, vocabulary: testVocabulary })
  const row = (fitment: string) => check(['Hood', 'Ford', 'F-150', '2010', '85', fitment])
  expect(row('2009-2014 Ford F-150; 2010 Lincoln Mark LT')).not.toHaveProperty('unknownFits')
  expect(row('2009-2014 Ford F-150; 2010 Frod Rangr')).toMatchObject({ unknownFits: ['Frod Rangr'] })
})

describe('a column of money', () => {
  const priceOf = (header: readonly string[], cells: readonly string[], currency?: string) => {
    const mapping = { partname: 'Part', partprice: header[1] ?? '' }
    const defaults = { partcategory: 'Door', partmanu: 'Ford', partmodel: 'F-150', partyear: '2012' }
    return compileRowCheck({ header, mapping, defaults, year: YEAR, currency })(cells)
  }

  test('in cents is in dollars', () => {
    expect(fieldsOf(priceOf(['Part', 'Price (cents)'], ['Door', '8500'])).partprice).toBe('85.00')
    expect(issuesOf(priceOf(['Part', 'price_cents'], ['Door', '$85.00']))).toHaveLength(1)
  })

  test('follows the column of currencies that was found by its values', () => {
    const header = ['Part', 'Price', 'Tender']
    expect(issuesOf(priceOf(header, ['Door', '85', 'HKD'], 'Tender'))).toMatchObject([
      { code: 'OTHER_CURRENCY' },
    ])
    expect(fieldsOf(priceOf(header, ['Door', '85', 'USD'], 'Tender')).partprice).toBe('85')
  })
})
