import { describe, expect, test } from 'vitest'
import { orderStates } from './order-steps.ts'
import { type OrderWords, orderSentence } from './order-words.ts'
import { titlesInWords } from './several-words.ts'
import { timelineKinds, timelineText } from './timeline-words.ts'

const words: OrderWords = {
  state: 'authorized',
  mode: 'confirm',
  delivery: 'ship',
  held: false,
  disputed: false,
  takenCents: 0,
  // As hard as a name can be.
  yard: 'The part, ship it',
  buyer: 'Ruth',
  totalCents: 34_500,
  capturedCents: 0,
  refundedCents: 0,
  refundPendingCents: 0,
  refundFailed: false,
  deadline: { at: '2026-12-01T21:00:00Z', zone: 'America/Chicago' },
  shipsBy: null,
  timeZone: 'America/Chicago',
  cancelAsked: false,
  delayed: false,
  several: { count: 3, ifMissing: 'send', missing: [] },
}

/** One part, where several are meant. */
const SINGULAR = /\b(the|your) part\b|\b(has|have|get|ships?|find|pick) it\b|\bit (goes|arrives|counts|is)\b/i

describe('sentences of several parts', () => {
  const cases = orderStates.flatMap((state) =>
    (['buyer', 'seller'] as const).flatMap((reader) =>
      (['ship', 'pickup'] as const).map((delivery) => ({ state, reader, delivery })),
    ),
  )
  test.each(cases)('$state, to the $reader, by $delivery', ({ state, reader, delivery }) => {
    for (const more of [
      {},
      { delayed: true },
      { cancelAsked: true },
      { held: true },
      { mode: 'instant' as const },
    ]) {
      const text = orderSentence({ ...words, ...more, state, delivery }, reader)
      expect(text.replaceAll(words.yard, 'Yard')).not.toMatch(SINGULAR)
      if (reader === 'buyer' && state === 'authorized' && !('held' in more))
        expect(text).toContain(words.yard)
    }
  })

  test('say what becomes of the others, and afterwards which were missing', () => {
    const say = (changes: Partial<OrderWords>, reader: 'buyer' | 'seller' = 'buyer') =>
      orderSentence({ ...words, ...changes }, reader)
    expect(say({})).toContain('If a part is missing, you get the others and do not pay for it.')
    const cancel = { count: 3, ifMissing: 'cancel' as const, missing: [] }
    expect(say({ several: cancel }, 'seller')).toContain('Ruth wants all or nothing')
    const short = { ...cancel, missing: ['Hood'] }
    const last = { ...cancel, missing: ['Hood', 'Door'] }
    expect(say({ state: 'confirmed', capturedCents: 1, several: last })).toMatch(
      /^The part is yours.* Not found: Hood, Door\.$/,
    )
    expect(say({ state: 'not-found', several: short })).toBe(
      'The part, ship it could not find all parts, so you pay nothing. If your bank shows a pending charge, it drops off within a few days. Not found: Hood.',
    )
    expect(say({ state: 'confirmed', capturedCents: 1, several: short })).toContain('Not found: Hood.')
  })

  test('of one part stay as they are', () => {
    const one = { ...words, several: null }
    expect(orderSentence(one, 'buyer')).toContain('to find your part. If not')
    expect(orderSentence({ ...one, state: 'shipped' }, 'buyer')).toMatch(/^The part is on its way/)
  })
})

describe('the timeline of several parts', () => {
  const say = (kind: string, detail: object = {}, reader: 'buyer' | 'seller' = 'buyer') =>
    timelineText({ kind, side: 'seller', detail: detail as Record<string, unknown> }, words, reader)

  test.each(timelineKinds)('%s', (kind) => {
    expect(say(kind).replaceAll(words.yard, 'Yard')).not.toMatch(SINGULAR)
  })

  test('counts what was found, names what was not, and leaves a reason as it was written', () => {
    expect(say('confirm', { found: 2, of: 3 }, 'seller')).toBe(
      'You found 2 of 3 parts and confirmed the order.',
    )
    expect(say('part-missing', { titles: ['Hood'], reason: 'Rusty' })).toBe(
      'The part, ship it could not find Hood: Rusty. The others go on.',
    )
    expect(say('not-found', { reason: 'the part is broken' })).toContain(': the part is broken.')
  })
})

test('titles', () => {
  expect(['', 'Hood', 'Hood and 1 more', 'Hood and 2 more']).toEqual(
    [[], ['Hood'], ['Hood', 'Door'], ['Hood', 'Door', 'Hinge']].map(titlesInWords),
  )
})
