import { expect, test } from 'vitest'
import { wordsToRecord } from '#server/features/finding/vocabulary/empty-searches.ts'
import { openSpelling } from './spelling.ts'

const words = [
  ...[
    'alternator',
    'transmission',
    'radiator',
    'mirror',
    'wheel',
    'hyundai',
    'corolla',
    'cadillac',
    'ford',
    'chevy',
  ],
  ...['civic', 'kit', 'door', 'rotor', 'motor', '328i'],
]
const { correct } = openSpelling(new Map(words.map((word) => [word, 1])))

test.each([
  ['altenator', 'alternator'],
  ['alternater', 'alternator'],
  ['tansmision', 'transmission'],
  ['radiater', 'radiator'],
  ['miror', 'mirror'],
  ['mirorr', 'mirror'],
  ['hundai', 'hyundai'],
  ['cadilac', 'cadillac'],
  ['frod', 'ford'],
  ['weel', 'wheel'],
  ['dor', 'door'],
  ['dorr', 'door'],
  // Another letter is doubled.
  ['corrola', 'corolla'],
  ['had', undefined],
  ['lternator', 'alternator'],
  // Other words, not typos.
  ['fit', undefined],
  ['fort', undefined],
  ['poor', undefined],
  ['zebrawood', undefined],
  ['328', undefined],
])('“%s” was meant as %s', (typed, meant) => {
  expect(correct(typed)).toBe(meant)
})

test('the likelier of two equally near words wins', () => {
  expect(openSpelling(new Map(Object.entries({ rotors: 0, motors: 2 }))).correct('totors')).toBeUndefined()
  expect(openSpelling(new Map(Object.entries({ bumper: 2, bumped: 0 }))).correct('bumpex')).toBe('bumper')
})

test('an empty search is noted in one order, without what could be a person', () => {
  expect(wordsToRecord(['Flux', 'capacitor', 'flux'])).toBe('capacitor flux')
  expect(wordsToRecord(['hood', 'sam@yard.example'])).toBeUndefined()
  expect(wordsToRecord(['hood', '918-555-0142'])).toBeUndefined()
  expect(wordsToRecord(['1HGCM82633A004352'])).toBeUndefined()
})
