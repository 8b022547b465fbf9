import { expect, test } from 'vitest'
import type { JobLine } from '#web/components/job-stream/job-log.ts'
import { breakLine, layRows, lineAt } from './log-rows.ts'

const line = (text: string): JobLine => ({
  id: 0,
  stream: 'stdout',
  level: 'log',
  text,
  at: '2026-11-21T09:00:00.000Z',
})
const pieces = (text: string, columns: number) =>
  breakLine(text, columns).map(([from, to]) => text.slice(from, to))

test.each([
  ['', ['']],
  ['abcd', ['abcd']],
  ['abcde', ['abcd', 'e']],
  ['abcdefgh', ['abcd', 'efgh']],
  ['ab\ncdefg', ['ab', 'cdef', 'g']],
  ['\n', ['', '']],
  ['配件港ab', ['配件', '港ab']],
  ['abc配', ['abc', '配']],
  ['ab🔧c', ['ab🔧', 'c']],
  ['a\tb', ['a', '\t', 'b']],
])('%j in rows of four', (text, rows) => {
  expect(pieces(text, 4)).toEqual(rows)
})

test('a sign that is wider than a row stands in it nevertheless', () => {
  expect(pieces('配件', 1)).toEqual(['配', '件'])
})

test('each row leads to its line', () => {
  const rows = layRows([line('abc'), line(''), line('abcdefghij'), line('配件港'), line('z')], 4)
  expect(rows).toEqual({ starts: [0, 1, 2, 5, 7], total: 8 })
  expect([0, 1, 2, 3, 4, 5, 6, 7].map((row) => lineAt(rows, row))).toEqual([0, 1, 2, 2, 2, 3, 3, 4])
})

test('an empty log has no rows', () => {
  expect(layRows([], 80)).toEqual({ starts: [], total: 0 })
})
