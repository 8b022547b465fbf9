import { expect, test } from 'vitest'
import type { PayoutNeeds } from '#contract/account/payout-needs.ts'
import { dueInWords, payoutNotice } from './payout-needs.ts'

const needs = (changes: Partial<PayoutNeeds>): PayoutNeeds => ({
  due: [],
  isLate: false,
  deadline: null,
  reason: null,
  ...changes,
})
const notice = (changes: Partial<PayoutNeeds>) =>
  payoutNotice({ connectStatus: 'PENDING', payoutNeeds: needs(changes) })

test('each requirement is named once, in words', () => {
  expect(
    dueInWords([
      'external_account',
      'individual.dob.day',
      'individual.dob.month',
      'person_1AbC.verification.document',
      'company.tax_id',
      'something.new',
    ]),
  ).toEqual([
    'A bank account or debit card for payouts',
    'A date of birth',
    'A photo of an ID, such as a driver’s license',
    'Your business’s tax ID',
    'More details, which Stripe will ask for',
  ])
})

test.each<[string, Partial<PayoutNeeds>, object]>([
  ['late', { due: ['external_account'], isLate: true }, { tone: 'bad', fix: 'onboarding' }],
  [
    'due by a day',
    { due: ['external_account'], deadline: '2026-12-01T12:00:00Z' },
    { tone: 'warning', text: expect.stringContaining('by December 1, 2026'), fix: 'onboarding' },
  ],
  ['paused by us', { reason: 'platform_paused' }, { tone: 'bad', fix: 'support' }],
  ['in review', { reason: 'requirements.pending_verification' }, { tone: 'sea', fix: 'none' }],
  ['paused for another reason', { reason: 'other' }, { tone: 'bad', fix: 'onboarding' }],
])('%s', (_what, changes, expected) => {
  expect(notice(changes)).toMatchObject(expected)
})

test('nothing is shown before onboarding, when all is well, or for a declined account, which has its own sentence', () => {
  expect(payoutNotice({ connectStatus: 'VERIFIED', payoutNeeds: null })).toBeUndefined()
  expect(
    payoutNotice({ connectStatus: 'NOT_STARTED', payoutNeeds: needs({ due: ['external_account'] }) }),
  ).toBeUndefined()
  expect(notice({ reason: 'rejected.fraud' })).toBeUndefined()
})
