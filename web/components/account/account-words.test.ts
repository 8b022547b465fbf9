import { expect, test } from 'vitest'
import { firstLetter, planName, statusWords, subscriptionWords, timeAgo } from './account-words.ts'

test('plans', () => {
  expect(planName({ sellerTier: 'PAID' })).toBe('Pro Seller')
  expect(planName({ sellerTier: 'FREE' })).toBe('Free Seller')
})

test.each([
  ['NOT_STARTED', 'not started'],
  ['IN_PROGRESS', 'in progress'],
  ['VERIFIED', 'verified'],
])('%s reads %j', (status, words) => {
  expect(statusWords(status)).toBe(words)
})

test.each([
  ['FREE', 'INACTIVE', 'VERIFIED', 'Active'],
  ['FREE', 'INACTIVE', 'NOT_STARTED', 'Inactive'],
  ['FREE', 'CANCELED', 'PENDING', 'Inactive'],
  ['PAID', 'ACTIVE', 'NOT_STARTED', 'active'],
  ['PAID', 'PAST_DUE', 'VERIFIED', 'past due'],
] as const)('%s with %s and %s: %s', (sellerTier, subscriptionStatus, connectStatus, words) => {
  expect(subscriptionWords({ sellerTier, subscriptionStatus, connectStatus })).toBe(words)
})

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

test.each([
  ['ana', 'A'],
  ['  örn', 'Ö'],
  ['𝒳', '𝒳'],
  ['', '?'],
])('the avatar of %j shows %j', (name, letter) => {
  expect(firstLetter(name)).toBe(letter)
})
