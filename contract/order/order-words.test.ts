import { describe, expect, test } from 'vitest'
import { isPaid, type OrderState, orderStates, orderStepNames } from './order-steps.ts'
import {
  dayInWords,
  deadlineInWords,
  type OrderReader,
  type OrderWords,
  onOneLine,
  orderSentence,
} from './order-words.ts'
import { timelineKinds, timelineText } from './timeline-words.ts'

// A Sunday, 8 AM Central.
const now = new Date('2026-11-29T14:00:00Z')
const chicago = 'America/Chicago'
const words: OrderWords = {
  state: 'authorized',
  mode: 'confirm',
  delivery: 'ship',
  held: false,
  disputed: false,
  takenCents: 0,
  yard: 'Green Country',
  buyer: 'Ruth',
  totalCents: 11_500,
  capturedCents: 0,
  refundedCents: 0,
  refundPendingCents: 0,
  refundFailed: false,
  deadline: { at: '2026-12-01T21:00:00Z', zone: chicago },
  shipsBy: null,
  timeZone: chicago,
  cancelAsked: false,
  delayed: false,
}
const paid = { capturedCents: 11_500, shipsBy: '2026-12-04T23:00:00Z', deadline: null }
const say = (change: Partial<OrderWords>, reader: OrderReader) =>
  orderSentence({ ...words, ...change }, reader, now)

describe('a deadline', () => {
  test.each([
    ['2026-12-01T21:00:00Z', chicago, 'Tue 3 PM Central'],
    ['2026-12-01T21:40:00Z', chicago, 'Tue 3:40 PM Central'],
    ['2026-11-29T21:00:00Z', chicago, 'Sun 3 PM Central'],
    ['2026-12-05T21:00:00Z', chicago, 'Sat 3 PM Central'],
    // A week later it is the same weekday.
    ['2026-12-06T21:00:00Z', chicago, 'Sun, Dec 6, 3 PM Central'],
    ['2026-11-28T21:00:00Z', chicago, 'Sat, Nov 28, 3 PM Central'],
    ['2027-01-04T21:00:00Z', chicago, 'Mon, Jan 4, 2027, 3 PM Central'],
    ['2026-12-01T21:00:00Z', 'America/New_York', 'Tue 4 PM Eastern'],
    ['2026-12-01T21:00:00Z', 'America/Indiana/Indianapolis', 'Tue 4 PM Eastern (Indiana)'],
    ['2026-12-01T21:00:00Z', 'America/Denver', 'Tue 2 PM Mountain'],
    ['2026-12-01T21:00:00Z', 'America/Phoenix', 'Tue 2 PM Arizona'],
    ['2026-12-01T21:00:00Z', 'America/Los_Angeles', 'Tue 1 PM Pacific'],
    ['2026-12-01T21:00:00Z', 'America/Anchorage', 'Tue 12 PM Alaska'],
    ['2026-12-01T21:00:00Z', 'Pacific/Honolulu', 'Tue 11 AM Hawaii'],
    ['2026-12-01T21:00:00Z', 'America/Puerto_Rico', 'Tue 5 PM Atlantic'],
    ['2026-12-01T21:00:00Z', 'Asia/Tokyo', 'Wed 6 AM GMT+9'],
    // Midnight is the end of Tuesday, not its beginning.
    ['2026-12-02T06:00:00Z', chicago, 'Tue 11:59 PM Central'],
  ])('%s in %s is %s', (at, zone, text) => {
    expect(deadlineInWords(at, zone, now)).toBe(text)
  })

  test('follows daylight saving time', () => {
    const march = new Date('2026-03-06T12:00:00Z')
    expect(deadlineInWords('2026-03-07T21:00:00Z', chicago, march)).toBe('Sat 3 PM Central')
    expect(deadlineInWords('2026-03-09T20:00:00Z', chicago, march)).toBe('Mon 3 PM Central')
  })

  test('a day is the one at the yard', () => {
    expect(dayInWords('2026-12-05T02:00:00Z', chicago, now)).toBe('Fri, Dec 4')
    expect(dayInWords('2027-12-05T12:00:00Z', chicago, now)).toBe('Sun, Dec 5, 2027')
  })
})

describe('the sentence of a state', () => {
  const byReader: [string, Partial<OrderWords>, buyer: string, seller: string][] = [
    [
      'quoting, without a price',
      { state: 'quoting', totalCents: null },
      'Green Country has until Tue 3 PM Central to name a shipping price. You pay nothing until you accept it.',
      'Name a shipping price for Ruth by Tue 3 PM Central, or the order expires.',
    ],
    [
      'quoting, with a price',
      { state: 'quoting' },
      'Green Country named the shipping price: $115.00 in all. Pay by Tue 3 PM Central. The part is not held for you until you do.',
      'Ruth has until Tue 3 PM Central to pay $115.00. The part stays on sale.',
    ],
    [
      'pending',
      { state: 'pending' },
      'The part is held for you until Tue 3 PM Central. Pay $115.00 by Tue 3 PM Central, or it goes back on sale.',
      'Ruth is on the payment page. The part is held until Tue 3 PM Central. You have nothing to do yet.',
    ],
    [
      'authorized',
      {},
      'Green Country has until Tue 3 PM Central to find your part. If not, you pay nothing. Your bank may show $115.00 as pending; we have not taken it.',
      "Find the part and confirm by Tue 3 PM Central. If you don't, the order is canceled and Ruth pays nothing.",
    ],
    [
      'capturing',
      { state: 'capturing', deadline: null },
      'Green Country found your part. We are taking the payment of $115.00; this can take a few minutes.',
      'You confirmed. We are taking the payment of $115.00. Wait for it before you send the part.',
    ],
    [
      'confirmed',
      { state: 'confirmed', ...paid },
      'The part is yours. Green Country ships it by Fri, Dec 4. We hold your $115.00 until it is delivered.',
      'Paid: $115.00. Ship the part by Fri, Dec 4.',
    ],
    [
      'confirmed at once',
      { state: 'confirmed', mode: 'instant', ...paid },
      'The part is yours. Green Country ships it by Fri, Dec 4. We hold your $115.00 until it is delivered.',
      'Paid: $115.00. Ship the part by Fri, Dec 4. If you cannot find it, choose “Not found”.',
    ],
    [
      'confirmed for pickup',
      { state: 'confirmed', delivery: 'pickup', ...paid },
      'The part is yours. Green Country has it ready for pickup by Fri, Dec 4. We hold your $115.00 until you have it.',
      'Paid: $115.00. Get the part ready for pickup by Fri, Dec 4.',
    ],
    [
      'confirmed, cancelation asked',
      { state: 'confirmed', cancelAsked: true, ...paid },
      'You asked to cancel. Green Country may agree and refund you, or send the part if it is already on its way.',
      'Ruth asked to cancel. Refund the order to agree, or ship it if the part is already packed.',
    ],
    [
      'confirmed, delayed',
      { state: 'confirmed', delayed: true, ...paid, deadline: words.deadline },
      'Green Country is late. Wait for the part or get all of your money back: please choose by Tue 3 PM Central. Without your answer, we refund you.',
      'You are late. Ruth can wait or get the money back, and we refund $115.00 by Tue 3 PM Central without an answer. Ship it now to keep the sale.',
    ],
    [
      'ready',
      { state: 'ready', delivery: 'pickup', ...paid, deadline: words.deadline },
      "The part is ready. Pick it up at Green Country by Tue 3 PM Central and show your pickup code. If you don't, we refund you.",
      'Ready for pickup. Ask Ruth for the 6-digit code and enter it. If nobody comes by Tue 3 PM Central, we refund Ruth.',
    ],
    [
      'shipped',
      { state: 'shipped', ...paid, deadline: words.deadline },
      'The part is on its way. Tell us when it arrives. If we hear nothing by Tue 3 PM Central, it counts as delivered.',
      'Shipped. If Ruth reports no problem by Tue 3 PM Central, it counts as delivered. We hold the money until then.',
    ],
    [
      'delivered',
      { state: 'delivered', ...paid },
      'Delivered. If something is wrong with the part, report it on the order’s page.',
      'Delivered to Ruth. You have nothing to do.',
    ],
    [
      'closed',
      { state: 'closed', ...paid },
      'This order is complete. Thank you for buying here.',
      'This order is complete.',
    ],
    [
      'expired',
      { state: 'expired', deadline: null },
      'The time to pay is over. Nothing was charged.',
      'Ruth did not pay in time. Nothing was charged.',
    ],
    [
      'expired without a shipping price',
      { state: 'expired', deadline: null, totalCents: null },
      'Green Country named no shipping price in time. Nothing was charged.',
      'The time to name a shipping price is over. Nothing was charged.',
    ],
    [
      'expired, and money came late',
      { state: 'expired', deadline: null, capturedCents: 11_500, refundPendingCents: 11_500 },
      'Your payment came after the time was over. You get all of it back. $115.00 is on its way back to you. Your bank may need 5 to 10 days to show it.',
      'Ruth paid after the time was over, and gets all of it back. $115.00 is on its way back to Ruth.',
    ],
    [
      'canceled',
      { state: 'canceled', deadline: null },
      'This order was canceled, and you pay nothing. If your bank shows a pending charge, it drops off within a few days.',
      'This order was canceled. Ruth pays nothing.',
    ],
    [
      'not found',
      { state: 'not-found', deadline: null },
      'Green Country could not find the part, so you pay nothing. If your bank shows a pending charge, it drops off within a few days.',
      'You could not find the part. Ruth pays nothing.',
    ],
    [
      'not found, already paid',
      { state: 'not-found', ...paid, refundedCents: 11_500 },
      'Green Country could not find the part. You get all of your money back. $115.00 went back to you.',
      'You could not find the part. Ruth gets all of the money back. $115.00 went back to Ruth.',
    ],
    [
      'refunded',
      { state: 'refunded', ...paid, refundedCents: 11_500 },
      'All of your money went back to you: $115.00. Your bank may need 5 to 10 days to show it.',
      'Refunded in full: $115.00 went back to Ruth.',
    ],
  ]
  test.each(byReader)('%s', (_name, change, buyer, seller) => {
    expect(say(change, 'buyer')).toBe(buyer)
    expect(say(change, 'seller')).toBe(seller)
  })

  test('a part of the money that went back', () => {
    const change = { state: 'shipped', ...paid, refundedCents: 2_050, refundPendingCents: 1_000 } as const
    expect(say(change, 'buyer')).toContain('$20.50 went back to you. $10.00 is on its way back to you.')
    expect(say(change, 'seller')).toContain('$20.50 went back to Ruth. $10.00 is on its way back to Ruth.')
  })

  test('what went back, or is on its way, is no longer held', () => {
    const change = { state: 'confirmed', ...paid, refundedCents: 1_500, refundPendingCents: 1_000 } as const
    expect(say(change, 'buyer')).toContain('We hold your $90.00 until it is delivered.')
    expect(say({ ...change, held: true }, 'buyer')).toContain('We hold your $90.00.')
    expect(say({ ...change, delayed: true }, 'seller')).toContain('and we refund $90.00')
  })

  test('an order whose money is all on its way back asks for no part', () => {
    const change = { state: 'confirmed', ...paid, refundedCents: 1_500, refundPendingCents: 10_000 } as const
    expect(say(change, 'buyer')).toMatch(
      /^You get all of your money back\. \$15\.00 went back to you\. \$100\.00 is on/,
    )
    expect(say(change, 'seller')).toMatch(/^Ruth gets all of the money back\. Do not ship/)
    expect(say({ ...change, refundPendingCents: 9_999 }, 'seller')).toMatch(
      /^Paid: \$115\.00\. Ship the part/,
    )
  })

  test('a refund that failed', () => {
    const change = { state: 'delivered', ...paid, refundFailed: true } as const
    expect(say(change, 'buyer')).toMatch(/A refund did not go through\. We are working on it/)
    expect(say(change, 'seller')).toMatch(/A refund to Ruth did not go through/)
  })

  test('an order on hold asks nobody to do anything', () => {
    const change = { state: 'confirmed', ...paid, held: true } as const
    expect(say(change, 'buyer')).toBe(
      'We are checking this order. Nothing moves until we are done, and you have nothing to do. We hold your $115.00.',
    )
    expect(say(change, 'seller')).toBe(
      'On hold: we are checking this order. Do not ship or hand over the part until we release it.',
    )
    expect(say({ held: true }, 'buyer')).not.toContain('We hold your')
    // Nothing is left to stop.
    expect(say({ state: 'canceled', held: true }, 'seller')).toBe(
      'This order was canceled. Ruth pays nothing.',
    )
  })

  test('every state has a sentence for both, without gaps and without a licensed word', () => {
    const variants: Partial<OrderWords>[] = [
      {},
      { deadline: null },
      { totalCents: null },
      { shipsBy: null },
      paid,
    ]
    const readers: OrderReader[] = ['buyer', 'seller']
    const all = orderStates.flatMap((state: OrderState) =>
      variants.flatMap((change) =>
        readers.map((reader) =>
          say(
            {
              state,
              ...((isPaid(state) || state === 'refunded') && paid),
              ...(state === 'refunded' && { refundedCents: 11_500 }),
              ...change,
            },
            reader,
          ),
        ),
      ),
    )
    expect(all).toHaveLength(orderStates.length * 10)
    for (const sentence of all) {
      expect(sentence).toMatch(/^[A-Z].*\.$/)
      expect(sentence).not.toMatch(/undefined|null|NaN|escrow| {2}| \.|\$0\.00/i)
    }
  })
})

describe('the timeline', () => {
  const names = { yard: 'Green Country', buyer: 'Ruth' }
  const tell = (
    kind: string,
    side: 'buyer' | 'seller' | 'admin' | 'provider' | 'clock',
    reader: 'buyer' | 'seller' | 'admin',
    detail: Record<string, unknown> = {},
  ) => timelineText({ kind, side, detail }, names, reader)

  test.each([
    ['placed', 'buyer', 'buyer', {}, 'You placed the order.'],
    ['placed', 'buyer', 'seller', {}, 'Ruth placed the order.'],
    [
      'quote',
      'seller',
      'buyer',
      { amountCents: 8_500, days: 3 },
      'Green Country named the shipping price: $85.00, ships within 3 days.',
    ],
    [
      'quote',
      'seller',
      'seller',
      { amountCents: 8_500, days: 1 },
      'You named the shipping price: $85.00, ships within 1 day.',
    ],
    ['declined', 'provider', 'buyer', {}, 'Your bank declined the payment.'],
    [
      'authorize',
      'provider',
      'buyer',
      { amountCents: 11_500 },
      'Your bank approved $115.00. Nothing is taken until the yard confirms.',
    ],
    [
      'authorize',
      'provider',
      'seller',
      { amountCents: 11_500 },
      'The bank approved $115.00. Nothing is taken until you confirm.',
    ],
    ['take', 'provider', 'seller', { amountCents: 11_500 }, 'Ruth paid $115.00.'],
    ['capture', 'provider', 'admin', { amountCents: 11_500 }, 'The payment of $115.00 was taken.'],
    [
      'not-found',
      'seller',
      'buyer',
      { reason: 'Sold at the counter.' },
      'Green Country could not find the part: Sold at the counter.',
    ],
    [
      'ask-cancel',
      'buyer',
      'seller',
      { reason: 'Found one\nWe refund $900' },
      'Ruth asked to cancel: Found one We refund $900.',
    ],
    [
      'ship',
      'seller',
      'buyer',
      { carrier: 'ups', tracking: '1Z9' },
      'Green Country shipped the part with UPS, tracking number 1Z9.',
    ],
    ['ship', 'seller', 'seller', {}, 'You shipped the part.'],
    [
      'delay',
      'buyer',
      'buyer',
      { until: '2020-12-12T18:00:00Z' },
      'You agreed to wait until Sat, Dec 12, 2020.',
    ],
    [
      'refund-asked',
      'seller',
      'buyer',
      { amountCents: 2_000, reason: 'bent bracket' },
      'Green Country refunded $20.00: bent bracket.',
    ],
    ['refund-asked', 'clock', 'buyer', { amountCents: 2_000 }, 'We refunded $20.00.'],
    ['refunded', 'provider', 'buyer', { amountCents: 2_000 }, '$20.00 went back to you.'],
    [
      'refund-failed',
      'provider',
      'seller',
      { amountCents: 2_000 },
      'A refund of $20.00 did not go through. We are working on it.',
    ],
    ['fraud-warning', 'provider', 'buyer', {}, 'We are checking the payment.'],
    [
      'held',
      'admin',
      'admin',
      { reason: 'stolen card?' },
      'An administrator put the order on hold: stolen card.',
    ],
    // An administrator's suspicion is not for the people it is about.
    ['held', 'admin', 'buyer', { reason: 'stolen card?' }, 'We put the order on hold.'],
    ['held', 'admin', 'seller', { reason: 'stolen card?' }, 'We put the order on hold.'],
    ['drop', 'admin', 'buyer', { reason: 'yard disabled' }, 'We canceled the order.'],
    [
      'refund-asked',
      'admin',
      'seller',
      { amountCents: 100, reason: 'yard under review' },
      'We refunded $1.00.',
    ],
    ['brand-new', 'clock', 'admin', {}, 'brand new.'],
  ] as const)('%s by %s for %s', (...[kind, side, reader, detail, text]) => {
    expect(tell(kind, side, reader, detail)).toBe(text)
  })

  test('has words for every step, whatever the detail', () => {
    expect(timelineKinds).toEqual(expect.arrayContaining(orderStepNames))
    const odd = [{}, { reason: 7, amountCents: 'x', carrier: null, days: Number.NaN, until: 'soon' }]
    for (const kind of timelineKinds) {
      for (const reader of ['buyer', 'seller', 'admin'] as const) {
        for (const detail of odd) {
          const text = tell(kind, 'clock', reader, detail)
          expect(text).toMatch(/^[A-Z].*\.$/)
          expect(text).not.toMatch(/undefined|null|NaN|Invalid|escrow| {2}| \./i)
        }
      }
    }
  })

  test('puts a stranger’s words on one line', () => {
    expect(onOneLine(' a\r\n\u2028b\u202ec\u0000d\t ')).toBe('a b c d')
  })
})

test('a disputed order says who waits for whom, and a lost one that it is not a refund', () => {
  const disputed = { ...words, state: 'confirmed', capturedCents: 13_500, disputed: true } as const
  expect(orderSentence(disputed, 'seller')).toBe(
    'Ruth’s bank has questions about the payment. Do not ship or hand over the part. Nothing is paid out or refunded until it decides. We answer the bank.',
  )
  expect(orderSentence({ ...disputed, takenCents: 13_500, state: 'shipped' }, 'seller')).toMatch(
    /^Ruth’s bank disputes the payment and took back \$135\.00\. Nothing is paid out/,
  )
  expect(orderSentence({ ...disputed, held: true }, 'buyer')).toContain(
    'Your bank is checking this payment with us.',
  )
  const lost = { ...words, state: 'delivered', capturedCents: 13_500, takenCents: 13_500 } as const
  expect(orderSentence(lost, 'seller')).toBe(
    'Lost dispute: the bank gave $135.00 back to Ruth. You are not paid for it.',
  )
  expect(orderSentence(lost, 'buyer')).toMatch(/^Your bank decided for you: \$135\.00/)
})
