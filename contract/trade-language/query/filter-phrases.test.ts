import { expect, test } from 'vitest'
import { cutFilterPhrases } from './filter-phrases.ts'

test.each([
  ['windshield for a 2017 elantra near 30310', { text: 'windshield for a 2017 elantra', zip: '30310' }],
  ['engines near me 85009 under $1200', { text: 'engines under $1200', zip: '85009' }],
  ['edge transmission within 100 miles of 48201', { text: 'edge transmission', zip: '48201', within: 100 }],
  ['hood 50 mile radius of zip 75201', { text: 'hood', zip: '75201', within: 50 }],
  ['f150 mirror shipped to 10001-2345', { text: 'f150 mirror', zip: '10001' }],
  ['zip code: 60601 hood', { text: 'hood', zip: '60601' }],
  ['motor with less than 80k miles 2013 sonata', { text: 'motor 2013 sonata', milesMax: 80_000 }],
  ['engine under 90,000 miles', { text: 'engine', milesMax: 90_000 }],
  ['engine up to 60k', { text: 'engine', milesMax: 60_000 }],
  [
    'engine under 9999999k miles within 9000 miles of 10001',
    { text: 'engine', milesMax: 9_999_999, zip: '10001', within: 5_000 },
  ],
])('“%s” says filters', (typed, said) => {
  expect(cutFilterPhrases(typed)).toEqual(said)
})

test.each([
  // Five digits alone are a part number, as is what has more letters or digits.
  'hood 10346 ford',
  'alternator near 31100-5A2-A01',
  // A price, a distance from nowhere, an exact reading, and a model.
  'starter under 100 bucks',
  'hood within 25 miles',
  'tires around 30000 miles',
  'near 1500 silverado',
])('“%s” says none', (typed) => {
  expect(cutFilterPhrases(typed)).toEqual({ text: typed })
})
