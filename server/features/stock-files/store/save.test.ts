import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pairRows } from './save.ts'

const pair = (before: string, after: string) => [...pairRows([...before], [...after])]

test.each([
  ['abcd', 'abcd', [0, 1, 2, 3], 'nothing changed'],
  ['abcd', 'aXcd', [0, 1, 2, 3], 'one edited'],
  ['abcd', 'WXYZ', [0, 1, 2, 3], 'all edited'],
  ['abcd', 'acd', [0, 2, 3], 'one deleted'],
  ['abcd', 'aXbcd', [0, -1, 1, 2, 3], 'one added'],
  ['abcd', 'bcdX', [1, 2, 3, -1], 'the first deleted, one added at the end: as many as before'],
  ['abcdef', 'acdXf', [0, 2, 3, 4, 5], 'one deleted, another edited'],
  ['abcd', 'abX', [0, 1, -1], 'two removed, one new: nobody knows which it was'],
  ['abcd', 'dabc', [3, 0, 1, 2], 'moved'],
  ['abcd', 'dXbc', [3, -1, 1, 2], 'moved and edited'],
  ['aaab', 'aab', [0, 1, 3], 'equal rows in order'],
  ['aa', 'aaa', [0, 1, -1], 'doubled'],
  ['', 'ab', [-1, -1], 'from nothing'],
  ['ab', '', [], 'to nothing'],
])('%s → %s is %j: %s', (before, after, pairs) => {
  expect(pair(before, after)).toEqual(pairs)
})

test('no two rows share an origin, and an equal row is preferred', () => {
  const rows = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 })
  fc.assert(
    fc.property(rows, rows, (before, after) => {
      const origins = [...pairRows(before, after)].filter((row) => row >= 0)
      expect(new Set(origins).size).toBe(origins.length)
      expect(origins.every((row) => row < before.length)).toBe(true)
      expect([...pairRows(before, before)]).toEqual(before.map((_, row) => row))
    }),
  )
})
