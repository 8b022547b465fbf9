import { expect, test } from 'vitest'
import type { Search } from '#server/features/finding/search/query/search.ts'
import { fitKeysOf, keysOf, wordsIn } from './search-keys.ts'

test.each([
  ["'brembo':*", ['brembo']],
  ["('seat':* & 'leather':*)", ['leathe']],
  ["(('f':* & '150':*) | 'f150':*)", ['150', 'f15']],
  ["('fk1z17658d':* & 'seat':*)", ['fk1z17']],
  // Each is in far too many listings, or in none that match.
  ["!'=right'", undefined],
  ["('=a' | '=b') & '@2010'", undefined],
  ["('front' | !'rear')", undefined],
  ["'x'", undefined],
  ["('ls':* & !'=left') & ('=a')", ['ls']],
  ['', undefined],
])('matches of %s have one of %j', (query, words) => {
  expect(wordsIn(query)).toEqual(words)
})

const anything: Search = {
  words: '',
  facts: {},
  limits: {},
  categoryId: undefined,
  manufacturerId: undefined,
  carModelId: undefined,
  seller: undefined,
  sort: 'newest',
}
const vehicle = (manufacturerIds: string[], modelIds: string[], modelWords = '') => ({
  categoryIds: undefined,
  vehicle: { manufacturerIds, modelIds, modelWords },
})

test.each<[string, Partial<Search>, string[]]>([
  ['a part number before all', { words: "'270600v210':*", categoryId: 'lamp' }, ['word 270600']],
  [
    'part and model *',
    { meant: { ...vehicle([], ['accord'], "'accord'"), categoryIds: ['lamp'] } },
    ['part lamp accord *', 'part lamp none *'],
  ],
  ['part and make *', { meant: vehicle(['honda'], []), categoryId: 'lamp' }, ['part lamp honda *']],
  ['part', { categoryId: 'lamp', words: "'chrome':*" }, ['part lamp * *']],
  ['model', { carModelId: 'civic', manufacturerId: 'honda' }, ['part * civic *']],
  ['make and word', { manufacturerId: 'honda', words: "'mugen':*" }, ['word mug']],
  [
    'many parts of many models',
    {
      meant: {
        ...vehicle(
          [],
          Array.from({ length: 9 }, (_, at) => `m${at}`),
        ),
        categoryIds: Array.from({ length: 40 }, (_, at) => `c${at}`),
      },
    },
    Array.from({ length: 9 }, (_, at) => `part * m${at} *`),
  ],
  ['a make alone', { manufacturerId: 'honda' }, []],
  ['a make alone, in words', { meant: vehicle(['honda'], []) }, []],
  ['facts alone', { facts: { side: 'left', year: 2010 }, limits: { maxCents: 5_000 } }, []],
])('the keys of a search for %s', (_what, asked, keys) => {
  expect(keysOf({ ...anything, ...asked }, undefined)).toEqual(keys)
})

test('years narrow the keys of parts, unless there are too many', () => {
  const asked = { ...anything, carModelId: 'civic', categoryId: 'lamp' }
  expect(keysOf(asked, { from: 2010, to: 2011 })).toEqual(['part lamp civic 2010', 'part lamp civic 2011'])
  expect(keysOf(asked, { from: 1940, to: 2020 })).toEqual(['part lamp civic *'])
})

test('what a listing fits has keys of its own', () => {
  const asked = { ...anything, categoryId: 'lamp', carModelId: '0000000-accord' }
  expect(fitKeysOf(asked, { from: 2010, to: 2011 })).toEqual([
    'fit lamp ^00-accord6e',
    'fit lamp ^00-accord6f',
  ])
  expect(fitKeysOf(asked, { from: 1940, to: 2020 })).toEqual(['fit lamp ^00-accord'])
  expect(fitKeysOf({ ...anything, categoryId: 'lamp' }, undefined)).toEqual([])
})
