import { expect, test } from 'vitest'
import { type Facts, marksOf, withFacts } from './fact-marks.ts'

test('the marks of a listing', () => {
  const id = '01890000-0000-7000-8000-00000000'
  const listing = { name: 'Door LH', car_model_id: id, grade: 'B', shipping_kind: 'flat' }
  expect(marksOf({ ...listing, id: `${id}0001` })).toEqual(['=b', '=flat', '=left'])
  expect(marksOf({ name: 'Door', id: `${id}0040` })).toEqual(['=quote', '=unlisted', '=8th', '=64th'])
  expect(marksOf({ name: 'Door', grade: null, id: `${id}0200` })).toEqual([
    '=quote',
    '=unlisted',
    '=8th',
    '=64th',
    '=512th',
  ])
})

test.each<[string, Facts, string]>([
  ['', {}, ''],
  [`'door':*`, {}, `'door':*`],
  ['', { year: 2014 }, `('@2014')`],
  ['', { grades: ['A', 'B'], side: 'left' }, `('=left') & ('=a' | '=b')`],
  [`'door':*`, { shipping: ['free'], hasPicture: true }, `'door':* & ('=free') & ('=picture')`],
])('the query of %s with %j', (words, facts, query) => {
  expect(withFacts(words, facts)).toBe(query)
})

test('words that are alternatives keep their meaning beside facts', () => {
  expect(withFacts(`('a' | 'b')`, { side: 'right' }, 64)).toBe(`('a' | 'b') & ('=right') & ('=64th')`)
})
