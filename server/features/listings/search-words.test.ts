import { expect, test } from 'vitest'
import { eachWord, foldText, hasStem, wordKey } from './search-words.ts'

const wordsOf = (text: string) => {
  const words: string[] = []
  eachWord(foldText(text), (word) => words.push(word))
  return words
}

test.each([
  ['Door mirror, left', ['door', 'mirror', 'left']],
  ['F-150', ['f', '150', 'f150']],
  ['A/C 2.5L', ['a', 'c', 'ac', '2', '5l', '25l']],
  ['Driver’s R&R', ['driver', 's', 'drivers', 'r', 'r', 'rr']],
  ['Citroën ŁÓDŹ Weiß', ['citroen', 'lodz', 'weiss']],
  ['…—', []],
])('“%s” says %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test('a word is cut, so that it fits an index', () => {
  expect(Buffer.byteLength(wordsOf('日'.repeat(5_000))[0] ?? '')).toBeLessThanOrEqual(2_046)
})

test('a part number is one key in any spelling', () => {
  expect(['27060-0V210', '27060 0v210', '27060.0V210'].map((text) => wordKey(foldText(text)))).toEqual(
    Array(3).fill('270600v210'),
  )
})

test('words with a digit have no stem', () => {
  expect(['door', '2014', 'f150', '2½'].map((text) => hasStem(foldText(text)))).toEqual([
    true,
    false,
    false,
    false,
  ])
})
