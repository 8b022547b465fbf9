import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OfferStep } from '#contract/pages/conversations.ts'
import { HOLD_HOURS, HOUR_MS, type OfferMessage, offerStates, type Side, stepsOf } from './offer-rules.ts'

const start = Date.parse('2026-03-04T15:00:00Z')
const at = (hours: number) => new Date(start + hours * HOUR_MS)

const text = (hours: number, sender: Side = 'buyer'): OfferMessage => ({
  kind: 'text',
  sender,
  createdAt: at(hours),
  expiresAt: null,
})
const offer = (sender: Side, hours: number, stands = 48): OfferMessage => ({
  kind: 'offer',
  sender,
  createdAt: at(hours),
  expiresAt: at(hours + stands),
})
const accept = (sender: Side, hours: number): OfferMessage => ({
  kind: 'accept',
  sender,
  createdAt: at(hours),
  expiresAt: at(hours + HOLD_HOURS),
})
const say = (kind: 'decline' | 'sold', sender: Side, hours: number): OfferMessage => ({
  ...text(hours, sender),
  kind,
})

const around = (hours: number, { forSale = true, takesOffers = true } = {}) => ({
  now: at(hours),
  forSale,
  takesOffers,
})
type Steps = Record<Side, OfferStep[]>
const both = (messages: readonly OfferMessage[], ...given: Parameters<typeof around>): Steps => ({
  buyer: stepsOf('buyer', messages, around(...given)),
  seller: stepsOf('seller', messages, around(...given)),
})

const sellersTurn = { buyer: ['offer'], seller: ['accept', 'decline', 'offer'] } satisfies Steps
const anyonesTurn = { buyer: ['offer'], seller: ['offer'] } satisfies Steps
const nobodysTurn = { buyer: [], seller: [] } satisfies Steps

describe('what may be done about an offer', () => {
  test.each<[string, OfferMessage[], number, Steps]>([
    ['a question: only the buyer names a price', [text(0)], 1, { buyer: ['offer'], seller: [] }],
    ['an offer: the seller answers it', [offer('buyer', 0)], 1, sellersTurn],
    ['in its last minutes', [offer('buyer', 0)], 47.9, sellersTurn],
    ['expired: either names a price', [offer('buyer', 0)], 48, anyonesTurn],
    [
      'a counteroffer: the buyer answers it',
      [offer('buyer', 0), offer('seller', 1)],
      2,
      { buyer: ['accept', 'decline', 'offer'], seller: ['offer'] },
    ],
    ['declined', [offer('buyer', 0), say('decline', 'seller', 1)], 2, anyonesTurn],
    [
      'accepted: nothing, while the part is held',
      [offer('buyer', 0), accept('seller', 1)],
      48.9,
      nobodysTurn,
    ],
    ['the hold is over', [offer('buyer', 0), accept('seller', 1)], 49, anyonesTurn],
    [
      'a text after an offer changes nothing',
      [offer('buyer', 0), text(1), text(2, 'seller')],
      3,
      sellersTurn,
    ],
  ])('%s', (_what, messages, hours, steps) => {
    expect(both(messages, hours)).toEqual(steps)
  })

  test('nothing once the part is no longer for sale, and no price of the buyer’s where the seller takes none', () => {
    const counter = [offer('buyer', 0), offer('seller', 1)]
    expect(both(counter, 2, { forSale: false })).toEqual(nobodysTurn)
    expect(both(counter, 2, { takesOffers: false })).toEqual({
      buyer: ['accept', 'decline'],
      seller: ['offer'],
    })
  })
})

test('each offer keeps what became of it', () => {
  const messages = [
    text(0),
    offer('buyer', 1),
    offer('seller', 2),
    say('decline', 'buyer', 3),
    offer('buyer', 4, 24),
    offer('buyer', 30),
    accept('seller', 31),
    offer('buyer', 31 + HOLD_HOURS),
    say('sold', 'seller', 80),
  ]
  expect(offerStates(messages, around(81))).toEqual([
    undefined,
    'replaced',
    'declined',
    undefined,
    'expired',
    'lapsed',
    undefined,
    'gone',
    undefined,
  ])
})

test('sold during the hold is bought, and sold after it is not', () => {
  const agreed = [offer('buyer', 0), accept('seller', 1)]
  const states = (hours: number) => offerStates([...agreed, say('sold', 'seller', hours)], around(hours + 90))
  expect(states(48)[0]).toBe('bought')
  expect(states(50)[0]).toBe('lapsed')
  expect(both([...agreed, say('sold', 'seller', 2)], 90)).toEqual(nobodysTurn)
})

/** What holds at any time in any conversation. */
function expectOrder(messages: readonly OfferMessage[], hours: number): void {
  const steps = both(messages, hours)
  const states = offerStates(messages, around(hours))
  const newest = messages.findLastIndex(({ kind }) => kind === 'offer')
  expect(states.map((state) => state !== undefined)).toEqual(messages.map(({ kind }) => kind === 'offer'))
  expect(states.findLastIndex((state) => state === 'open' || state === 'accepted')).toBeOneOf([-1, newest])
  expect(states.filter((state) => state === 'open' || state === 'accepted').length).toBeLessThan(2)
  const answering = (['buyer', 'seller'] as const).filter((side) => steps[side].includes('accept'))
  const other = messages[newest]?.sender === 'buyer' ? 'seller' : 'buyer'
  expect(answering).toEqual(states[newest] === 'open' ? [other] : [])
  if (states[newest] === 'accepted') expect(steps).toEqual(nobodysTurn)
}

test('whatever both sides do, one offer at most is open or agreed, and nobody answers their own', () => {
  const move = fc.record({
    side: fc.constantFrom<Side>('buyer', 'seller'),
    step: fc.constantFrom<OfferStep>('offer', 'offer', 'accept', 'decline'),
    after: fc.integer({ min: 0, max: 60 }),
    stands: fc.constantFrom(24, 48, 168),
  })
  fc.assert(
    fc.property(fc.array(move, { maxLength: 25 }), (moves) => {
      const messages: OfferMessage[] = [text(0)]
      let hours = 0
      for (const { side, step, after, stands } of moves) {
        hours += after
        expectOrder(messages, hours)
        if (!both(messages, hours)[side].includes(step)) continue
        if (step === 'offer') messages.push(offer(side, hours, stands))
        else messages.push(step === 'accept' ? accept(side, hours) : say('decline', side, hours))
      }
    }),
  )
})
