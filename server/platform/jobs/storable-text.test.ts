import { expect, test } from 'vitest'
import { LONGEST_LINE, linePieces } from './storable-text.ts'

const long = (count: number) => 'x'.repeat(count)

test.each<[what: string, line: string, pieces: string[]]>([
  ['an empty line', '', ['']],
  ['the longest line', long(LONGEST_LINE), [long(LONGEST_LINE)]],
  ['one more', long(LONGEST_LINE + 1), [long(LONGEST_LINE), 'x']],
  ['twice the longest', long(LONGEST_LINE * 2), [long(LONGEST_LINE), long(LONGEST_LINE)]],
  ['a sign across the end', `${long(LONGEST_LINE - 1)}🚗x`, [long(LONGEST_LINE - 1), '🚗x']],
  ['a sign at the end', `${long(LONGEST_LINE - 2)}🚗x`, [`${long(LONGEST_LINE - 2)}🚗`, 'x']],
])('%s', (_what, line, pieces) => {
  expect(linePieces(line)).toEqual(pieces)
})

test('signs of two halves in every place', () => {
  const line = '🚗'.repeat(LONGEST_LINE)
  const pieces = linePieces(`x${line}`)
  expect(pieces.join('')).toBe(`x${line}`)
  expect(pieces.every((piece) => piece.isWellFormed() && piece.length <= LONGEST_LINE)).toBe(true)
})
