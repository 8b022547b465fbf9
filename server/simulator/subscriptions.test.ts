import { expect, test } from 'vitest'
import { monthAfter } from './subscriptions.ts'

const seconds = (text: string) => Date.parse(text) / 1000

test.each([
  ['2026-03-15T10:20:30Z', '2026-04-15T10:20:30Z'],
  ['2026-01-31T23:59:59Z', '2026-02-28T23:59:59Z'],
  ['2028-01-31T00:00:00Z', '2028-02-29T00:00:00Z'],
  ['2026-12-31T08:00:00Z', '2027-01-31T08:00:00Z'],
])('a month from %s ends on %s', (from, to) => {
  expect(monthAfter(seconds(from))).toBe(seconds(to))
})
