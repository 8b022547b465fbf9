import { expect, test } from 'vitest'
import { failingRowsFileName, headline, validatedWords } from './check-words.ts'

test.each([
  [2_000, 2, '1,998 of 2,000 rows are fine. 2 need a look.'],
  [2, 1, '1 of 2 rows is fine. 1 needs a look.'],
  [2_000, 0, 'All 2,000 rows are fine.'],
  [1, 0, 'The row is fine.'],
  [12, 12, 'None of the 12 rows is fine yet.'],
  [1, 1, 'The row needs a look.'],
  [0, 0, 'No row is left to import.'],
])('of %i rows %i fail: %s', (total, errors, words) => {
  expect(headline({ total, errors })).toBe(words)
})

test.each([
  ['stock.csv', 'stock-errors.csv'],
  ['stock.csv.gz', 'stock-errors.csv'],
  ['Stock 11.20.XLSX', 'Stock 11.20-errors.csv'],
  ['stock', 'stock-errors.csv'],
])('the failing rows of %s are %s', (name, file) => {
  expect(failingRowsFileName(name)).toBe(file)
})

test('chunks are told with the word of the spec', () => {
  expect([1, 1_200].map((chunks) => validatedWords({ chunks }))).toEqual([
    '1 chunk validated.',
    '1,200 chunks validated.',
  ])
})
