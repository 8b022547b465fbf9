import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ImportField, ImportMapping } from '#contract/csv/import-fields.ts'
import type { ListingField } from '#contract/listing/listing-fields.ts'
import { brokenRule, toWholeNumber } from '#contract/listing/listing-rules.ts'
import { checkCells, fieldsOf, YEAR } from '#tests/support/checked-row.ts'
import { compileRowCheck } from './check-row.ts'
import { type FieldRules, fieldReaders, hasGradeWords } from './field-readers.ts'

/* Accepted values and how they are stored. Refused ones are in refused-values.test.ts. */

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
  ['partprice', '99,999,999.99', '99999999.99'],
  ['partquantity', '1,000', '1000'],
  ['partquantity', '1000000', '1000000'],
  ['partquantity', 'TRUE', '1'],
  ['partquantity', 'no', '0'],
  ['partmiles', '150,000', '150000'],
  ['zipcode', '74103-1234', '74103-1234'],
  ['partshipping', 'free', 'free'],
  ['partshipping', 'Pickup only', 'Pickup only'],
  ['partshipping', '$20', '$20'],
  ['dealerphone', '+49 (0) 30 12345 ext. 7', '+49 (0) 30 12345 ext. 7'],
  ['dealerphone', '6175550142.0', '6175550142'],
  ['stocknum', 'K\u200b-12', 'K-12'],
  ['imageUrl', 'http://example.com', 'http://example.com'],
  ['imageUrl', 'https://example.com:8443/a b.jpg'.replace(' ', '%20'), 'https://example.com:8443/a%20b.jpg'],
  [
    'imageUrl',
    'https://pictures.yard.example/front bumper 2012.jpg',
    'https://pictures.yard.example/front%20bumper%202012.jpg',
  ],
  ['partdescription', 'Used starter\\n\\nTested', 'Used starter\n\nTested'],
  ['partdescription', '5&Prime; screen &amp; cable', '5″ screen & cable'],
  ['partdescription', '"says "mint" here"', 'says "mint" here'],
  ['partdescription', '"Mint" and "nice"', '"Mint" and "nice"'],
  ['partdescription', '"Wheel 17" alloy"', 'Wheel 17" alloy'],
  ['dealername', 'Bob &amp; Ren&eacute;', 'Bob & René'],
  ['imageUrl', 'https://bücher.example/ü.jpg', 'https://bücher.example/ü.jpg'],
  ['imageUrl', 'https://8.8.8.8/1.jpg', 'https://8.8.8.8/1.jpg'],
])('%s %j is %j', (field, value, kept) => {
  expect(fieldsOf(checkCells({ [field]: value }))[field]).toBe(kept)
  // The second time it may be cached.
  expect(fieldsOf(checkCells({ [field]: value }))[field]).toBe(kept)
})

/** Picture addresses as people write them and as the listing stores them. */
const addresses = (count: number) => Array.from({ length: count }, (_, at) => `https://a.example/${at}.jpg`)
const TWO = 'https://a.example/a.jpg | https://a.example/b.jpg'

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
  ['partgrade', 'Bueno', 'B'],
  ['partgrade', 'sehr gut', 'A'],
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
  ['partyear', '2008,2009,2010', '2008-2010'],
  ['partyear', '2010, 2009 & 2008', '2008-2010'],
  ['partyear', '2008, 09, 10', '2008-2010'],
  ['partyear', '2008/2009/2010', '2008-2010'],
  ['partyear', '2017+', '2017-2026'],
  ['partyear', '2017 & up', '2017-2026'],
  ['partyear', '2017-present', '2017-2026'],
  ['partgrade', 'Exc', 'A'],
  ['partgrade', 'Exc.', 'A'],
  ['partgrade', 'V Good', 'B'],
  ['partgrade', 'Good used', 'B'],
  ['partnum', '4-16', '4-16'],
  ['partnum', '13-45-2026', '13-45-2026'],
  ['partnum', '12/2012/1', '12/2012/1'],
  ['partnum', 'MARK-10', 'MARK-10'],
  ['partnum', 'DEC10', 'DEC10'],
  ['partshipping', 'Will call', 'Pickup only'],
  ['partshipping', '$1,200.00', '1200.00'],
  ['partshipping', 'Flat rate: $20', '20'],
  ['partshipping', '20 USD', '20'],
  ['partshipping', '$20 flat', '20'],
  ['partnum', '8E0-941', '8E0-941'],
  ['partnum', '12E+5', '12E+5'],
  ['vin', '11111111111111112', '11111111111111112'],
  ['partstate', 'Oklahoma', 'Oklahoma'],
  ['partstate', 'Jalisco', 'Jalisco'],
  ['imageUrl', 'https://a.example/a.jpg|https://a.example/b.jpg', TWO],
  ['imageUrl', 'https://a.example/a.jpg, https://a.example/b.jpg', TWO],
  ['imageUrl', 'https://a.example/a.jpg https://a.example/b.jpg', TWO],
  ['imageUrl', 'https://a.example/a.jpg\nhttps://a.example/b.jpg', TWO],
  ['imageUrl', '; https://a.example/a.jpg;https://a.example/a.jpg ;\thttps://a.example/b.jpg|', TWO],
  [
    'imageUrl',
    'https://a.example/a.jpg https://10.0.0.7/b.jpg',
    'https://a.example/a.jpg | https://10.0.0.7/b.jpg',
  ],
  ['imageUrl', addresses(30).join('|'), addresses(24).join(' | ')],
  [
    'imageUrl',
    'https://a.example/fetch/https://b.example/b.jpg',
    'https://a.example/fetch/https://b.example/b.jpg',
  ],
])('%s %j is understood as %j', (field, value, kept) => {
  for (const _ of [1, 2]) expect(fieldsOf(checkCells({ [field]: value }))[field]).toBe(kept)
})

test.each<[ImportField, string]>([
  ['partgrade', 'N/A'],
  ['partmiles', 'unknown'],
  ['zipcode', '-'],
  ['partshipping', 'n/a'],
  ['imageUrl', '#N/A'],
])('%s %j counts as an empty cell', (field, value) => {
  expect(fieldsOf(checkCells({ [field]: value }))).not.toHaveProperty(field)
})

test('a number in a formula that keeps its leading zeros is taken out of it', () => {
  expect(fieldsOf(checkCells({ zipcode: '="02134"', partnum: '="00123"', stocknum: '=""' }))).toMatchObject({
    zipcode: '02134',
    partnum: '00123',
  })
  // Our own exports put a guard before text that must stay as it is.
  expect(fieldsOf(checkCells({ partnum: `'="00123"` }))).toMatchObject({ partnum: '="00123"' })
})

/*
 * A row's hash is made of its fields, and a file sent again changes nothing only if they are the same: a spelling must
 * never be read in a different way later. This is how values were read before years had spans and prices their column's
 * decimal mark.
 */

const FIELD_SPELLINGS_YEAR = 2026
const AMOUNT = /^(?:\$\s*)?(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,2})?$/

type Field = Extract<
  ImportField & ListingField,
  'partyear' | 'partprice' | 'partgrade' | 'partquantity' | 'partmiles' | 'zipcode' | 'partshipping'
>

const asTyped = (text: string) => text
const wholeNumber = (text: string) => (text.includes(',') ? String(toWholeNumber(text)) : text)
const readBefore: Record<Field, (text: string) => string> = {
  partyear: (text) => (/^\d{4}$/.test(text) ? text : ''),
  partprice: (text) => {
    const [, whole, cents = ''] = AMOUNT.exec(text) ?? []
    const amount = whole === undefined ? '' : whole.replaceAll(',', '') + cents
    // A price of 0 now counts as missing.
    return Number(amount) === 0 ? '' : amount
  },
  partgrade: (text) => text.toUpperCase(),
  // A part with quantity 0 is now left out.
  partquantity: (text) => (Number(wholeNumber(text)) === 0 ? '' : wholeNumber(text)),
  partmiles: wholeNumber,
  zipcode: asTyped,
  partshipping: asTyped,
}

const required = {
  partname: 'Door',
  partcategory: 'Doors',
  partmanu: 'Ford',
  partmodel: 'F-150',
  partyear: '2015',
  partprice: '10',
}

test('values that were understood before give the same fields', () => {
  const columns = [...new Set([...Object.keys(required), ...Object.keys(readBefore)])] as ImportField[]
  const mapping = Object.fromEntries(columns.map((field) => [field, field])) as ImportMapping
  const check = compileRowCheck({ header: columns, mapping, defaults: {}, year: FIELD_SPELLINGS_YEAR })
  const pieces = ['0', '1', '2', '9', '20', '19', '5', ',', '.', '$', ' ', '-', 'k', 'a', 'B', '000', 'Flat ']
  const value = fc.oneof(
    fc
      .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 7 })
      .map((parts) => parts.join('').trim()),
    fc.stringMatching(/^\$?[0-9]{1,4}[,.]?[0-9]{0,3}$/),
    fc.constantFrom('Free', 'free shipping', 'Pickup only', 'local pick-up', 'Flat rate $20', '74103-1234'),
  )
  let understood = 0
  fc.assert(
    fc.property(fc.constantFrom(...(Object.keys(readBefore) as Field[])), value, (field, text) => {
      const before = readBefore[field](text)
      if (before === '' || brokenRule(field, before, FIELD_SPELLINGS_YEAR)) return
      understood += 1
      const row: Record<string, string> = { ...required, [field]: text }
      const found = fieldsOf(check(columns.map((column) => row[column] ?? '')))[field]
      // Many zeros are one.
      if (field === 'partmiles') expect(Number(found ?? 0)).toBe(Number(before))
      else expect(found).toBe(before)
    }),
    { numRuns: 1_000 },
  )
  expect(understood).toBeGreaterThan(100)
})

test.each(['Used', 'Regular', 'Pre-owned', 'usado', 'gebraucht', 'Remanufactured', 'Default Title'])(
  'the condition %s says less than a grade and gives none',
  (text) => {
    // No miles or damage code that a grade would follow from.
    const { partgrade } = fieldsOf(checkCells({ partgrade: text, partmiles: '' }))
    expect(partgrade).toBeUndefined()
  },
)

test.each([
  ['Used - Good', 'B'],
  ['Pre-owned: Excellent', 'A'],
  ['Used (fair)', 'C'],
])('the condition %s is grade %s', (text, grade) => {
  expect(fieldsOf(checkCells({ partgrade: text })).partgrade).toBe(grade)
})

test('“Regular” is a grade in a column of grade words only', () => {
  expect(hasGradeWords(['Regular', 'Regular', 'A'])).toBe(false)
  expect(hasGradeWords(['Regular', 'Buena'])).toBe(true)
  const { partgrade: read } = fieldReaders({ year: YEAR, grades: 'words' })
  expect(['Excelente', 'Buena', 'Regular', 'Usada'].map(read)).toEqual(['A', 'B', 'C', ''])
})

const milesIn = (miles: FieldRules['miles']) => fieldReaders({ year: YEAR, miles }).partmiles
test.each([
  ['miles', '160000 km', '99419'],
  ['miles', '160.000 km', '99419'],
  ['miles', '98K', '98000'],
  ['miles', '98.5k mi', '98500'],
  ['miles', '98213.4', '98213'],
  ['kilometers', '160000', '99419'],
  ['kilometers', '160,000', '99419'],
  ['kilometers', '160.000', '99419'],
  ['kilometers', '160 tkm', '99419'],
  ['kilometers', '98213 mi', '98213'],
  ['thousands', '60', '60000'],
  ['thousands', '87k', '87000'],
  ['thousands', '98,213', '98213'],
  ['thousand kilometers', '160', '99419'],
] as const)('in a column of %s, %s are %s miles', (unit, text, miles) =>
  expect(milesIn(unit)(text)).toBe(miles),
)

test.each<[ImportField, string]>([
  ['partmiles', 'TMU'],
  ['partmiles', 'exempt'],
  ['partmiles', '~98000'],
  ['partmiles', '-1'],
  ['partmiles', '150.000'],
  ['partgrade', 'E'],
  ['partgrade', 'A (poor)'],
  ['partgrade', '3B1'],
  ['partquantity', 'call'],
  ['partquantity', '1.5'],
  ['zipcode', 'SW1A 1AA'],
  ['partshipping', 'call us'],
  ['dealerphone', '9.18555E+09'],
  ['vin', '1,23E+16'],
])('%s “%s” can’t be read, and is left empty', (field, text) => {
  const read = checkCells({ [field]: text, ...(field !== 'partmiles' && { partmiles: '' }) })
  expect(fieldsOf(read)[field]).toBeUndefined()
  expect(read).toMatchObject({ unread: [{ field, value: text }] })
})

test.each([
  ['2+', '2'],
  ['2 pcs', '2'],
  ['In Stock', '1'],
  ['>5', '5'],
  ['-1', '0'],
  ['Sold out', '0'],
  ['On hold', '0'],
])('the quantity %s is %s', (text, quantity) => {
  expect(fieldReaders({ year: YEAR }).partquantity(text)).toBe(quantity)
})

test.each<[ImportField, string]>([
  ['stocknum', 'N/A'],
  ['stocknum', 'none'],
  ['stocknum', '0'],
  ['vin', 'unknown'],
  ['parttrim', 'N/A'],
  ['partdescription', '-'],
])('%s “%s” says that there is none', (field, text) => {
  expect(fieldsOf(checkCells({ [field]: text }))[field]).toBeUndefined()
})

test('a state of sale below “Estado” is no place', () => {
  for (const partstate of ['Disponible', 'Vendida']) {
    const { fields = {} } = checkCells({ partstate }) as { fields?: object }
    expect(fields).not.toHaveProperty('partstate', partstate)
  }
})
