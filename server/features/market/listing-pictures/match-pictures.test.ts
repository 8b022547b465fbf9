import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stockNumbersIn } from './match-pictures.ts'

test.each([
  ['A1234.jpg', ['a1234']],
  ['A1234_2.jpg', ['a1234_2', 'a1234']],
  ['A1234-03.jpeg', ['a1234-03', 'a1234']],
  ['A1234 (2).jpg', ['a1234 (2)', 'a1234']],
  ['A1234(2).JPG', ['a1234(2)', 'a1234']],
  ['A12-3.png', ['a12-3', 'a12']],
  ['A12-3_2.webp', ['a12-3_2', 'a12-3', 'a12']],
  ['photos/A1234/IMG_001.jpg', ['img_001', 'photos', 'a1234', 'img']],
  ['photos\\A1234\\1.jpg', ['photos', 'a1234', '1']],
  ['A1234 left door/front.jpg', ['a1234 left door', 'a1234 left', 'front', 'a1234']],
  ['10.5.jpg', ['10.5', '10']],
  ['no ending', ['no ending', 'no']],
  ['.jpg', []],
  ['', []],
])('%j may be named by %j', (name, stocks) => {
  expect(stockNumbersIn(name)).toEqual(stocks)
})

const SUFFIXES = ['', '_2', '-03', ' (2)', '(2)', '.2', ' front left', '_IMG_0042']
const stock = fc.stringMatching(/^[A-Za-z0-9]{1,4}([-_. ][A-Za-z0-9]{1,4}){0,3}$/)
const ending = fc.constantFrom('.jpg', '.JPEG', '.png', '.webp')

test('any stock number is found in a file’s name and in a folder’s, in any case', () => {
  fc.assert(
    fc.property(stock, fc.constantFrom(...SUFFIXES), ending, fc.boolean(), (number, suffix, end, isUpper) => {
      const typed = isUpper ? number.toUpperCase() : number.toLowerCase()
      expect(stockNumbersIn(`${typed}${suffix}${end}`)).toContain(number.toLowerCase())
      expect(stockNumbersIn(`yard/${typed}${suffix}/DSC_1${end}`)).toContain(number.toLowerCase())
    }),
  )
})

test('a longer stock number comes before a shorter one, and nothing is inside a word', () => {
  fc.assert(
    fc.property(stock, ending, (number, end) => {
      const found = stockNumbersIn(`${number}_7${end}`)
      expect(found.map(({ length }) => length)).toEqual(
        found.map(({ length }) => length).toSorted((a, b) => b - a),
      )
      expect(stockNumbersIn(`${number}7${end}`)).not.toContain(number.toLowerCase())
      for (const one of found) expect(`${number}_7`.toLowerCase().startsWith(one)).toBe(true)
    }),
  )
})

test('whatever a name is, its candidates are few and it takes no time', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 500, unit: 'binary' }), (name) => {
      const found = stockNumbersIn(name)
      expect(found.length).toBeLessThanOrEqual(55)
      expect(found).not.toContain('')
      expect(new Set(found).size).toBe(found.length)
    }),
  )
})
