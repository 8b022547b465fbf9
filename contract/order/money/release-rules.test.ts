import { expect, test } from 'vitest'
import { orderPayoutOf, type ReleaseFacts } from './release-path.ts'
import { releaseRule, releaseTime } from './release-rules.ts'

test.each([
  [0, 0, 14],
  [4, 0, 14],
  [5, 0, 7],
  [24, 0, 7],
  [25, 5, 2],
  [25, 6, 7],
  [30, 12, 7],
  [30, 13, 14],
  [500, 0, 2],
])('%i delivered, %i of them with trouble: %i days', (delivered, troubled, days) => {
  expect(releaseRule({ delivered, troubled }).days).toBe(days)
})

test('counts from delivery', () => {
  const at = new Date('2026-12-01T10:00:00Z')
  expect(releaseTime(at, { delivered: 40, troubled: 1 })).toEqual(new Date('2026-12-03T10:00:00Z'))
})

const now = new Date('2026-12-02T18:00:00Z')
const facts: ReleaseFacts = {
  state: 'delivered',
  capturedCents: 11_500,
  royaltyCents: 1_000,
  feeCents: 364,
  taxCents: 0,
  coreCents: 0,
  refundedCents: 0,
  refundDueCents: 0,
  heldCents: 10_500,
  nettedCents: 0,
  owedCents: 0,
  hasDebt: false,
  transfers: [],
  releaseAt: '2026-12-09T18:00:00Z',
  rule: { days: 7, because: 'you have fewer than 25 delivered sales here' },
  stopped: null,
  problem: null,
  timeZone: 'America/Chicago',
}
const moved = (payout: ReleaseFacts['transfers'][number]['payout']): Partial<ReleaseFacts> => ({
  heldCents: 0,
  transfers: [{ cents: 10_500, madeAt: '2026-12-01T18:00:00Z', payout }],
})
const arrivesAt = '2026-12-04T18:00:00Z'

test.each<[Partial<ReleaseFacts>, string]>([
  [{}, 'We release $105.00 on Wed, Dec 9.'],
  [
    { state: 'shipped', releaseAt: null },
    'We release $105.00 7 days after delivery, because you have fewer than 25 delivered sales here.',
  ],
  [{ releaseAt: '2026-12-01T18:00:00Z' }, 'We release $105.00 now.'],
  [{ stopped: 'dispute' }, 'We hold $105.00 until the buyer’s bank has decided the dispute.'],
  [{ stopped: 'return' }, 'We hold $105.00 until the return or claim is settled.'],
  [
    { problem: 'refused' },
    '$105.00 waits for your Stripe account: open your payout settings and finish what Stripe asks for.',
  ],
  [moved(null), 'We transferred $105.00 on Tue, Dec 1. Stripe sends it to your bank with your next payout.'],
  [moved({ state: 'pending', arrivesAt }), '$105.00 is on its way to your bank and arrives by Fri, Dec 4.'],
  [moved({ state: 'paid', arrivesAt }), '$105.00 was paid to your bank on Fri, Dec 4.'],
  [
    moved({ state: 'failed', arrivesAt }),
    'Your bank refused the payout with $105.00. Check the bank account in your payout settings; Stripe pays it again.',
  ],
  [
    { heldCents: 0, owedCents: 9_000, hasDebt: true },
    'You owe $90.00 of this order. We keep it of your next sales.',
  ],
  [{ heldCents: 0, owedCents: 9_000 }, 'You owed $90.00 of this order, and your later sales paid it.'],
  [
    { heldCents: 0, nettedCents: 10_500 },
    'We kept $105.00 of this sale for what you owed from earlier refunds.',
  ],
  [{ heldCents: 0, refundedCents: 11_500 }, 'Nothing of this order is left for you.'],
  [{ capturedCents: 0, state: 'pending' }, 'The money comes to us first, once the buyer has paid.'],
])('%o says “%s”', (more, sentence) => {
  expect(orderPayoutOf({ ...facts, ...more }, now).sentence).toBe(sentence)
})

test('the path adds up to the yard’s share', () => {
  const { share, path } = orderPayoutOf(
    { ...facts, ...moved({ state: 'paid', arrivesAt }), nettedCents: 0 },
    now,
  )
  expect(share).toBe(105)
  const taken = path.filter(({ step }) =>
    ['paid', 'royalty', 'tax', 'core', 'refunded', 'kept'].includes(step),
  )
  expect(taken.reduce((sum, { amount }) => sum + (amount ?? 0), 0)).toBe(105)
  expect(path.map(({ step, state }) => `${step} ${state}`)).toEqual([
    'paid done',
    'royalty done',
    'fee done',
    'released done',
    'transferred done',
    'bank done',
  ])
})

test('what a bank took is not gone yet: the yard reads that it may come back', () => {
  const disputed = { ...facts, heldCents: 0, royaltyCents: 0, stopped: 'dispute' as const }
  const { sentence, path } = orderPayoutOf(disputed, now)
  expect(sentence).toMatch(/^The buyer’s bank has this money until it decides/)
  expect(path.find(({ step }) => step === 'released')).toMatchObject({ amount: null, state: 'later' })
})
