import { expect, test } from 'vitest'
import {
  firstLetter,
  isByArrangement,
  planName,
  planNotice,
  statusWords,
  subscriptionColor,
  subscriptionWords,
} from './account-words.ts'

test('plan names', () => {
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
  ['FREE', 'INACTIVE', null, 'VERIFIED', 'Active', 'good'],
  ['FREE', 'INACTIVE', null, 'NOT_STARTED', 'Inactive', 'gray'],
  ['FREE', 'CANCELED', 'sub_1', 'PENDING', 'Inactive', 'gray'],
  ['PAID', 'ACTIVE', 'sub_1', 'NOT_STARTED', 'active', 'good'],
  ['PAID', 'PAST_DUE', 'sub_1', 'VERIFIED', 'past due', 'bad'],
  ['PAID', 'ACTIVE', null, 'VERIFIED', 'active, complimentary', 'sea'],
  ['PAID', 'INACTIVE', null, 'VERIFIED', 'complimentary', 'sea'],
  ['PAID', 'CANCELED', 'sub_1', 'VERIFIED', 'complimentary', 'sea'],
] as const)('%s with %s (%s) and %s: %s in %s', (...row) => {
  const [sellerTier, subscriptionStatus, subscriptionId, connectStatus, words, color] = row
  const user = { sellerTier, subscriptionStatus, subscriptionId, connectStatus }
  expect(subscriptionWords(user)).toBe(words)
  expect(subscriptionColor(user)).toBe(color)
})

test.each([
  ['PAID', 'ACTIVE', 'sub_1', false],
  ['PAID', 'PAST_DUE', 'sub_1', false],
  ['PAID', 'ACTIVE', null, true],
  ['PAID', 'PENDING', 'sub_1', true],
  ['FREE', 'INACTIVE', null, false],
] as const)('%s with %s (%s) is complimentary: %s', (sellerTier, subscriptionStatus, subscriptionId, is) => {
  expect(isByArrangement({ sellerTier, subscriptionStatus, subscriptionId })).toBe(is)
})

const now = new Date('2026-03-01T12:00:00Z')
const soon = '2026-03-20T23:30:00Z'
const gone = '2026-02-20T12:00:00Z'
test.each([
  ['PAID', 'ACTIVE', 'sub_1', null, undefined],
  ['PAID', 'ACTIVE', 'sub_1', gone, undefined],
  ['PAID', 'ACTIVE', 'sub_1', soon, /^Pro until March 20, 2026 \(UTC\)\./],
  ['PAID', 'PAST_DUE', 'sub_1', null, /^Your last payment failed\. .*Manage Billing/],
  ['FREE', 'PAST_DUE', 'sub_1', null, /^Pro stopped because a payment failed\. .*Manage Billing/],
  ['FREE', 'CANCELED', 'sub_1', gone, /has ended/],
  ['FREE', 'PENDING', 'sub_1', null, /first payment/],
  ['FREE', 'INACTIVE', null, null, undefined],
  ['PAID', 'CANCELED', 'sub_1', gone, undefined],
] as const)('%s, %s (%s), ending %s: %s', (...row) => {
  const [sellerTier, subscriptionStatus, subscriptionId, subscriptionEndsAt, words] = row
  const notice = planNotice({ sellerTier, subscriptionStatus, subscriptionId, subscriptionEndsAt }, now)
  if (words === undefined) expect(notice).toBeUndefined()
  else expect(notice?.text).toMatch(words)
})

test.each([
  ['ana', 'A'],
  ['  örn', 'Ö'],
  ['𝒳', '𝒳'],
  ['', '?'],
])('the avatar of %j shows %j', (name, letter) => {
  expect(firstLetter(name)).toBe(letter)
})
