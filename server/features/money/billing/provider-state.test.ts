import { describe, expect, test } from 'vitest'
import {
  connectState,
  isLive,
  type PayoutAccount,
  type PlanState,
  planState,
  type Subscription,
} from './provider-state.ts'

const bools = [false, true]
const every = bools.flatMap((detailsSubmitted) =>
  bools.flatMap((chargesEnabled) =>
    bools.map((payoutsEnabled) => ({ detailsSubmitted, chargesEnabled, payoutsEnabled })),
  ),
)
const account = (changes: Partial<PayoutAccount>): PayoutAccount => ({
  id: 'acct_1',
  detailsSubmitted: true,
  chargesEnabled: true,
  payoutsEnabled: true,
  canTransfer: true,
  disabledReason: null,
  currentlyDue: [],
  pastDue: [],
  deadline: null,
  ...changes,
})

function expected({ detailsSubmitted, chargesEnabled, payoutsEnabled }: (typeof every)[number]) {
  if (!detailsSubmitted) return 'IN_PROGRESS'
  return chargesEnabled && payoutsEnabled ? 'VERIFIED' : 'PENDING'
}

test.each(every)('$detailsSubmitted, $chargesEnabled, $payoutsEnabled', (facts) => {
  for (const disabledReason of [null, 'requirements.past_due', 'under_review', 'listed']) {
    expect(connectState(account({ ...facts, disabledReason }))).toEqual({
      connectStatus: expected(facts),
      chargesEnabled: facts.chargesEnabled,
      canTransfer: true,
      payoutNeeds: disabledReason && { due: [], isLate: false, deadline: null, reason: disabledReason },
    })
  }
  for (const disabledReason of ['rejected.fraud', 'rejected.terms_of_service', 'rejected.other']) {
    expect(connectState(account({ ...facts, disabledReason })).connectStatus).toBe('REJECTED')
  }
})

const PERIOD_END = new Date('2026-12-01T00:00:00Z')
const CANCEL_AT = new Date('2026-11-15T00:00:00Z')

function subscription(changes: Partial<Subscription> = {}): Subscription {
  return {
    id: 'sub_1',
    status: 'active',
    priceId: 'price_1',
    isOfPro: true,
    createdAt: new Date('2026-11-01T00:00:00Z'),
    periodEnd: PERIOD_END,
    cancelAtPeriodEnd: false,
    cancelAt: null,
    ...changes,
  }
}

type Row = [
  status: string,
  subscriptionStatus: PlanState['subscriptionStatus'],
  tier: PlanState['tier'],
  /** Whether the end of the period shows once the subscription is canceled. */
  showsEnd: boolean,
]

const rows: Row[] = [
  ['active', 'ACTIVE', 'PAID', true],
  ['trialing', 'ACTIVE', 'PAID', true],
  ['past_due', 'PAST_DUE', 'PAID', true],
  ['unpaid', 'PAST_DUE', 'FREE', false],
  ['incomplete', 'PENDING', 'FREE', false],
  ['incomplete_expired', 'INACTIVE', 'FREE', false],
  ['paused', 'INACTIVE', 'FREE', false],
  ['canceled', 'CANCELED', 'FREE', false],
  ['a_future_status', 'INACTIVE', 'FREE', false],
]

const cases = rows.flatMap((row) =>
  [false, true].flatMap((granted) => [false, true].map((canceled) => ({ row, granted, canceled }))),
)

describe('every provider status × a grant × canceled at the end of the period', () => {
  test.each(cases)('$row.0, granted $granted, canceled $canceled', ({ row, granted, canceled }) => {
    const [status, subscriptionStatus, tier, showsEnd] = row
    const one = subscription({ status, cancelAtPeriodEnd: canceled })
    expect(planState([one], granted)).toEqual({
      tier: granted ? 'PAID' : tier,
      subscriptionStatus,
      subscriptionId: 'sub_1',
      subscriptionPriceId: 'price_1',
      subscriptionEndsAt: canceled && showsEnd ? PERIOD_END : null,
      subscriptionPeriodEnd: PERIOD_END,
      planProblem: null,
    })
    expect(isLive(one)).toBe(tier === 'PAID')
  })

  test.each([
    [false, 'FREE', 'INACTIVE'],
    [true, 'PAID', 'ACTIVE'],
  ])('no subscription, granted %s', (granted, tier, subscriptionStatus) => {
    expect(planState([], granted)).toEqual({
      tier,
      subscriptionStatus,
      subscriptionId: null,
      subscriptionPriceId: null,
      subscriptionEndsAt: null,
      subscriptionPeriodEnd: null,
      planProblem: null,
    })
  })
})

test('a subscription to something else is not Pro, and is named while it costs money', () => {
  const other = subscription({ id: 'sub_other', isOfPro: false, priceId: 'price_other' })
  const state = { tier: 'FREE', subscriptionStatus: 'INACTIVE', subscriptionPriceId: 'price_other' }
  expect(planState([other], false)).toMatchObject({ ...state, planProblem: 'OTHER_PRICE' })
  expect(planState([other], true)).toMatchObject({ tier: 'PAID' })
  expect(planState([{ ...other, status: 'canceled' }], false)).toMatchObject({ ...state, planProblem: null })
  const both = planState([other, subscription({ status: 'past_due' })], false)
  expect(both).toMatchObject({ tier: 'PAID', subscriptionId: 'sub_1', planProblem: 'OTHER_PRICE' })
  expect(isLive(other)).toBe(false)
})

test('a cancellation date takes precedence over the end of the period', () => {
  const ends = (changes: Partial<Subscription>) =>
    planState([subscription(changes)], false).subscriptionEndsAt
  expect(ends({ cancelAt: CANCEL_AT })).toEqual(CANCEL_AT)
  expect(ends({ cancelAt: CANCEL_AT, cancelAtPeriodEnd: true })).toEqual(CANCEL_AT)
  expect(ends({ cancelAtPeriodEnd: true, periodEnd: null })).toBeNull()
})

describe('with several subscriptions', () => {
  const liveliness = [
    ['active', 'past_due'],
    ['trialing', 'past_due'],
    ['past_due', 'unpaid'],
    ['unpaid', 'incomplete'],
    ['incomplete', 'paused'],
    ['paused', 'canceled'],
    ['canceled', 'incomplete_expired'],
    ['incomplete_expired', 'a_future_status'],
  ] as const

  test.each(liveliness)('%s wins over a newer one that is %s, in either order', (livelier, other) => {
    const older = subscription({ id: 'sub_old', status: livelier })
    const newer = subscription({ id: 'sub_new', status: other, createdAt: new Date('2026-11-20T00:00:00Z') })
    for (const both of [
      [older, newer],
      [newer, older],
    ]) {
      expect(planState(both, false).subscriptionId).toBe('sub_old')
    }
  })

  test.each(['active', 'canceled', 'unpaid'])(
    'of two subscriptions that are %s, the newer one counts',
    (status) => {
      const older = subscription({ id: 'sub_z', status })
      const newer = subscription({ id: 'sub_a', status, createdAt: new Date('2026-11-20T00:00:00Z') })
      expect(planState([older, newer], false).subscriptionId).toBe('sub_a')
      expect(planState([newer, older], false).subscriptionId).toBe('sub_a')
    },
  )

  test('two created in the same second always give the same result', () => {
    const twins = [subscription({ id: 'sub_a' }), subscription({ id: 'sub_b' })]
    expect(planState(twins, false)).toEqual(planState(twins.toReversed(), false))
  })
})
