import { describe, expect, test } from 'vitest'
import { type ImportField, importFields } from '#contract/csv/import-fields.ts'
import { checkCells, issuesOf } from '#tests/support/checked-row.ts'
import type { RowIssueCode } from './field-text.ts'

/** Values of a field that are refused with one sentence, given by its beginning. */
type Refused = [field: ImportField, code: RowIssueCode, sentence: string, values: string[]]

const refused: Refused[] = [
  ['partname', 'REQUIRED', 'Part name is required', ['']],
  ['partmanu', 'REQUIRED', 'Manufacturer is required', ['']],
  ['partmodel', 'REQUIRED', 'Model is required', ['']],
  ['partyear', 'REQUIRED', 'Year is required', ['']],
  ['partprice', 'REQUIRED', 'Price is required', ['', 'N/A']],
  ['partname', 'TOO_LONG', 'Part name is too long (max 160 characters)', ['x'.repeat(161)]],
  ['partdescription', 'TOO_LONG', 'Description is too long (max 10,000 characters)', ['x'.repeat(10_001)]],
  ['partmanu', 'SEVERAL_NAMES', '“Outback, Corolla, RAV4” has several names', ['Outback, Corolla, RAV4']],
  ['partcategory', 'TOO_LONG', 'Category is too long (max 80 characters)', ['x'.repeat(81)]],
  ['partmanu', 'TOO_LONG', 'Manufacturer is too long (max 80 characters)', ['x'.repeat(81)]],
  ['dealerphone', 'TOO_LONG', 'Phone is too long (max 40 characters)', ['1'.repeat(41)]],
  ['vin', 'TOO_LONG', 'VIN is too long (max 17 characters)', ['1'.repeat(18)]],
  ['partname', 'NOT_ONE_LINE', 'Part name must be one line', ['Door\nleft']],
  ['partcity', 'NOT_ONE_LINE', 'City must be one line', ['Tul\u0007sa']],
  ['dealername', 'NOT_ONE_LINE', 'Dealer must be one line', ['Joe\u202ees']],
  ['parttrim', 'NOT_ONE_LINE', 'Trim must be one line', ['\u200b']],
  [
    'partdescription',
    'CONTROL_CHARACTERS',
    'Description contains control characters',
    ['a\u0001b', 'a\u0092b'],
  ],
  ['partname', 'INAPPROPRIATE', 'Please remove inappropriate language (shit).', ['Shit door']],
  ['partdescription', 'INAPPROPRIATE', 'Please remove inappropriate language (fuck).', ['ｆｕｃｋ']],
  ['partyear', 'INVALID_YEAR', 'Write the year like 2012', ['2O19', '190', '05-2012', '12/15', '2012.7']],
  [
    'partyear',
    'INVALID_YEAR',
    'We list cars from 1980 to 2026. Older ones can be a quick listing',
    ['1979', '2027', '2012-2027', '1979-1985'],
  ],
  ['partyear', 'INVALID_YEAR', 'Write the year like 2012; this one has a letter', ['2O19']],
  ['partyear', 'INVALID_YEAR', 'Write the year like 2012; put the earlier', ['2015-2012']],
  ['partyear', 'INVALID_YEAR', 'Write the year like 2012; a spreadsheet', ['15-Dec']],
  [
    'partnum',
    'DAMAGED_NUMBER',
    'Part number was rounded by a spreadsheet that took it for a quantity',
    ['1.23457E+11'],
  ],
  [
    'partnum',
    'DAMAGED_NUMBER',
    'Part number was turned into a date by a spreadsheet',
    [
      '4-Apr',
      '16-Apr-26',
      'Apr-16',
      '16-avr',
      '3-févr.',
      '16-abr-26',
      '4/16/2026',
      '4/16/26',
      '16.04.2026',
      '2026-04-16',
      '2026-04-16 08:30:00',
    ],
  ],
  ['stocknum', 'DAMAGED_NUMBER', 'Stock number was turned into a date', ['12-Dec', '2026-01-02']],
  ['stocknum', 'DAMAGED_NUMBER', 'Stock number was rounded', ['1E+11']],
  [
    'partprice',
    'INVALID_PRICE',
    'Price has a decimal comma. Choose decimal commas for the column',
    ['12,50', '1.234,56'],
  ],
  [
    'partprice',
    'INVALID_PRICE',
    'Price must be an amount in dollars',
    ['1,29,900', '1e309', 'NaN', '0x10', 'call', '12 50', '1O.50', `9${'0'.repeat(400)}`, '100000000'],
  ],
  [
    'partprice',
    'INVALID_PRICE',
    'Price is below zero',
    ['-5', '(45.00)', '45-', '125.00-', '$125.00-', '125.00 CR'],
  ],
  ['partprice', 'INVALID_PRICE', 'Price could be in thousands or have three decimals', ['1.999']],
  ['partprice', 'OTHER_CURRENCY', 'Price is in euros, and we list in US dollars', ['€12']],
  [
    'partprice',
    'OTHER_CURRENCY',
    'Price is in Canadian dollars, and we list in US dollars',
    ['45 CAD', 'C$45'],
  ],
  ['partprice', 'OTHER_CURRENCY', 'Price is in Guatemalan quetzals, and we', ['Q450', '850 quetzales']],
  ['partprice', 'OTHER_CURRENCY', 'Price is in Hong Kong dollars, and we', ['HK$85']],
  [
    'partyear',
    'INVALID_YEAR',
    'Write the year like 2012; this list leaves out years',
    ['2008,2010', '2008, 2009 & 2012'],
  ],
  [
    'imageUrl',
    'INVALID_ADDRESS',
    'Picture URL must start with http:// or https://',
    ['a.jpg', 'ftp://example.com/a.jpg', 'javascript:alert(1)', 'https:example.com'],
  ],
  [
    'imageUrl',
    'INVALID_ADDRESS',
    'Picture URL must start',
    ['a.jpg|https://a.example/b.jpg', 'https://a.example/a.jpg front', 'https://joe:pw@example.com/'],
  ],
  [
    'imageUrl',
    'INSIDE_ADDRESS',
    'Picture URL leads into a private network',
    [
      'http://127.0.0.1/a.jpg',
      'http://192.168.0.7/a.jpg',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://[::1]:3000/',
      'http://localhost/a.jpg',
      'http://nas.local/a.jpg',
    ],
  ],
  [
    'imageUrl',
    'TOO_LONG',
    'Picture address is too long (max 2,000',
    [`https://a.example/${'x'.repeat(2_000)}`],
  ],
]

describe.each(refused)('%s, %s: %s', (column, code, sentence, values) => {
  test.each(values)('%j', (value) => {
    // The second time it may be cached.
    for (const _ of [1, 2]) {
      const [issue, ...others] = issuesOf(checkCells({ [column]: value }))
      expect(others).toEqual([])
      expect(issue).toMatchObject({ column, code })
      expect(issue?.message.startsWith(sentence), issue?.message).toBe(true)
      expect(issue?.value).toBe(value.trim().slice(0, 100))
    }
  })
})

test('a field of 10 MB is refused in no time in every column, and not echoed', () => {
  const long = 10 * 1024 * 1024
  for (const value of [
    '1'.repeat(long),
    `1${' '.repeat(long)}1`,
    `https://a.example/ ${'|'.repeat(long)}http`,
  ]) {
    for (const field of importFields) {
      const checked = checkCells({ [field]: value })
      const [unread] = 'fields' in checked ? (checked.unread ?? []) : []
      if (unread) {
        expect(unread.value.length).toBe(100)
        continue
      }
      const [issue] = issuesOf(checked)
      expect(issue?.value.length).toBe(100)
      expect(issue?.message.length).toBeLessThan(300)
    }
  }
})
