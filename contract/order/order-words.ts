import { disputeSentence } from '#contract/order/disputes/dispute-words.ts'
import { clockTime, timeZones } from '#contract/pages/yard-words.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import { beforeTax } from './money/sales-tax.ts'
import { type Delivery, isPaid, type OrderState, type SaleMode } from './order-steps.ts'
import { inNumber, missingNote, type SeveralParts } from './several-words.ts'

/* What orders say, to buyers, yards and administrators: on screens, in mails and in replies. */

/** The facts of an order that its sentence depends on. */
export type OrderWords = {
  state: OrderState
  mode: SaleMode
  delivery: Delivery
  held: boolean
  disputed: boolean
  /** By the buyer's bank, and not given back. */
  takenCents: number
  yard: string
  /** The first name. */
  buyer: string
  /** Null until the yard has named the shipping price. */
  totalCents: number | null
  /** Sales tax comes on top of it. */
  taxAdded?: boolean
  capturedCents: number
  refundedCents: number
  refundPendingCents: number
  refundFailed: boolean
  /** When the present state ends by itself. */
  deadline: { at: string; zone: string } | null
  shipsBy: string | null
  timeZone: string
  /** The buyer asked to cancel, and the yard has not answered. */
  cancelAsked: boolean
  /** The buyer was told that the part is late, and has not answered. */
  delayed: boolean
  /** Missing or null: the order is of one part. */
  several?: SeveralParts | null
  /** A return or claim is open; before delivery, that it never arrived, which stops the clock. */
  returning?: boolean
}

export type OrderReader = 'buyer' | 'seller'

/* Times */

const DAYS_NAMED_BY_WEEKDAY = 7

type LocalTime = {
  weekday: string
  month: string
  day: string
  year: string
  clock: string
  /** Days since 1970, to count days between two dates. */
  date: number
}

function localTime(at: Date, timeZone: string): LocalTime {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((found) => found.type === type)?.value ?? ''
  const [weekday, month, day, year] = [part('weekday'), part('month'), part('day'), part('year')]
  return {
    weekday,
    month,
    day,
    year,
    clock: `${part('hour')}:${part('minute')}`,
    date: Math.floor(Date.parse(`${day} ${month} ${year} UTC`) / 86_400_000),
  }
}

/** "Central"; for a time zone outside the list of yards, its short name, such as "GMT+9". */
function zoneInWords(zone: string, at: Date): string {
  const listed = new Map<string, string>(Object.entries(timeZones)).get(zone)
  if (listed !== undefined) return listed.replace(' time', '')
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

const dated = ({ weekday, month, day, year }: LocalTime, today: LocalTime) =>
  `${weekday}, ${month} ${day}${year === today.year ? '' : `, ${year}`}`

/** "Fri, Dec 4"; with the year if it is another one. */
export const dayInWords = (at: string, zone: string, now = new Date()): string =>
  dated(localTime(new Date(at), zone), localTime(now, zone))

/**
 * "Tue 3 PM Central" within a week, else "Fri, Dec 4, 3 PM Central". Midnight is said as the minute before: a day that
 * begins and one that ends with it are easily mixed up.
 */
export function deadlineInWords(at: string, zone: string, now = new Date()): string {
  let end = new Date(at)
  if (localTime(end, zone).clock === '00:00') end = new Date(end.getTime() - 60_000)
  const local = localTime(end, zone)
  const today = localTime(now, zone)
  const days = local.date - today.date
  const day = days >= 0 && days < DAYS_NAMED_BY_WEEKDAY ? `${local.weekday} ` : `${dated(local, today)}, `
  return `${day}${clockTime(local.clock)} ${zoneInWords(zone, end)}`
}

/* The sentence of a state */

type Said = {
  total: string
  captured: string
  /** Of that, what does not go back to the buyer. */
  left: string
  refunded: string
  /** " by Tue 3 PM Central", or nothing. */
  by: string
  /** "until Tue 3 PM Central", or "some time". */
  until: string
  /** " by Fri, Dec 4", or nothing. */
  shipsBy: string
  yard: string
  buyer: string
}

function saidOf(words: OrderWords, now: Date): Said {
  const { deadline, totalCents, shipsBy, timeZone } = words
  const end = deadline && deadlineInWords(deadline.at, deadline.zone, now)
  return {
    total: totalCents === null ? 'the total' : beforeTax(totalCents, words.taxAdded === true),
    captured: moneyInWords(words.capturedCents),
    left: moneyInWords(leftCents(words)),
    refunded: moneyInWords(words.refundedCents),
    by: end ? ` by ${end}` : '',
    until: end ? `until ${end}` : 'some time',
    shipsBy: shipsBy ? ` by ${dayInWords(shipsBy, timeZone, now)}` : '',
    yard: words.yard,
    buyer: words.buyer,
  }
}

/** What we hold: refunds that are on their way are not counted any more. */
const leftCents = ({ capturedCents, refundedCents, refundPendingCents }: OrderWords): number =>
  capturedCents - refundedCents - refundPendingCents

type Sentences = Record<OrderReader, (said: Said, words: OrderWords) => string>

const quoting: Sentences = {
  buyer: ({ yard, until, total, by }, { totalCents }) =>
    totalCents === null
      ? `${yard} has ${until} to name a shipping price. You pay nothing until you accept it.`
      : `${yard} named the shipping price: ${total} in all. Pay${by}. The part is not held for you until you do.`,
  seller: ({ buyer, until, total, by }, { totalCents }) =>
    totalCents === null
      ? `Name a shipping price for ${buyer}${by}, or the order expires.`
      : `${buyer} has ${until} to pay ${total}. The part stays on sale.`,
}

const confirmed: Sentences = {
  buyer: ({ yard, shipsBy, left, by }, { cancelAsked, delayed, delivery }) => {
    if (delayed)
      return `${yard} is late. Wait for the part or get all of your money back: please choose${by}. Without your answer, we refund you.`
    if (cancelAsked)
      return `You asked to cancel. ${yard} may agree and refund you, or send the part if it is already on its way.`
    return delivery === 'pickup'
      ? `The part is yours. ${yard} has it ready for pickup${shipsBy}. We hold your ${left} until you have it.`
      : `The part is yours. ${yard} ships it${shipsBy}. We hold your ${left} until it is delivered.`
  },
  seller: ({ buyer, shipsBy, captured, left, by }, { cancelAsked, delayed, delivery, mode }) => {
    if (delayed)
      return `You are late. ${buyer} can wait or get the money back, and we refund ${left}${by} without an answer. ${delivery === 'pickup' ? 'Get it ready' : 'Ship it'} now to keep the sale.`
    if (cancelAsked)
      return `${buyer} asked to cancel. Refund the order to agree, or ship it if the part is already packed.`
    const find = mode === 'instant' ? ' If you cannot find it, choose “Not found”.' : ''
    return delivery === 'pickup'
      ? `Paid: ${captured}. Get the part ready for pickup${shipsBy}.${find}`
      : `Paid: ${captured}. Ship the part${shipsBy}.${find}`
  },
}

const nothingTaken = 'If your bank shows a pending charge, it drops off within a few days.'

const canceled: Sentences = {
  buyer: (_said, { capturedCents }) =>
    capturedCents > 0
      ? 'This order was canceled. You get all of your money back.'
      : `This order was canceled, and you pay nothing. ${nothingTaken}`,
  seller: ({ buyer }, { capturedCents }) =>
    capturedCents > 0
      ? `This order was canceled. ${buyer} gets all of the money back.`
      : `This order was canceled. ${buyer} pays nothing.`,
}

const notFound: Sentences = {
  buyer: ({ yard }, { capturedCents }) =>
    capturedCents > 0
      ? `${yard} could not find the part. You get all of your money back.`
      : `${yard} could not find the part, so you pay nothing. ${nothingTaken}`,
  seller: ({ buyer }, { capturedCents }) =>
    capturedCents > 0
      ? `You could not find the part. ${buyer} gets all of the money back.`
      : `You could not find the part. ${buyer} pays nothing.`,
}

const expired: Sentences = {
  buyer: ({ yard }, { totalCents, capturedCents }) => {
    if (capturedCents > 0) return 'Your payment came after the time was over. You get all of it back.'
    return totalCents === null
      ? `${yard} named no shipping price in time. Nothing was charged.`
      : 'The time to pay is over. Nothing was charged.'
  },
  seller: ({ buyer }, { totalCents, capturedCents }) => {
    if (capturedCents > 0) return `${buyer} paid after the time was over, and gets all of it back.`
    return totalCents === null
      ? 'The time to name a shipping price is over. Nothing was charged.'
      : `${buyer} did not pay in time. Nothing was charged.`
  },
}

const sentences: Readonly<Record<OrderState, Sentences>> = {
  quoting,
  pending: {
    buyer: ({ total, until, by }) =>
      `The part is held for you ${until}. Pay ${total}${by}, or it goes back on sale.`,
    seller: ({ buyer, until }) =>
      `${buyer} is on the payment page. The part is held ${until}. You have nothing to do yet.`,
  },
  authorized: {
    buyer: ({ yard, until, total }) =>
      `${yard} has ${until} to find your part. If not, you pay nothing. Your bank may show ${total} as pending; we have not taken it.`,
    seller: ({ buyer, by }) =>
      `Find the part and confirm${by}. If you don't, the order is canceled and ${buyer} pays nothing.`,
  },
  capturing: {
    buyer: ({ yard, total }) =>
      `${yard} found your part. We are taking the payment of ${total}; this can take a few minutes.`,
    seller: ({ total }) =>
      `You confirmed. We are taking the payment of ${total}. Wait for it before you send the part.`,
  },
  confirmed,
  ready: {
    buyer: ({ yard, by }) =>
      `The part is ready. Pick it up at ${yard}${by} and show your pickup code. If you don't, we refund you.`,
    seller: ({ buyer, by }) =>
      `Ready for pickup. Ask ${buyer} for the 6-digit code and enter it. If nobody comes${by}, we refund ${buyer}.`,
  },
  shipped: {
    buyer: ({ by }, { returning }) =>
      returning
        ? 'You reported that the part has not arrived. We hold your money until that is settled.'
        : `The part is on its way. Tell us when it arrives. If we hear nothing${by}, it counts as delivered.`,
    seller: ({ buyer, by }, { returning }) =>
      returning
        ? `${buyer} reports that the part has not arrived. We hold the money until that is settled.`
        : `Shipped. If ${buyer} reports no problem${by}, it counts as delivered. We hold the money until then.`,
  },
  delivered: {
    buyer: (_said, { returning }) =>
      returning
        ? 'Delivered. A return or claim is open.'
        : 'Delivered. If something is wrong with the part, report it on the order’s page.',
    seller: ({ buyer }, { returning }) =>
      `Delivered to ${buyer}. ${returning ? 'A return or claim is open.' : 'You have nothing to do.'}`,
  },
  closed: {
    buyer: () => 'This order is complete. Thank you for buying here.',
    seller: () => 'This order is complete.',
  },
  expired,
  canceled,
  'not-found': notFound,
  refunded: {
    buyer: ({ refunded }) => `All of your money went back to you: ${refunded}. ${bankDays}`,
    seller: ({ buyer, refunded }) => `Refunded in full: ${refunded} went back to ${buyer}.`,
  },
}

const bankDays = 'Your bank may need 5 to 10 days to show it.'

const ends: readonly OrderState[] = ['closed', 'expired', 'canceled', 'not-found', 'refunded']

const onHold: Record<OrderReader, string> = {
  buyer: 'We are checking this order. Nothing moves until we are done, and you have nothing to do.',
  seller: 'On hold: we are checking this order. Do not ship or hand over the part until we release it.',
}

/** Refunds that the state itself does not report. */
function refundNotes(words: OrderWords, reader: OrderReader): string[] {
  const { state, refundedCents, refundPendingCents, refundFailed } = words
  const back = moneyInWords(refundedCents)
  const pending = moneyInWords(refundPendingCents)
  const toReader = reader === 'buyer' ? 'you' : words.buyer
  return [
    refundedCents > 0 && state !== 'refunded' && `${back} went back to ${toReader}.`,
    refundPendingCents > 0 &&
      (reader === 'buyer'
        ? `${pending} is on its way back to you. ${bankDays}`
        : `${pending} is on its way back to ${toReader}.`),
    refundFailed &&
      (reader === 'buyer'
        ? 'A refund did not go through. We are working on it and will write to you.'
        : `A refund to ${toReader} did not go through. We are working on it; you have nothing to do.`),
  ].filter((note) => note !== false)
}

const allBack: Record<OrderReader, (words: OrderWords) => string> = {
  buyer: () => 'You get all of your money back.',
  seller: ({ buyer }) => `${buyer} gets all of the money back. Do not ship or hand over the part.`,
}

/** What happens next, of an order that nothing stops. */
function goingOn(words: OrderWords, reader: OrderReader, said: Said): string {
  const { state, capturedCents, refundedCents, refundPendingCents } = words
  const isAllBack = capturedCents > 0 && refundedCents + refundPendingCents >= capturedCents
  const isUnderway = isPaid(state) && state !== 'delivered' && state !== 'closed'
  return isAllBack && isUnderway ? allBack[reader](words) : sentences[state][reader](said, words)
}

/** The state read aloud: what happens next, until when, and what it costs if it does not. */
export function orderSentence(words: OrderWords, reader: OrderReader, now = new Date()): string {
  const stopped = words.held && !ends.includes(words.state)
  const going = inNumber(words, (of) => (stopped ? onHold[reader] : goingOn(of, reader, saidOf(of, now))))
  const main = disputeSentence(words, reader) ?? going
  const money =
    stopped && reader === 'buyer' && leftCents(words) > 0
      ? `We hold your ${moneyInWords(leftCents(words))}.`
      : ''
  const notes = [missingNote(words, reader), ...refundNotes(words, reader)]
  return [main, money, ...notes].filter(Boolean).join(' ')
}

/** A stranger's words on one line, so that they cannot pass for an entry of ours. */
export const onOneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\s]+/gu, ' ').trim()
