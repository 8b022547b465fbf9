import { expect, test } from 'vitest'
import { filterByWords, groupedCategories, matchRank, onlyMatch, withChosen } from './lookup-options.ts'

const categories = [
  { id: '1', name: 'Tail Lamp', group: 'Lighting', aliases: ['stop lamp'], universal: false },
  { id: '2', name: 'Headlamp', group: 'Lighting', aliases: [], universal: false },
  { id: '3', name: 'Oddment', group: null, aliases: [], universal: false },
  { id: '4', name: 'Door Mirror', group: 'Mirrors', aliases: [], universal: false },
]

test('categories are grouped by name, with ungrouped ones last', () => {
  expect(groupedCategories(categories)).toEqual([
    {
      group: 'Lighting',
      items: [
        { value: '2', label: 'Headlamp', aliases: [] },
        { value: '1', label: 'Tail Lamp', aliases: ['stop lamp'] },
      ],
    },
    { group: 'Mirrors', items: [{ value: '4', label: 'Door Mirror', aliases: [] }] },
    { group: 'Other', items: [{ value: '3', label: 'Oddment', aliases: [] }] },
  ])
})

test.each([
  ['mirr door', 'Door Mirror', true],
  ['', 'Door Mirror', true],
  ['citroen', 'Citroën', true],
  ['f150', 'F-150', true],
  ['f-150', 'F-150', true],
  ['door lamp', 'Door Mirror', false],
])('"%s" finds "%s": %s', (typed, name, found) => {
  expect(matchRank(typed, { value: '1', label: name }) !== undefined).toBe(found)
})

test('a group is found by its name', () => {
  const options = groupedCategories(categories)
  expect(filterByWords({ options, search: 'light', limit: 100 })).toEqual([options[0]])
  expect(filterByWords({ options: options[1]?.items ?? [], search: 'mirr', limit: 100 })).toHaveLength(1)
})

test.each([
  ['taillight', 'Tail Lamp'],
  ['ecm', 'Engine Computer'],
  ['chevy', 'Chevrolet'],
  ['tail', 'Tail Lamp'],
  ['rim', 'Rim'],
  ['door', 'Door Trim'],
])('"%s" shows %s first', (typed, first) => {
  const options = [
    { value: '1', label: 'Door Trim' },
    { value: '2', label: 'Wheel', aliases: ['rim', 'steelie'] },
    { value: '3', label: 'Rim' },
    { value: '4', label: 'Cocktail Bar', aliases: ['tailgate party'] },
    { value: '5', label: 'Tail Lamp', aliases: ['tail light'] },
    { value: '6', label: 'Engine Computer', aliases: ['ECM', 'PCM'] },
    { value: '7', label: 'Chevrolet', aliases: ['Chevy'] },
  ]
  expect(filterByWords({ options, search: typed, limit: 100 })[0]).toMatchObject({ label: first })
})

test('names come before aliases and aliases before partial matches, across all groups', () => {
  const options = [
    { group: 'Interior', items: [{ value: '1', label: 'Door Trim' }] },
    { group: 'Wheels', items: [{ value: '2', label: 'Wheel', aliases: ['rim'] }] },
    { group: 'Other', items: [{ value: '3', label: 'Rim Lock' }] },
  ]
  const groups = filterByWords({ options, search: 'rim', limit: 100 })
  expect(groups).toEqual([options[2], options[1], options[0]])
})

test.each([
  ['2014', '2014'],
  ['14', undefined],
  ['', undefined],
  ['corolla', 'Corolla'],
  ['cross', 'Corolla Cross'],
  ['coro', undefined],
  ['zzz', undefined],
])('leaving the field after typing "%s" chooses %s', (typed, chosen) => {
  const options = ['2014', '1914', 'Corolla', 'Corolla Cross'].map((label) => ({ value: label, label }))
  expect(onlyMatch(options, typed)?.label).toBe(chosen)
})

test('a chosen name outside the list stays choosable', () => {
  const options = [{ value: '1', label: 'Toyota' }]
  expect(withChosen(options, { value: '9', label: 'Tucker' })).toHaveLength(2)
  expect(withChosen(options, { value: '1', label: 'Toyota' })).toBe(options)
  expect(withChosen(options, { value: '', label: '' })).toBe(options)
})
