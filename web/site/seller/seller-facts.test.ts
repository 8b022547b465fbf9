import { expect, test } from 'vitest'
import { waitOf } from './seller-facts.tsx'

test.each([
  [0.1, 'an hour'],
  [1, 'an hour'],
  [1.1, '2 hours'],
  [24, '24 hours'],
  [24.5, '2 days'],
  [49, '3 days'],
])('%d hours read %s', (hours, words) => {
  expect(waitOf(hours)).toBe(words)
})
