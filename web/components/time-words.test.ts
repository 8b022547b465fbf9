import { expect, test } from 'vitest'
import { timeAgo } from './time-words.ts'

const now = new Date('2026-03-01T12:00:00Z')

test.each([
  ['2026-03-01T11:59:30Z', 'just now'],
  ['2026-03-01T12:00:05Z', 'just now'],
  ['2026-03-01T11:59:00Z', '1 minute ago'],
  ['2026-03-01T10:30:00Z', '1 hour ago'],
  ['2026-02-26T12:00:00Z', '3 days ago'],
  ['2026-02-01T12:00:00Z', '4 weeks ago'],
  ['2025-11-01T12:00:00Z', '3 months ago'],
  ['2024-01-01T12:00:00Z', '2 years ago'],
])('%s is %j', (then, words) => {
  expect(timeAgo(then, now)).toBe(words)
})
