import { expect, test } from 'vitest'
import type { PartsQuery } from '#contract/search/parts-search.ts'
import { interpret } from '#contract/trade-language/interpret.ts'
import { testVocabulary } from '#tests/support/test-vocabulary.ts'
import { searchTitleOf } from './search-title.ts'

/* The title of a search has every filter of its words, and each once. */

const sellers = new Map([['ozarkridge', { label: 'Ozark Ridge', id: 'ozark' }]])
const names = { make: null, model: null, category: null, seller: null }
const titleOf = (q: string, filters: Partial<PartsQuery> = {}, named = {}) =>
  searchTitleOf({ q, page: 1, perPage: 12, ...filters } as PartsQuery, {
    wanted: interpret(q, testVocabulary, 'query', { sellers, year: 2026 }).read,
    names: { ...names, ...named },
  })

test.each([
  ['bumper camry without sensor', 'Toyota Camry Bumper, without sensor'],
  ['f150 wheels not 17 not black', 'Ford F-150 Wheel, without 17, without black'],
  ['civic door not 8th gen under $100', 'Honda Civic Door, without 8th gen, up to $100'],
  ['hood, fender and grille 2014 equinox', '2014 Chevrolet Equinox Hood or Fender or Grille'],
  ['radiator fan shroud camry', 'Toyota Camry Fan Shroud'],
  ['starter relay camry', 'Toyota Camry starter relay'],
  ['ozark ridge left camry mirror', 'Toyota Camry Mirror, left, from Ozark Ridge'],
  ['camry hood not from ozark ridge', 'Toyota Camry Hood, without ozark ridge'],
  ['wheel 17x7.5 5 lug', '17x7.5 5 lug Wheel'],
  ['hood strut escape', 'Ford Escape hood Gas Strut'],
  ['2012 camry', '2012 Toyota Camry parts'],
  ['camry -hood', 'Toyota Camry parts, without hood'],
])('“%s” is “%s”', (q, title) => {
  expect(titleOf(q).title).toBe(title)
})

test('a seller that was chosen takes precedence over one in the words', () => {
  const { title } = titleOf('ozark ridge mirror', { seller: 'crown' }, { seller: 'Crown' })
  expect(title).toBe('Mirror, from Crown')
})
