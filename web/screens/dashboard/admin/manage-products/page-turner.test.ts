import { expect, test } from 'vitest'
import { clampPage, pageLine } from './page-turner.tsx'

test.each([
  [3, 3],
  [0, 1],
  [-4, 1],
  [99, 12],
  [2.9, 2],
  [Number.POSITIVE_INFINITY, 12],
  [Number.NaN, 1],
])('typing page %s of 12 goes to page %s', (typed, page) => {
  expect(clampPage(typed, 12)).toBe(page)
})

test('the line shows the page and a capped count', () => {
  expect(pageLine(3, { lastPage: 1250, total: 5000 })).toBe('Page 3 of 1250 — 5000 total')
  expect(pageLine(1, { lastPage: 250_000, total: 10_000, totalIsAtLeast: true })).toBe(
    'Page 1 of 250000 — 10000+ total',
  )
})
