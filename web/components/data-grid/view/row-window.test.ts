import { expect, test } from 'vitest'
import { rowAt, rowTop, rowWindow } from './row-window.ts'

const heights = { row: 36, panel: 200 }

test('opened rows push the others down', () => {
  expect([0, 3, 4, 8].map((row) => rowTop(row, [3, 7], heights))).toEqual([0, 108, 344, 688])
})

test.each([
  [0, 0],
  [35, 0],
  [36, 1],
  [143, 3],
  [300, 3],
  [344, 4],
  [1_000_000, 99],
])('position %i is in row %i', (y, row) => {
  expect(rowAt(y, 100, [3], heights)).toBe(row)
})

test('the window has the visible rows and a few more, at most 60', () => {
  for (const top of [0, 17, 5_000, 90_000, 179_999]) {
    const { first, last } = rowWindow({ top, height: 960 }, 5_000, [], heights)
    expect(first).toBeLessThanOrEqual(Math.floor(top / 36))
    expect(last).toBeGreaterThanOrEqual(Math.min(4_999, Math.floor((top + 960) / 36)))
    expect(last - first).toBeLessThan(55)
  }
})

test('an empty list has no window', () => {
  expect(rowWindow({ top: 0, height: 500 }, 0, [], heights)).toMatchObject({ first: 0, last: -1 })
})
