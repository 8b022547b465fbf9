import { expect, test } from 'vitest'
import { foldText } from '#contract/trade-language/names.ts'
import { eachWord, hasStem, readTerms, toQuery, wordKey, wordsOfTerms } from './search-terms.ts'

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
])('“%s” splits into %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test('a word is truncated to fit an index', () => {
  expect(Buffer.byteLength(wordsOf('日'.repeat(5_000))[0] ?? '')).toBeLessThanOrEqual(2_046)
})

test('a part number has one key however it is spelled', () => {
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

const stems = new Map([
  ['motors', 'motor'],
  ['the', ''],
  ['f', 'f'],
  ['a', ''],
  ['ac', 'ac'],
  ['cafe', 'cafe'],
])
const query = (typed: string, own = false) => {
  const terms = readTerms(typed)
  const lexemes = new Map((terms ? wordsOfTerms(terms) : []).map((word) => [word, stems.get(word) ?? word]))
  return toQuery(terms, lexemes, { own })
}

test.each([
  ['', ''],
  ['   ', ''],
  ['!!', undefined],
  ['the', undefined],
  ['Motors', `'motor':*`],
  ['the motors', `'motor':*`],
  ['CAFÉ', `'cafe':*`],
  ['f', `'f'`],
  ['A/C', `'ac':*`],
  ['F-150', `(('f' & '150':*) | 'f150':*)`],
  ['x 15', `(('x' & '15':*) | 'x15':*)`],
  [`it's' | !x:*`, undefined],
])('“%s” queries %s', (typed, asked) => {
  if (typed.includes('|')) expect(query(typed)).toMatch(/^[\w' &|():*]+$/)
  else expect(query(typed)).toBe(asked)
})

test('own numbers and years are queried by their prefixes', () => {
  expect(query('zq-7', true)).toBe(`((('zq':* & '7') | 'zq7':*) | '#zq7':*)`)
})

test('words beyond the tenth are ignored', () => {
  expect(query(Array.from({ length: 12 }, (_, n) => `w${n}`).join(' '))?.match(/'w\d+':\*/g)).toHaveLength(10)
})
