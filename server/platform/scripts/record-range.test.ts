import { expect, test } from 'vitest'
import { type RangeFlags, recordRange } from './record-range.ts'

test.each<[what: string, RangeFlags, total: number, range: [from: number, to: number]]>([
  ['no flags: all', {}, 10, [0, 10]],
  ['flags that are off', { test: false, start: undefined, end: undefined, limit: undefined }, 10, [0, 10]],
  ['no records', { start: 4, test: true }, 0, [0, 0]],
  ['start counts from 0', { start: 0 }, 10, [0, 10]],
  ['start', { start: 4 }, 10, [4, 10]],
  ['start at the last', { start: 9 }, 10, [9, 10]],
  ['start behind the last', { start: 10 }, 10, [10, 10]],
  ['start far behind the last', { start: 1_000 }, 10, [10, 10]],
  ['end is left out', { end: 4 }, 10, [0, 4]],
  ['end 0', { end: 0 }, 10, [0, 0]],
  ['end behind the last', { end: 1_000 }, 10, [0, 10]],
  ['start and end', { start: 2, end: 5 }, 10, [2, 5]],
  ['end before start', { start: 5, end: 2 }, 10, [5, 5]],
  ['limit', { limit: 4 }, 10, [0, 4]],
  ['limit counts from start', { start: 3, limit: 4 }, 10, [3, 7]],
  ['limit within end', { start: 3, end: 9, limit: 2 }, 10, [3, 5]],
  ['limit beyond end', { start: 3, end: 5, limit: 4 }, 10, [3, 5]],
  ['test: the first 3', { test: true }, 10, [0, 3]],
  ['test: the first 3 of the range', { test: true, start: 5 }, 10, [5, 8]],
  ['test within limit', { test: true, limit: 2 }, 10, [0, 2]],
  ['test with a large limit', { test: true, limit: 100 }, 10, [0, 3]],
  ['test of fewer records', { test: true }, 2, [0, 2]],
])('%s', (_what, flags, total, [from, to]) => {
  expect(recordRange(flags, total)).toEqual({ from, to, count: to - from })
})
