import { expect, test } from 'vitest'
import { isUnpaid, requireUnsubscribed } from './checkout.ts'

test.each([
  ['FREE', 'INACTIVE'],
  ['FREE', 'CANCELED'],
] as const)('%s and %s may start a subscription', (tier, subscriptionStatus) => {
  expect(isUnpaid({ tier, subscriptionStatus })).toBe(false)
  expect(() => requireUnsubscribed({ tier, subscriptionStatus })).not.toThrow()
})

test.each([
  ['FREE', 'PENDING', true, 'Your payment is still being confirmed. Please wait a few minutes.'],
  [
    'FREE',
    'PAST_DUE',
    true,
    'Pro stopped because a payment failed. Pay the open invoice under Manage Billing to get it back.',
  ],
  ['PAID', 'ACTIVE', false, 'You already have Pro. Open Manage Billing to change or cancel it.'],
  ['PAID', 'PAST_DUE', false, 'You already have Pro. Open Manage Billing to change or cancel it.'],
  [
    'PAID',
    'CANCELED',
    false,
    'You already have Pro: an administrator gave it to you, and there is nothing to pay.',
  ],
  [
    'PAID',
    'INACTIVE',
    false,
    'You already have Pro: an administrator gave it to you, and there is nothing to pay.',
  ],
] as const)('%s and %s may not start another', (tier, subscriptionStatus, unpaid, sentence) => {
  expect(isUnpaid({ tier, subscriptionStatus })).toBe(unpaid)
  expect(() => requireUnsubscribed({ tier, subscriptionStatus })).toThrow(sentence)
})
