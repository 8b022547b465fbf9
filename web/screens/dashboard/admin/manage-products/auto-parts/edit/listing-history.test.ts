import { expect, test } from 'vitest'
import { valueInWords } from '#web/components/value-words.ts'
import { capitalize } from './listing-history.tsx'

test.each([
  ['partprice', 129.95, '$129.95'],
  ['partprice', '80', '$80.00'],
  ['image', 'a1b2c3', 'a picture'],
  ['endedReason', 'sold-here', 'sold here'],
  ['partname', 'Alternator', 'Alternator'],
  ['partquantity', 0, '0'],
  ['partnum', null, undefined],
  ['partnum', '', undefined],
])('%s %s reads %s', (field, value, words) => {
  expect(valueInWords(field, value)).toBe(words)
})

test('a moment is shown as a date', () => {
  expect(valueInWords('endedAt', '2026-11-21T12:00:00.000Z')).toContain('2026')
})

test('an action is capitalized', () => {
  expect(capitalize('edit listing')).toBe('Edit listing')
})
