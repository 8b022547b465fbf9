import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ImportField, type ImportMapping, importFields } from '#contract/import-fields.ts'
import { checkListing } from '#contract/listing-rules.ts'
import { fieldsOf, issuesOf } from '#tests/support/checked-row.ts'
import { compileRowCheck } from './check-row.ts'

const YEAR = 2026

/** A good row under its target fields; the file's headers are those names. */
const good = {
  imageUrl: 'https://cdn.example.com/a/1.jpg',
  partname: 'Door, front left',
  partdescription: 'Clean.\r\nNo rust.',
  partcategory: 'Front Door',
  partmanu: 'Ford',
  partmodel: 'F-150',
  partyear: '2015',
  partgrade: 'A',
  partnum: 'FL3Z-1520124-A',
  partprice: '1299.00',
  partshipping: 'Flat $120',
  partcity: 'Tulsa',
  partstate: 'OK',
  dealername: 'Green Country Salvage',
  dealerphone: '(918) 555-0142',
  stocknum: 'GC-1',
  partquantity: '1',
  partmiles: '150000',
  zipcode: '74103',
  parttrim: 'XLT',
  vin: '1FTEW1EP5FFA00001',
  h1: '2015 Ford F-150 XLT left front door',
  listingid: '0192f3a4-5b6c-7d8e-9f01-23456789abcd',
} satisfies Record<ImportField, string>

const allMapped = Object.fromEntries(importFields.map((field) => [field, field])) as ImportMapping
const checkGood = compileRowCheck({ header: importFields, mapping: allMapped, defaults: {}, year: YEAR })
const cellsOf = (row: Record<ImportField, string>) => importFields.map((field) => row[field])
const check = (changed: Partial<Record<ImportField, string>>) => checkGood(cellsOf({ ...good, ...changed }))

test('a good row comes out as it is, its empty fields left out', () => {
  expect(fieldsOf(check({}))).toEqual(good)
  expect(fieldsOf(check({ vin: '', partgrade: ' ', imageUrl: '\u00a0' }))).not.toHaveProperty('vin')
  expect(Object.keys(fieldsOf(check({ partgrade: ' ', imageUrl: '\u00a0' })))).toHaveLength(21)
})

test.each<[ImportField, string, string]>([
  ['partname', '  Door\u00a0', 'Door'],
  ['partname', 'Tür – links “neu”', 'Tür – links “neu”'],
  ['partname', 'x'.repeat(160), 'x'.repeat(160)],
  ['partname', 'Cockpit trim, Dick Cepek', 'Cockpit trim, Dick Cepek'],
  ['partdescription', 'a\tb\n\nc', 'a\tb\n\nc'],
  ['partyear', '1980', '1980'],
  ['partyear', ` ${YEAR} `, `${YEAR}`],
  ['partgrade', 'b', 'B'],
  ['partprice', '$1,299.00', '1299.00'],
  ['partprice', '$ 1299', '1299'],
  ['partprice', '1299', '1299'],
  ['partprice', '1,299.5', '1299.5'],
  ['partprice', ' 12.50 ', '12.50'],
  ['partprice', '0', '0'],
  ['partprice', '99,999,999.99', '99999999.99'],
  ['partquantity', '1,000', '1000'],
  ['partquantity', '1000000', '1000000'],
  ['partmiles', '150,000', '150000'],
  ['partmiles', '0', '0'],
  ['zipcode', '74103-1234', '74103-1234'],
  ['partshipping', 'free', 'free'],
  ['partshipping', 'Pickup only', 'Pickup only'],
  ['partshipping', '$20', '$20'],
  ['dealerphone', '+49 (0) 30 12345 ext. 7', '+49 (0) 30 12345 ext. 7'],
  ['imageUrl', 'http://example.com', 'http://example.com'],
  ['imageUrl', 'https://example.com:8443/a b.jpg'.replace(' ', '%20'), 'https://example.com:8443/a%20b.jpg'],
  ['imageUrl', 'https://bücher.example/ü.jpg', 'https://bücher.example/ü.jpg'],
  ['imageUrl', 'https://8.8.8.8/1.jpg', 'https://8.8.8.8/1.jpg'],
])('A24 %s %j is %j', (field, value, kept) => {
  expect(fieldsOf(check({ [field]: value }))[field]).toBe(kept)
  // The second time it may be remembered.
  expect(fieldsOf(check({ [field]: value }))[field]).toBe(kept)
})

/** As people write them, and as the listing keeps them. */
test.each<[ImportField, string, string]>([
  ['partyear', '2012.0', '2012'],
  ['partyear', '’12', '2012'],
  ['partyear', "'98", '1998'],
  ['partyear', '2012-2015', '2012-2015'],
  ['partyear', '2012 – 2015', '2012-2015'],
  ['partyear', '2012–15', '2012-2015'],
  ['partyear', '2012/2015', '2012-2015'],
  ['partyear', '2012 to 2015', '2012-2015'],
  ['partyear', '1998-02', '1998-2002'],
  ['partyear', '12-15', '2012-2015'],
  ['partyear', '98-02', '1998-2002'],
  ['partyear', '2012-2012', '2012'],
  ['partprice', 'USD 45', '45'],
  ['partprice', '45 USD', '45'],
  ['partprice', 'US$ 45.-', '45'],
  ['partprice', '45$', '45'],
  ['partprice', 'USD $1,299.50', '1299.50'],
  ['partprice', '45.00 ea', '45.00'],
  ['partprice', 'free', '0'],
  ['partprice', '.50', '0.50'],
  ['partprice', '45.', '45'],
  ['partprice', '129.5000', '129.50'],
  ['partprice', '1 299', '1299'],
  ['partprice', '1\u202f299.50', '1299.50'],
  ['partprice', "1'299.50", '1299.50'],
  ['partgrade', 'B+', 'B'],
  ['partgrade', 'a-', 'A'],
  ['partgrade', 'Grade A', 'A'],
  ['partgrade', 'Grade: c', 'C'],
  ['partgrade', 'B grade', 'B'],
  ['partgrade', 'Excellent', 'A'],
  ['partgrade', 'mint', 'A'],
  ['partgrade', 'Good condition', 'B'],
  ['partgrade', 'fair', 'C'],
  ['partgrade', 'bad', 'D'],
  ['partgrade', 'A (excellent)', 'A'],
  ['partgrade', 'B - good', 'B'],
  ['partmiles', '150k', '150000'],
  ['partmiles', '150K miles', '150000'],
  ['partmiles', '87.5k', '87500'],
  ['partmiles', '150,000 mi', '150000'],
  ['partmiles', '150 000', '150000'],
  ['partmiles', '150000.0', '150000'],
  ['partquantity', '1 ea', '1'],
  ['partquantity', '2.0', '2'],
  ['partquantity', '3 pcs.', '3'],
  ['zipcode', '2134', '02134'],
  ['zipcode', '501', '00501'],
  ['zipcode', '21341234', '02134-1234'],
  ['zipcode', '741031234', '74103-1234'],
  ['zipcode', '74103-', '74103'],
  ['zipcode', '74103 1234', '74103-1234'],
  ['zipcode', '74103.0', '74103'],
  ['zipcode', '74103-0000', '74103-0000'],
  ['partshipping', 'FREE SHIPPING', 'FREE SHIPPING'],
  ['partshipping', 'included', 'Free'],
  ['partshipping', 'Will call', 'Pickup only'],
  ['partshipping', '$1,200.00', '1200.00'],
  ['partshipping', 'Flat rate: $20', '20'],
  ['partshipping', '20 USD', '20'],
  ['partshipping', '$20 flat', '20'],
  ['partnum', '8E0-941', '8E0-941'],
  ['partnum', '12E+5', '12E+5'],
  ['vin', '11111111111111112', '11111111111111112'],
  ['partstate', 'Oklahoma', 'Oklahoma'],
  ['imageUrl', 'https://a.example/a.jpg|https://a.example/b.jpg', 'https://a.example/a.jpg'],
  ['imageUrl', 'https://a.example/a.jpg, https://a.example/b.jpg', 'https://a.example/a.jpg'],
  ['imageUrl', 'https://a.example/a.jpg https://a.example/b.jpg', 'https://a.example/a.jpg'],
  ['imageUrl', 'https://a.example/a.jpg\nhttps://a.example/b.jpg', 'https://a.example/a.jpg'],
  [
    'imageUrl',
    'https://a.example/fetch/https://b.example/b.jpg',
    'https://a.example/fetch/https://b.example/b.jpg',
  ],
])('A24 %s %j is understood as %j', (field, value, kept) => {
  for (const _ of [1, 2]) expect(fieldsOf(check({ [field]: value }))[field]).toBe(kept)
})

test.each<[ImportField, string]>([
  ['partgrade', 'N/A'],
  ['partmiles', 'unknown'],
  ['zipcode', '-'],
  ['partshipping', 'n/a'],
  ['imageUrl', '#N/A'],
])('A24 %s %j says nothing, as an empty cell', (field, value) => {
  expect(fieldsOf(check({ [field]: value }))).not.toHaveProperty(field)
})

test.each<[ImportField, string, string, string]>([
  ['partname', '', 'REQUIRED', 'Part name is required'],
  ['partcategory', ' ', 'REQUIRED', 'Category is required'],
  ['partmanu', '', 'REQUIRED', 'Manufacturer is required'],
  ['partmodel', '', 'REQUIRED', 'Model is required'],
  ['partyear', '', 'REQUIRED', 'Year is required'],
  ['partprice', '', 'REQUIRED', 'Price is required'],
  ['partname', 'x'.repeat(161), 'TOO_LONG', 'Part name is too long (max 160 characters)'],
  ['partdescription', 'x'.repeat(10_001), 'TOO_LONG', 'Description is too long (max 10,000 characters)'],
  ['partcategory', 'x'.repeat(81), 'TOO_LONG', 'Category is too long (max 80 characters)'],
  ['partmanu', 'x'.repeat(81), 'TOO_LONG', 'Manufacturer is too long (max 80 characters)'],
  ['dealerphone', '1'.repeat(41), 'TOO_LONG', 'Phone is too long (max 40 characters)'],
  ['vin', '1'.repeat(18), 'TOO_LONG', 'VIN is too long (max 17 characters)'],
  ['partname', 'Door\nleft', 'NOT_ONE_LINE', 'Part name is one line of text'],
  ['partcity', 'Tul\u0007sa', 'NOT_ONE_LINE', 'City is one line of text'],
  ['dealername', 'Joe\u202ees', 'NOT_ONE_LINE', 'Dealer is one line of text'],
  ['parttrim', '\u200b', 'NOT_ONE_LINE', 'Trim is one line of text'],
  ['partdescription', 'a\u0001b', 'CONTROL_CHARACTERS', 'Description holds control characters'],
  ['partdescription', 'a\u0092b', 'CONTROL_CHARACTERS', 'Description holds control characters'],
  ['partname', 'Shit door', 'INAPPROPRIATE', 'Please remove inappropriate language (shit).'],
  ['partdescription', 'ｆｕｃｋ', 'INAPPROPRIATE', 'Please remove inappropriate language (fuck).'],
  ['partyear', '2O19', 'INVALID_YEAR', 'Year is a year from 1980 to 2026'],
  ['partyear', '1979', 'INVALID_YEAR', 'Year is a year from 1980 to 2026'],
  ['partyear', '2027', 'INVALID_YEAR', 'Year is a year from 1980 to 2026'],
  ['partyear', '19', 'INVALID_YEAR', 'Year is a year from 1980 to 2026'],
  [
    'partyear',
    '2O19',
    'INVALID_YEAR',
    'Year is a year from 1980 to 2026, or two such as 2012-2015; a letter',
  ],
  [
    'partyear',
    '2015-2012',
    'INVALID_YEAR',
    'Year is a year from 1980 to 2026, or two such as 2012-2015; the earlier',
  ],
  [
    'partyear',
    '15-Dec',
    'INVALID_YEAR',
    'Year is a year from 1980 to 2026, or two such as 2012-2015; a spreadsheet',
  ],
  ['partyear', '05/2012', 'INVALID_YEAR', 'Year is a year from 1980 to 2026'],
  ['partyear', '12/15', 'INVALID_YEAR', 'Year is a year from 1980 to 2026'],
  ['partyear', '2012-2027', 'INVALID_YEAR', 'Year is a year from 1980 to 2026'],
  ['partyear', '1979-1985', 'INVALID_YEAR', 'Year is a year from 1980 to 2026'],
  ['partyear', '2012.5', 'INVALID_YEAR', 'Year is a year from 1980 to 2026'],
  [
    'partnum',
    '1.23457E+11',
    'DAMAGED_NUMBER',
    'Part number is rounded: a spreadsheet took it for a quantity',
  ],
  ['stocknum', '1E+11', 'DAMAGED_NUMBER', 'Stock number is rounded'],
  ['vin', '1,23E+16', 'DAMAGED_NUMBER', 'VIN is rounded'],
  ['dealerphone', '9.18555E+09', 'DAMAGED_NUMBER', 'Phone is rounded'],
  ['partprice', '12,50', 'INVALID_PRICE', 'Price has a decimal comma. Say that the column has'],
  ['partprice', '1.234,56', 'INVALID_PRICE', 'Price has a decimal comma. Say that the column has'],
  ['partprice', '1,29,900', 'INVALID_PRICE', 'Price is an amount in dollars'],
  ['partprice', '1e309', 'INVALID_PRICE', 'Price is an amount in dollars'],
  ['partprice', 'NaN', 'INVALID_PRICE', 'Price is an amount in dollars'],
  ['partprice', '-5', 'INVALID_PRICE', 'Price is below zero'],
  ['partprice', '0x10', 'INVALID_PRICE', 'Price is an amount in dollars'],
  ['partprice', '1.999', 'INVALID_PRICE', 'Price may have thousands or cents behind its point'],
  ['partprice', '€12', 'INVALID_PRICE', 'Price is in US dollars, and this names another currency'],
  ['partprice', '45 CAD', 'INVALID_PRICE', 'Price is in US dollars, and this names another currency'],
  ['partprice', 'call', 'INVALID_PRICE', 'Price is an amount in dollars'],
  ['partprice', '(45.00)', 'INVALID_PRICE', 'Price is below zero'],
  ['partprice', '45-', 'INVALID_PRICE', 'Price is below zero'],
  ['partprice', '12 50', 'INVALID_PRICE', 'Price is an amount in dollars'],
  ['partprice', '1O.50', 'INVALID_PRICE', 'Price is an amount in dollars'],
  ['partprice', `9${'0'.repeat(400)}`, 'INVALID_PRICE', 'Price is an amount in dollars'],
  ['partprice', 'N/A', 'REQUIRED', 'Price is required'],
  ['partprice', '100000000', 'INVALID_PRICE', 'Price is an amount in dollars'],
  ['partgrade', '3B1', 'INVALID_GRADE', 'Grade is A, B, C or D; this looks like a damage code'],
  ['partgrade', 'A (poor)', 'INVALID_GRADE', 'Grade is A, B, C or D'],
  ['partgrade', 'AB', 'INVALID_GRADE', 'Grade is A, B, C or D'],
  ['partgrade', 'E', 'INVALID_GRADE', 'Grade is A, B, C or D'],
  ['partquantity', '1.5', 'INVALID_NUMBER', 'Quantity is a whole number from 0 to 1,000,000'],
  ['partquantity', '1,2,3', 'INVALID_NUMBER', 'Quantity is a whole number from 0 to 1,000,000'],
  ['partquantity', '1000001', 'INVALID_NUMBER', 'Quantity is a whole number from 0 to 1,000,000'],
  ['partmiles', '-1', 'INVALID_NUMBER', 'Miles is a whole number from 0 to 9,999,999'],
  ['partmiles', '150.000', 'INVALID_NUMBER', 'Miles is a whole number from 0 to 9,999,999'],
  [
    'partmiles',
    '240,000 km',
    'INVALID_NUMBER',
    'Miles is a whole number from 0 to 9,999,999; this is in kilometres',
  ],
  ['partmiles', '99999k', 'INVALID_NUMBER', 'Miles is a whole number from 0 to 9,999,999'],
  ['zipcode', '12', 'INVALID_ZIPCODE', 'Zipcode is 5 digits, or 5+4 such as 74103-1234'],
  ['zipcode', '000', 'INVALID_ZIPCODE', 'Zipcode is 5 digits, or 5+4 such as 74103-1234'],
  ['zipcode', '7410312', 'INVALID_ZIPCODE', 'Zipcode is 5 digits, or 5+4 such as 74103-1234'],
  ['zipcode', 'SW1A 1AA', 'INVALID_ZIPCODE', 'Zipcode is 5 digits, or 5+4 such as 74103-1234'],
  ['partshipping', 'call us', 'INVALID_SHIPPING', 'Shipping is an amount such as 20'],
  ['partshipping', '12,50', 'INVALID_SHIPPING', 'Shipping has a decimal comma'],
  ['partshipping', '1234567', 'INVALID_SHIPPING', 'Shipping is an amount such as 20'],
  ['imageUrl', 'a.jpg', 'INVALID_ADDRESS', 'Picture address begins with http:// or https://'],
  [
    'imageUrl',
    'ftp://example.com/a.jpg',
    'INVALID_ADDRESS',
    'Picture address begins with http:// or https://',
  ],
  ['imageUrl', 'javascript:alert(1)', 'INVALID_ADDRESS', 'Picture address begins with http:// or https://'],
  ['imageUrl', 'https:example.com', 'INVALID_ADDRESS', 'Picture address begins with http:// or https://'],
  ['imageUrl', 'a.jpg|https://a.example/b.jpg', 'INVALID_ADDRESS', 'Picture address begins'],
  ['imageUrl', 'https://a.example/a b.jpg', 'INVALID_ADDRESS', 'Picture address begins'],
  ['imageUrl', 'https://joe:pw@example.com/', 'INVALID_ADDRESS', 'Picture address begins'],
  ['imageUrl', 'http://127.0.0.1/a.jpg', 'INSIDE_ADDRESS', 'Picture address leads into a private network'],
  ['imageUrl', 'http://192.168.0.7/a.jpg', 'INSIDE_ADDRESS', 'Picture address leads into a private network'],
  ['imageUrl', 'http://2130706433/', 'INSIDE_ADDRESS', 'Picture address leads into a private network'],
  ['imageUrl', 'http://0x7f.1/', 'INSIDE_ADDRESS', 'Picture address leads into a private network'],
  ['imageUrl', 'http://[::1]:3000/', 'INSIDE_ADDRESS', 'Picture address leads into a private network'],
  ['imageUrl', 'http://localhost/a.jpg', 'INSIDE_ADDRESS', 'Picture address leads into a private network'],
  ['imageUrl', 'http://nas.local/a.jpg', 'INSIDE_ADDRESS', 'Picture address leads into a private network'],
  [
    'imageUrl',
    `https://a.example/${'x'.repeat(2_000)}`,
    'TOO_LONG',
    'Picture address is too long (max 2,000',
  ],
])('A24 %s %j is refused: %s', (field, value, code, sentence) => {
  for (const _ of [1, 2]) {
    const [issue, ...others] = issuesOf(check({ [field]: value }))
    expect(others).toEqual([])
    expect(issue).toMatchObject({ column: field, code })
    expect(issue?.message.startsWith(sentence), issue?.message).toBe(true)
    expect(issue?.value).toBe(value.trim().slice(0, 100))
  }
})

test('everything that is wrong with a row is told', () => {
  const issues = issuesOf(check({ partyear: '19', partprice: 'x', zipcode: '1', partname: '' }))
  expect(issues.map(({ column }) => column)).toEqual(['partname', 'partyear', 'partprice', 'zipcode'])
})

describe('the value that an issue shows', () => {
  test('A10 is cut to 100 characters', () => {
    const [issue] = issuesOf(check({ partname: 'x'.repeat(10 * 1024 * 1024) }))
    expect(issue).toMatchObject({ code: 'TOO_LONG', value: 'x'.repeat(100) })
  })
  test('is never cut within a character', () => {
    const [issue] = issuesOf(check({ partname: `${'x'.repeat(99)}🚗${'x'.repeat(99)}` }))
    expect(issue?.value).toBe('x'.repeat(99))
  })
})

test('what is taken is a listing by the form’s rules too', () => {
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
      const result = check({ [field]: changed })
      if ('issues' in result) return
      const { imageUrl: _, partcategory: __, partmanu, ...fields } = result.fields
      const text = { ...fields, partmanuname: partmanu ?? '' }
      expect(checkListing('ecommerce', text, { mode: 'edit', year: YEAR })).toBeUndefined()
    }),
    { numRuns: 1_000 },
  )
})

test('A10 a field of 10 MB is refused in no time in every column, and not echoed', () => {
  const long = 10 * 1024 * 1024
  for (const value of [
    '1'.repeat(long),
    `1${' '.repeat(long)}1`,
    `https://a.example/ ${'|'.repeat(long)}http`,
  ]) {
    for (const field of importFields) {
      const [issue] = issuesOf(check({ [field]: value }))
      expect(issue?.value.length).toBe(100)
      expect(issue?.message.length).toBeLessThan(300)
    }
  }
})

test('A24 a number that stands in a formula, so that its zeros stay, comes out of it', () => {
  expect(fieldsOf(check({ zipcode: '="02134"', partnum: '="00123"', stocknum: '=""' }))).toMatchObject({
    zipcode: '02134',
    partnum: '00123',
  })
  // Our own files have a guard before what is meant to be kept.
  expect(fieldsOf(check({ partnum: `'="00123"` }))).toMatchObject({ partnum: '="00123"' })
})

test('A20 rows may lack the columns without a name at the end of the header, and no others', () => {
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
