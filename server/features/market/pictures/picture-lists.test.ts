import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressesOf, fittingAddresses, listWithAddresses } from './picture-lists.ts'

/** Small letters are pictures of a file, capital ones are people's. */
const listOf = (letters: string) =>
  [...letters].map((id) => ({ id, url: /[a-z]/.test(id) ? id : null, sha256: null }))
const written = (now: string, file: string) =>
  listWithAddresses(listOf(now), [...file])
    .map((picture) => ('id' in picture ? picture.id : `+${picture.url}`))
    .join('')

test.each([
  ['', 'ab', '+a+b'],
  ['abc', 'abc', 'abc'],
  ['abc', 'cab', 'cab'],
  ['abc', '', ''],
  ['aXb', 'ab', 'aXb'],
  ['aXb', 'bd', 'bX+d'],
  ['XabcY', 'xcady', 'X+xca+d+yY'],
  ['aXbY', 'b', 'bXY'],
  ['XY', 'ab', 'XY+a+b'],
  ['abX', 'bacd', 'ba+c+dX'],
])('%j becomes, with a file that says %j, %j', (now, file, then) => {
  expect(written(now, file)).toBe(then)
})

test('a list has the file’s addresses in its order, people’s pictures in theirs, and no picture is lost', () => {
  const letters = fc.uniqueArray(fc.constantFrom(...'abcdefghXYZ'), { maxLength: 11 })
  const file = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 })
  fc.assert(
    fc.property(letters, file, (now, addresses) => {
      const before = listOf(now.join(''))
      const after = listWithAddresses(before, addresses)
      expect(after.flatMap(({ url }) => url ?? [])).toEqual(addresses)
      expect(after.filter(({ url }) => url === null)).toEqual(before.filter(({ url }) => url === null))
      const known = before.filter(({ url }) => url !== null && addresses.includes(url))
      expect(
        after.filter((picture) => before.includes(picture as never) && picture.url !== null),
      ).toHaveLength(known.length)
      expect(listWithAddresses(after as typeof before, addresses)).toEqual(after)
    }),
  )
})

test('addresses that have no place beside other pictures are left out', () => {
  const cell = Array.from({ length: 24 }, (_, at) => `https://a.example/${at}.jpg`).join(' | ')
  expect(fittingAddresses(cell, 0)).toBe(cell)
  expect(fittingAddresses(cell, 22)).toBe('https://a.example/0.jpg | https://a.example/1.jpg')
  expect(fittingAddresses(cell, 24)).toBeNull()
  expect(addressesOf(listOf('aXb'))).toBe('a | b')
  expect(addressesOf(listOf('X'))).toBeNull()
})
