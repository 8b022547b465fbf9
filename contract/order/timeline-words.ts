import { type DisputeKind, disputeTimeline } from '#contract/order/disputes/dispute-words.ts'
import { releaseTimeline } from '#contract/order/money/release-words.ts'
import { returnText } from '#contract/order/returns/return-words.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import {
  ARRIVED_DAYS,
  carriers,
  LEFT_PAYMENT,
  type OrderSide,
  type OrderStep,
  PICKUP_DAYS,
} from './order-steps.ts'
import { dayInWords, type OrderReader, type OrderWords, onOneLine } from './order-words.ts'
import { inNumber, severalText } from './several-words.ts'

/* What happened to an order, a line each, as its buyer, the yard or an administrator reads it. */

export type TimelineReader = OrderReader | 'admin'

const otherKinds = [
  'placed',
  'declined',
  'held',
  'released',
  'refund-asked',
  'refunded',
  'refund-failed',
  'mail-bounced',
  'late-money',
  'reminded',
  'asked-arrived',
  'delay-told',
  'wrong-code',
  'new-code',
  'restocked',
  'scrapped',
  'lapsed',
  'review-opened',
  'fraud-warning',
  'disowned',
  'links-ended',
] as const
/** Everything of which a timeline has words: the steps, and what else happens to an order. */
export type TimelineKind = OrderStep | DisputeKind | (typeof otherKinds)[number]

type Told = {
  reader: TimelineReader
  /** Who did it, at the start of a sentence: "You", "Ruth", "Green Country", "We". */
  who: string
  /** "You" or the first name. */
  Buyer: string
  /** "you" or the first name. */
  buyer: string
  /** "You" or the yard. */
  Yard: string
  /** "Your" or "The". */
  YourBuyer: string
  /** " $20", or nothing. */
  amount: string
  /** ": too damaged", or nothing. */
  reason: string
  carrier: string
  tracking: string
  days: number | undefined
  /** A day, or nothing. */
  until: string
}

const timeline: Readonly<Record<TimelineKind, (told: Told) => string>> = {
  ...disputeTimeline,
  placed: ({ Buyer }) => `${Buyer} placed the order.`,
  quote: ({ Yard, amount, days }) =>
    `${Yard} named the shipping price${amount && `:${amount}`}${days === undefined ? '' : `, ships within ${inDays(days)}`}.`,
  pay: ({ Buyer }) => `${Buyer} opened the payment page.`,
  declined: ({ YourBuyer }) => `${YourBuyer} bank declined the payment.`,
  authorize: ({ YourBuyer, amount, reader }) =>
    `${YourBuyer} bank approved${amount || ' the payment'}. Nothing is taken until ${reader === 'seller' ? 'you confirm' : 'the yard confirms'}.`,
  take: ({ Buyer, amount }) => `${Buyer} paid${amount}.`,
  confirm: ({ Yard }) => `${Yard} found the part and confirmed the order.`,
  capture: ({ YourBuyer, amount }) => `${YourBuyer} payment${amount && ` of${amount}`} was taken.`,
  lose: ({ YourBuyer }) => `${YourBuyer} payment could not be taken, so the order was canceled.`,
  'not-found': ({ Yard, reason }) => `${Yard} could not find the part${reason}.`,
  cancel: ({ Buyer, reason }) =>
    reason.includes(LEFT_PAYMENT)
      ? `${Buyer} left the payment page, so the order was canceled.`
      : `${Buyer} canceled the order${reason}.`,
  'ask-cancel': ({ Buyer, reason }) => `${Buyer} asked to cancel${reason}.`,
  drop: ({ who, reason, reader }) => `${who} canceled the order${reader === 'admin' ? reason : ''}.`,
  expire: () => 'The time was over. Nothing was charged.',
  miss: ({ Yard }) => `${Yard} did not confirm in time, so the order was canceled.`,
  delay: ({ Buyer, until }) => `${Buyer} agreed to wait${until && ` until ${until}`}.`,
  ship: ({ Yard, carrier, tracking }) =>
    `${Yard} shipped the part${carrier && ` with ${carrier}`}${tracking && `, tracking number ${tracking}`}.`,
  ready: ({ Yard }) => `${Yard} got the part ready for pickup.`,
  'hand-over': ({ Yard }) => `${Yard} handed over the part.`,
  received: ({ Buyer }) => `${Buyer} received the part.`,
  arrive: ({ days = ARRIVED_DAYS }) =>
    `Counts as delivered: no problem was reported within ${inDays(days)} of shipping.`,
  'charge-back': () => 'The bank took the payment back, so the order was canceled.',
  refund: ({ YourBuyer }) =>
    YourBuyer === 'Your' ? 'All of your money went back to you.' : 'All of the money went back to the buyer.',
  close: () => 'The order is complete.',
  held: ({ who, reason, reader }) => `${who} put the order on hold${reader === 'admin' ? reason : ''}.`,
  released: ({ who }) => `${who} ended the hold.`,
  'refund-asked': ({ who, amount, reason }) => `${who} refunded${amount || ' the payment'}${reason}.`,
  refunded: ({ amount, buyer }) => `${amount.trim() || 'The refund'} went back to ${buyer}.`,
  'refund-failed': ({ amount }) =>
    `A refund${amount && ` of${amount}`} did not go through. We are working on it.`,
  'mail-bounced': ({ reader, buyer }) =>
    reader === 'seller'
      ? `An email to ${buyer} could not be delivered. Call if it is urgent.`
      : 'An email about this order could not be delivered.',
  'late-money': ({ YourBuyer, amount }) =>
    `${YourBuyer} payment${amount && ` of${amount}`} came after the time was over.`,
  reminded: ({ buyer }) => `We reminded ${buyer} to pick up the part.`,
  'asked-arrived': ({ buyer }) => `We asked ${buyer} whether the part arrived.`,
  'delay-told': ({ buyer }) => `We told ${buyer} that the part is late: wait for it, or get the money back.`,
  'wrong-code': () => 'A wrong pickup code was entered.',
  'new-code': ({ Buyer }) => `${Buyer} got a new pickup code.`,
  restocked: ({ Yard }) => `${Yard} put the part back on sale.`,
  scrapped: ({ Yard }) => `${Yard} scrapped the part.`,
  lapsed: () => `The part was not picked up within ${inDays(PICKUP_DAYS)}.`,
  'review-opened': () => 'The payment is under review.',
  disowned: ({ reader }) =>
    reader === 'buyer'
      ? 'You said that this order is not yours.'
      : 'The owner of the email address said that this order is not theirs.',
  'links-ended': ({ who }) => `${who} ended all links to the order.`,
  'fraud-warning': ({ reader }) =>
    reader === 'buyer' ? 'We are checking the payment.' : 'The bank reported that this payment may be fraud.',
}

const carrierOf = (value: unknown): string =>
  new Map<string, string>(Object.entries(carriers)).get(textOf(value)) ?? textOf(value)

const inDays = (days: number) => (days === 1 ? '1 day' : `${days} days`)

export const timelineKinds = Object.keys(timeline) as TimelineKind[]

const textOf = (value: unknown): string => (typeof value === 'string' ? onOneLine(value) : '')
const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

type Names = Pick<OrderWords, 'yard' | 'buyer' | 'several'> & {
  /** For days; Central if not given. */
  timeZone?: string
}

function whoOf(side: OrderSide, reader: TimelineReader, { yard, buyer }: Names): string {
  if (side === reader && reader !== 'admin') return 'You'
  if (side === 'buyer') return buyer
  if (side === 'seller') return yard
  return side === 'admin' && reader === 'admin' ? 'An administrator' : 'We'
}

/** An entry of an order's timeline in words. Reasons of administrators are for administrators. */
export function timelineText(
  entry: { kind: string; side: OrderSide; detail: Readonly<Record<string, unknown>> },
  words: Names,
  reader: TimelineReader,
): string {
  const { kind, side, detail } = entry
  const isBuyer = reader === 'buyer'
  const Yard = reader === 'seller' ? 'You' : words.yard
  const given = textOf(detail.reason).replace(/[.!?]+$/, '')
  const reason = given && (side !== 'admin' || reader === 'admin') ? `: ${given}` : ''
  const ofSeveral = severalText(entry, { Yard, reason })
  if (ofSeveral !== undefined) return ofSeveral
  const amountCents = numberOf(detail.amountCents)
  const amount = amountCents === undefined ? '' : ` ${moneyInWords(amountCents)}`
  const ofMoney = Object.hasOwn(releaseTimeline, kind) && releaseTimeline[kind]
  if (ofMoney) {
    const yours = reader === 'seller' ? 'your' : 'the yard’s'
    return ofMoney({ amount, reason, yours, Yard })
  }
  const until = textOf(detail.until)
  return inNumber({ ...words, reason }, (named) => {
    const told = {
      reader,
      who: whoOf(side, reader, named),
      Buyer: isBuyer ? 'You' : named.buyer,
      buyer: isBuyer ? 'you' : named.buyer,
      Yard: reader === 'seller' ? 'You' : named.yard,
      YourBuyer: isBuyer ? 'Your' : 'The',
      amount,
      reason: named.reason,
      carrier: carrierOf(detail.carrier),
      tracking: textOf(detail.tracking),
      days: numberOf(detail.days),
      until: Number.isNaN(Date.parse(until)) ? '' : dayInWords(until, words.timeZone ?? 'America/Chicago'),
    }
    if (Object.hasOwn(timeline, kind)) return timeline[kind as TimelineKind](told)
    return returnText(kind, { ...told, detail }) ?? `${textOf(kind).replaceAll('-', ' ')}.`
  })
}
