import { expect, test } from 'vitest'
import { waitInWords } from './errors.ts'

test.each([
  [1, '1 second'],
  [80, '80 seconds'],
  [160, '3 minutes'],
  [900, '15 minutes'],
  [5_400, '90 minutes'],
  [5_401, '2 hours'],
  [80_000, '23 hours'],
])('%d s is worded as "%s"', (seconds, words) => {
  expect(waitInWords(seconds)).toBe(words)
})
