import { expect, test } from 'vitest'
import { failingRowsFileName } from './problems.tsx'
import { headline } from './validate-tab.tsx'

test.each([
  [2_000, 2, '1,998 of 2,000 rows are good. 2 need fixing.'],
  [2, 1, '1 of 2 rows is good. 1 needs fixing.'],
  [2_000, 0, 'All 2,000 rows are good.'],
  [1, 0, 'The row is good.'],
  [12, 12, 'All 12 rows need fixing.'],
  [1, 1, 'The row needs fixing.'],
  [0, 0, 'No rows left to import.'],
])('of %i rows, %i fail: %s', (total, errors, words) => {
  expect(headline({ total, errors })).toBe(words)
})

test.each([
  ['stock.csv', 'stock-errors.csv'],
  ['stock.csv.gz', 'stock-errors.csv'],
  ['Stock 11.20.XLSX', 'Stock 11.20-errors.csv'],
  ['stock', 'stock-errors.csv'],
])('the failing rows of %s are saved as %s', (name, file) => {
  expect(failingRowsFileName(name)).toBe(file)
})
