import { expect, test } from 'vitest'
import { timeLeft } from './time-left.ts'

const minute = 60_000

test.each([
  [0, '1 minute'],
  [-5 * minute, '1 minute'],
  [minute, '1 minute'],
  [23.2 * minute, '24 minutes'],
  [59.5 * minute, '1 hour'],
  [192 * minute, '3 hours 12 minutes'],
  [24 * 60 * minute, '1 day'],
  [(53 * 60 + 30) * minute, '2 days 5 hours'],
])('%d ms: %s', (ms, words) => {
  expect(timeLeft(ms)).toBe(words)
})
