import { expect, test } from 'vitest'
import { SplicedText } from './spliced-text.ts'

function splice(target: SplicedText, text: string, pieces: [from: number, to: number, piece: string][]) {
  target.begin(Buffer.from(text))
  for (const [from, to, piece] of pieces) target.replace(from, to, piece)
  return target.end()?.toString()
}

test.each<[text: string, pieces: [number, number, string][], whole: string | undefined]>([
  ['abcdef', [], undefined],
  ['abcdef', [[0, 1, 'X']], 'Xbcdef'],
  ['abcdef', [[0, 0, 'X']], 'Xabcdef'],
  ['abcdef', [[6, 6, 'X']], 'abcdefX'],
  [
    'abcdef',
    [
      [1, 2, ''],
      [2, 2, 'ööö'],
      [4, 6, '🚗'],
    ],
    'aööö' + 'cd' + '🚗',
  ],
])('%s with %j is %s', (text, pieces, whole) => {
  expect(splice(new SplicedText(), text, pieces)).toBe(whole)
})

test('one text after the other is put together in the same memory, whatever their lengths', () => {
  const target = new SplicedText()
  for (const length of [10, 10_000, 3, 200_000]) {
    const text = 'a'.repeat(length)
    expect(splice(target, text, [[1, 2, 'b'.repeat(length)]])).toBe(
      `a${'b'.repeat(length)}${'a'.repeat(length - 2)}`,
    )
    expect(target.longer).toBe(length - 1)
    expect(splice(target, text, [])).toBeUndefined()
  }
})
