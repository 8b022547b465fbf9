import { expect, test } from 'vitest'
import { filterByWords, groupedCategories, matchesWords, withChosen } from './lookup-options.ts'

const categories = [
  { id: '1', name: 'Tail Lamp', group: 'Lighting' },
  { id: '2', name: 'Headlamp', group: 'Lighting' },
  { id: '3', name: 'Oddment', group: null },
  { id: '4', name: 'Door Mirror', group: 'Mirrors' },
]

test('categories stand under their groups by name, those without a group last', () => {
  expect(groupedCategories(categories)).toEqual([
    {
      group: 'Lighting',
      items: [
        { value: '2', label: 'Headlamp' },
        { value: '1', label: 'Tail Lamp' },
      ],
    },
    { group: 'Mirrors', items: [{ value: '4', label: 'Door Mirror' }] },
    { group: 'Other', items: [{ value: '3', label: 'Oddment' }] },
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
  expect(matchesWords(typed, name)).toBe(found)
})

test('a group is found by its own name', () => {
  const options = groupedCategories(categories)
  expect(filterByWords({ options, search: 'light', limit: 100 })).toEqual([options[0]])
  expect(filterByWords({ options: options[1]?.items ?? [], search: 'mirr', limit: 100 })).toHaveLength(1)
})

test('a chosen name outside the list stays choosable', () => {
  const options = [{ value: '1', label: 'Toyota' }]
  expect(withChosen(options, { value: '9', label: 'Tucker' })).toHaveLength(2)
  expect(withChosen(options, { value: '1', label: 'Toyota' })).toBe(options)
  expect(withChosen(options, { value: '', label: '' })).toBe(options)
})
