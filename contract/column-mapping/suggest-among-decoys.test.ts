import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nameColumns } from '#contract/csv/csv-header.ts'
import type { ImportField } from '#contract/csv/import-fields.ts'
import { yardExports } from '#tests/support/yard-exports.ts'
import { catalogueDictionary } from '#tests/support/yard-stock.ts'
import { MIN_CERTAINTY, suggestColumns } from './suggest-columns.ts'

/* Columns that yard systems export besides the part fields, placed first and without a header. */

const catalogue = catalogueDictionary()
const ROWS = 60

const decoys: Record<string, (at: number) => string | number> = {
  'days on the shelf': (at) => (at * 37) % 600,
  'number of the vehicle': (at) => 104_000 + ((at * 7919) % 4_000),
  'casting number': (at) => 1_000_000 + ((at * 104_729) % 8_999_999),
  UPC: (at) => `0${84_213_000_000 + at * 7_919}`,
  'eBay item': (at) => `1${42_000_000_000 + at * 104_729}`,
  'paint code': (at) => ['WA8624', 'NH731P', '1F7', 'PW7', 'G1E'][at % 5] ?? '',
  'date in': (at) => `${(at % 12) + 1}/${(at % 28) + 1}/2025`,
  'year bought': (at) => 2024 + (at % 3),
  warranty: () => '90 day yard warranty on used parts',
  transmission: (at) => (at % 3 === 0 ? 'Manual' : 'Auto'),
  drive: (at) => ['FWD', 'AWD', 'RWD', '4x4'][at % 4] ?? '',
  engine: (at) => ['2.0L', '2.5L', '3.5L'][at % 3] ?? '',
  color: (at) => ['Silver', 'Black', 'Red'][at % 3] ?? '',
  'side in letters': (at) => ['L', 'R', ''][at % 3] ?? '',
  'record id': (at) => 880_123 + at,
  plates: (at) => `TXP-${20 + (at % 80)}-${10 + ((at * 7) % 90)}`,
  'damage code': (at) => `${at % 9}B${at % 4}`,
  shelf: (at) => `${'ABCDEF'.charAt(at % 6)}${at % 40}`,
  'row letter': (at) => 'ABCDEFGH'.charAt(at % 8),
  weight: (at) => (at * 13) % 180,
  'yes or no': (at) => (at % 2 === 0 ? 'Y' : 'N'),
  interchange: (at) => `${300 + (at % 300)}-${10_000 + ((at * 7_919) % 80_000)}`,
  mail: () => 'sales@yard.example',
  'notes for the yard': (at) => `Check the bracket on shelf ${at % 7} before it is sent out to anybody`,
}

const files = yardExports(ROWS, 'decoys').slice(0, 4)
const nameless = (count: number) => Array.from({ length: count }, (_, at) => `Column${at + 1}`)

describe.each(Object.entries(decoys))('%s', (_, write) => {
  test('is never matched with confidence, and does not displace the right column of a field', () => {
    for (const file of files) {
      const header = ['decoy', ...file.header]
      const names = nameless(header.length)
      const found = suggestColumns(
        names,
        file.rows.map((row, at) => [String(write(at)), ...row]),
        catalogue,
      )
      const wrong = Object.entries(found).filter(([field, { header: name, confidence }]) => {
        const own = header[names.indexOf(name)]
        return confidence >= MIN_CERTAINTY && own !== file.mapping[field as ImportField]
      })
      expect(wrong, file.system).toEqual([])
    }
  })
})

test('the columns added to our rejected-rows file are never mapped, and the other matches do not change', () => {
  for (const file of yardExports(40)) {
    const errors = 'Year is a year from 1920 to 2027, or two such as 2012-2015. Grade must be A, B, C or D'
    const rows = file.rows.map((row, at) => [String(2 + 3 * at), errors, ...row])
    const found = suggestColumns(nameColumns(['row', 'errors', ...file.header]), rows, catalogue)
    const before = suggestColumns(nameColumns(file.header), file.rows, catalogue)
    const headers = (of: typeof found) => Object.entries(of).map(([field, { header }]) => [field, header])
    expect(headers(found), file.system).toEqual(headers(before))
  }
})

test('any file gives one column per field, no failure, and confidence from 0 to 1', () => {
  const cell = fc.oneof(
    fc.string(),
    fc.constantFrom('__proto__', '2012', '$5.00', 'x'.repeat(5_000), '', '\0'),
  )
  fc.assert(
    fc.property(fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 6 }), ([head = [], ...rows]) => {
      const header = nameColumns(head)
      const found = Object.values(suggestColumns(header, rows))
      expect(new Set(found.map((one) => one.header)).size).toBe(found.length)
      for (const one of found) {
        expect(header).toContain(one.header)
        expect(one.confidence).toBeGreaterThan(0)
        expect(one.confidence).toBeLessThanOrEqual(1)
        expect(one.reason).not.toBe('')
        expect(one.sure).toBe(one.confidence >= MIN_CERTAINTY)
      }
    }),
  )
})
