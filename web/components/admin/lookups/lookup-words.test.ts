import { expect, test } from 'vitest'
import type { ManagedLookup } from '#contract/lookups.ts'
import { listingCount, mergeSentence, usageWords } from './lookup-words.ts'

const lookup = (known: Partial<ManagedLookup>): ManagedLookup => ({
  id: '00000000-0000-4000-8000-000000000000',
  name: 'Toyota',
  manuId: null,
  manuname: null,
  confirmed: true,
  ofOneYard: false,
  universal: false,
  aliases: [],
  listings: 0,
  models: 0,
  createdAt: '2026-11-21T00:00:00.000Z',
  ...known,
})

test.each([
  [0, '0 listings'],
  [1, '1 listing'],
  [2400, '2,400 listings'],
  [10_000, '10,000 listings'],
  [10_001, '10,000+ listings'],
])('%s listings are shown as %s', (count, words) => {
  expect(listingCount(count)).toBe(words)
})

test.each([
  [{ listings: 0, models: 0 }, 'Unused'],
  [{ listings: 0, models: 1 }, '1 car model'],
  [{ listings: 3, models: 36 }, '3 listings and 36 car models'],
])('%o is %s', (used, words) => {
  expect(usageWords(used)).toBe(words)
})

test('a merge names both lookups and how many listings it moves, and says that it can’t be undone', () => {
  const sentence = mergeSentence(lookup({ name: 'Toyta', listings: 12 }), lookup({ listings: 900 }))
  expect(sentence).toContain('12 listings will move from “Toyta” to “Toyota”.')
  expect(sentence).toMatch(/ A merge can’t be undone\.$/)
  expect(mergeSentence(lookup({ name: 'Toyta' }), lookup({}))).toContain('Nothing uses “Toyta” yet.')
})

test('a model is shown with its manufacturer', () => {
  const from = lookup({ name: 'Camri', manuname: 'Toyota', listings: 1 })
  const into = lookup({ name: 'Camry', manuname: 'Toyota' })
  expect(mergeSentence(from, into)).toContain('1 listing will move from “Toyota Camri” to “Toyota Camry”.')
})
