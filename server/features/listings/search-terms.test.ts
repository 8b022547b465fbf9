import { expect, test } from 'vitest'
import { readTerms, toQuery, wordsOfTerms } from './search-terms.ts'

const stems = new Map([
  ['motors', 'motor'],
  ['the', ''],
  ['f', 'f'],
  ['a', ''],
  ['ac', 'ac'],
  ['cafe', 'cafe'],
])
const query = (typed: string, own = false, year?: number) => {
  const terms = readTerms(typed)
  const lexemes = new Map((terms ? wordsOfTerms(terms) : []).map((word) => [word, stems.get(word) ?? word]))
  return toQuery(terms, lexemes, { own, year })
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
])('“%s” asks %s', (typed, asked) => {
  if (typed.includes('|')) expect(query(typed)).toMatch(/^[\w' &|():*]+$/)
  else expect(query(typed)).toBe(asked)
})

test('own numbers and years are asked for by their marks', () => {
  expect(query('zq-7', true)).toBe(`((('zq':* & '7') | 'zq7':*) | '#zq7':*)`)
  expect(query('', false, 2014)).toBe(`'@2014'`)
  expect(query('motors', false, 2014)).toBe(`('motor':* & '@2014')`)
})

test('more than ten words are no more precise', () => {
  expect(query(Array.from({ length: 12 }, (_, n) => `w${n}`).join(' '))?.match(/'w\d+':\*/g)).toHaveLength(10)
})
