import { expect, test } from 'vitest'
import { withSplits } from '#contract/csv/import-fields.ts'
import { columnWords, problemWords } from './problem-words.ts'

const headers = ['APPLICATION', 'Maker', 'Amount']
const mapping = withSplits({ partmanu: 'Maker' }, [{ from: 'APPLICATION', as: 'vehicle' }])
const words = (column: string, count: number, code = 'REQUIRED') =>
  problemWords({ column, code, message: 'Manufacturer is required', count }, { headers, mapping })

test.each([
  ['APPLICATION', 33, '33 parts don’t say which car they fit.'],
  ['APPLICATION', 1, '1 part doesn’t say which car it fits.'],
  ['Maker', 2_000, '2,000 parts have no manufacturer.'],
  ['partprice', 1, '1 part has no price.'],
])('nothing in %s of %i rows: %s', (column, count, sentence) => {
  expect(words(column, count)).toEqual({ column: undefined, sentence })
})

test('a field without a column goes by its label, a column of the file by its own name', () => {
  expect(['partmanu', 'Amount', ''].map((column) => columnWords(column, headers))).toEqual([
    'Manufacturer',
    'Amount',
    'Whole row',
  ])
  expect(columnWords('partmanu', ['partmanu'])).toBe('partmanu')
  expect(words('partyear', 3, 'INVALID_YEAR').column).toBe('Year')
})
