import { expect, test } from 'vitest'
import { fromRejectedLine, toRejectedLine } from './downloads.ts'

const kept = (cells: string[]) => fromRejectedLine(toRejectedLine({ row: 7, issues: [], cells }).line).cells

test.each<[string, string[], string[]]>([
  ['as sent', ['a', '', ' b '], ['a', '', ' b ']],
  ['with a cell that just fits', ['x'.repeat(32_767)], ['x'.repeat(32_767)]],
  ['with a long cell truncated', ['a', 'x'.repeat(99_000), 'b'], ['a', `${'x'.repeat(32_766)}…`, 'b']],
  ['without splitting a character', [`${'x'.repeat(32_765)}😀😀`], [`${'x'.repeat(32_765)}…`]],
])('a rejected row is kept %s', (_, cells, expected) => {
  expect(kept(cells)).toEqual(expected)
})

test('a rejected row stays small, however many or long its cells', () => {
  const long = toRejectedLine({
    row: 7,
    issues: [],
    cells: Array.from({ length: 160 }, () => 'x'.repeat(99_000)),
  })
  expect(long.bytes).toBeLessThan(300_000)
  expect(kept(Array.from({ length: 5_000 }, () => 'x'))).toHaveLength(1_000)
})
