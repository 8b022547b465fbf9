import { expect, test } from 'vitest'
import { chunkSizeOf, concurrencyOf } from './run-options.ts'

test.each([
  [1, 100],
  [149, 100],
  [150, 200],
  [1_000, 1_000],
  [9_999, 2_000],
])('a chunk size of %i is %i', (asked, size) => {
  expect(chunkSizeOf(asked)).toBe(size)
})

test.each([
  [0, 1],
  [2.4, 2],
  [9, 5],
])('a concurrency of %d is %i', (asked, count) => {
  expect(concurrencyOf(asked)).toBe(count)
})
