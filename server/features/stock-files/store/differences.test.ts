import { expect, test } from 'vitest'
import { DifferingRows } from './differences.ts'

test('differences follow the newer version’s order, with removed rows in their old place', () => {
  const rows = new DifferingRows()
  const added = [
    { before: 9, after: 4 },
    { before: 4, after: -1 },
    { before: -1, after: 0 },
    { before: 66_000_000, after: 67_000_000 },
    { before: 0, after: -1 },
  ]
  for (const row of added) rows.add(row)
  expect(rows.slice(0, 9)).toEqual([added[4], added[2], added[1], added[0], added[3]])
  expect(rows.slice(1, 3)).toEqual([added[2], added[1]])
  expect([rows.counts, rows.length]).toEqual([{ added: 1, removed: 2, changed: 2 }, 5])
})
