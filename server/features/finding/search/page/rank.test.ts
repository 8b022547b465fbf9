import { expect, test } from 'vitest'
import type { Wanted } from '#contract/trade-language/query/query.ts'
import { type AnswerRates, type ReadRanked, rank } from './rank.ts'

const nothing: Wanted = {
  typed: ['hood'],
  vehicle: undefined,
  years: undefined,
  part: { ids: ['hood'], label: 'Hood' },
  piece: undefined,
  sellerId: undefined,
  side: undefined,
  end: undefined,
  sizes: [],
  numbers: [],
  words: [],
  nameWords: [],
  wishes: [],
  excluded: {
    names: [],
    partIds: [],
    makeIds: [],
    modelIds: [],
    generations: [],
    sellerIds: [],
    numbers: [],
    places: [],
    years: [],
  },
  price: undefined,
  recognized: [],
} as Wanted
const answers: AnswerRates = { reason: () => [0, 'answer rate unknown'] }

const hood = (id: string, changes: Partial<ReadRanked> = {}): ReadRanked =>
  ({
    id,
    sellerId: 'yard',
    name: 'Hood',
    partNumber: null,
    beside: '',
    isPro: false,
    hasPicture: false,
    facts: 0,
    yearFrom: 2014,
    yearTo: 2014,
    ...changes,
  }) as ReadRanked

type By = Partial<Parameters<typeof rank>[1]>
const ranked = (found: readonly ReadRanked[], by: By = {}) =>
  rank(found, { wanted: nothing, without: { dropped: [] }, answers, ...by })
const order = (found: readonly ReadRanked[], by?: By) => ranked(found, by).map(({ id }) => id)

test('whether a seller pays changes neither the order nor the reasons', () => {
  const found = [hood('free'), hood('pro', { isPro: true })]
  expect(order(found)).toEqual(['free', 'pro'])
  expect(order(found.toReversed())).toEqual(['pro', 'free'])
  expect(ranked(found).every(({ why }) => !/pro|plan/i.test(why.join()))).toBe(true)
})

test('distance comes before the picture, in steps of 25 miles; an unknown one is last', () => {
  const found = [
    hood('unknown', { hasPicture: true }),
    hood('far', { hasPicture: true }),
    hood('near'),
    hood('pictured', { hasPicture: true }),
  ]
  const away = new Map([
    ['far', 26],
    ['near', 1],
    ['pictured', 24],
  ])
  expect(order(found, { away })).toEqual(['pictured', 'near', 'far', 'unknown'])
  expect(order(found)).toEqual(['unknown', 'far', 'pictured', 'near'])
})

test('a match is what was asked for, and nothing else', () => {
  const wanted = { ...nothing, side: 'left' } as Wanted
  const found = [
    hood('left', { name: 'Hood, left' }),
    hood('pictured left', { name: 'Hood, left', hasPicture: true, facts: 5 }),
    hood('no side', { hasPicture: true, facts: 5 }),
  ]
  const [first, second, third] = ranked(found, { wanted })
  expect([first?.id, second?.id, third?.id]).toEqual(['pictured left', 'left', 'no side'])
  expect(first?.match).toBe(second?.match)
  expect(third?.match).not.toBe(second?.match)
})

test('parts of the make that was named come before those of others that fit it', () => {
  const vehicle = { makeIds: ['lexus'], makes: ['Lexus'], makeModelIds: [], models: [] }
  const found = [
    hood('fits', { manufacturerId: 'toyota', hasPicture: true, facts: 5 }),
    hood('own', { manufacturerId: 'lexus' }),
  ]
  expect(order(found, { wanted: { ...nothing, vehicle } as Wanted })).toEqual(['own', 'fits'])
})
