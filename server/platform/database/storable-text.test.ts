import { expect, test } from 'vitest'
import { LONGEST_LINE, linePieces } from './storable-text.ts'

const long = (count: number) => 'x'.repeat(count)

test.each<[what: string, line: string, pieces: string[]]>([
  ['an empty line', '', ['']],
  ['a line of the maximum length', long(LONGEST_LINE), [long(LONGEST_LINE)]],
  ['one character more', long(LONGEST_LINE + 1), [long(LONGEST_LINE), 'x']],
  ['twice the maximum length', long(LONGEST_LINE * 2), [long(LONGEST_LINE), long(LONGEST_LINE)]],
  ['an emoji across the limit', `${long(LONGEST_LINE - 1)}🚗x`, [long(LONGEST_LINE - 1), '🚗x']],
  ['an emoji just within the limit', `${long(LONGEST_LINE - 2)}🚗x`, [`${long(LONGEST_LINE - 2)}🚗`, 'x']],
])('%s', (_what, line, pieces) => {
  expect(linePieces(line)).toEqual(pieces)
})

test('surrogate pairs are never split, at any position', () => {
  const line = '🚗'.repeat(LONGEST_LINE)
  const pieces = linePieces(`x${line}`)
  expect(pieces.join('')).toBe(`x${line}`)
  expect(pieces.every((piece) => piece.isWellFormed() && piece.length <= LONGEST_LINE)).toBe(true)
})
