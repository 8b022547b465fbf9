import { expect, test } from 'vitest'
import { failingRowsFileName } from './problems.tsx'
import { headline } from './validate-tab.tsx'

test.each([
  [2_000, 2, 0, '1,998 of 2,000 rows are good. 2 need fixing.'],
  [2, 1, 0, '1 of 2 rows is good. 1 needs fixing.'],
  [2_000, 0, 0, 'All 2,000 rows are good.'],
  [1, 0, 0, 'The row is good.'],
  [12, 12, 0, 'All 12 rows need fixing.'],
  [1, 1, 0, 'The row needs fixing.'],
  [0, 0, 0, 'No rows left to import.'],
  [421, 1, 1, 'All 420 rows are good.'],
  [394, 4, 3, '390 of 391 rows are good. 1 needs fixing.'],
])('of %i rows, %i fail, %i of them remarks: %s', (total, errors, remarks, words) => {
  expect(headline({ total, errors, remarks })).toBe(words)
})

test.each([
  ['stock.csv', 'stock-errors.csv'],
  ['stock.csv.gz', 'stock-errors.csv'],
  ['Stock 11.20.XLSX', 'Stock 11.20-errors.csv'],
  ['stock', 'stock-errors.csv'],
])('the failing rows of %s are saved as %s', (name, file) => {
  expect(failingRowsFileName(name)).toBe(file)
})
