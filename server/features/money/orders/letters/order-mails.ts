import { beforeTax } from '#contract/order/money/sales-tax.ts'
import type { LineKind } from '#contract/order/order-quote.ts'
import { isPaid } from '#contract/order/order-steps.ts'
import {
  dayInWords,
  deadlineInWords,
  type OrderWords,
  onOneLine,
  orderSentence,
} from '#contract/order/order-words.ts'
import { inNumber } from '#contract/order/several-words.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type { NewMail } from '#server/features/talk/mail/mail.ts'
import { type MailSite, paragraphs, quote } from '#server/features/talk/mail/mail-text.ts'
import { fitOf, labeled, lines, type MailedPart, partLines, placesOf, vinOfBuyer } from './mailed-parts.ts'

/* Emails about orders, to the buyer and to the yard's people. Which kind goes to whom, and when: docs/mails.md. */

/** What an email shows of an order. */
export type MailedOrder = OrderWords & {
  number: string
  /** Of the part; of several, of the first and how many more. */
  title: string
  lines: readonly { kind: LineKind; cents: number }[]
  buyerName: string
  buyerEmail: string
  buyerPhone: string | null
  /** With the name, a line each; none for pickup. */
  address: readonly string[]
  /** "Tulsa, OK 74101" */
  town: string | null
  /** Of the buyer's vehicle. */
  vin: string | null
  /** The yard confirmed that the part fits it. */
  vinConfirmed: boolean
  yardPhone: string | null
  pickup: { address: string; hours: readonly string[] } | null
  pickupCode: string | null
  shipment: { carrierName: string; tracking: string; url: string | null } | null
  /** The other side's words for what happened; '' if there are none. */
  reason: string
  /** Of the refund that the mail is about. */
  refundCents: number
  terms: readonly string[]
  restricted: string | null
  parts: readonly MailedPart[]
  /** When the mail is written; deadlines within a week are said by weekday. */
  now?: Date
}

export const orderMailKinds = [
  'placed',
  'quoted',
  'quote-asked',
  'authorized',
  'confirmed',
  'not-found',
  'canceled',
  'missed',
  'dropped',
  'expired',
  'late-money',
  'late-refund',
  'lost',
  'shipped',
  'ready',
  'pickup-reminder',
  'arrived',
  'delivered',
  'delay',
  'cancel-asked',
  'refund-asked',
  'refunded',
  'refund-failed',
  'held',
  'released',
  'unpaid',
] as const
export type OrderMailKind = (typeof orderMailKinds)[number]

/** To the yard only while "Email me about new orders" is on; all others have a deadline, are about money, or stop work. */
const news: ReadonlySet<OrderMailKind> = new Set(['expired', 'delivered'])
export const isNews = (kind: OrderMailKind): boolean => news.has(kind)

/* Words for subjects */

const LONGEST_SUBJECT = 120
export const LONGEST_NAME = 40

export const shortened = (text: string, longest: number): string => {
  const line = onOneLine(text)
  const characters = [...line]
  return characters.length <= longest
    ? line
    : `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
}

/** What to do, then the part: a phone shows the first 40 characters. Counted as UTF-16, so that no server cuts it. */
function subjectOf(lead: string, title: string): string {
  const rest = LONGEST_SUBJECT - lead.length - 2
  let shown = shortened(title, Math.max(20, rest))
  while (shown.length > rest && shown.length > 1) shown = `${[...shown].slice(0, -2).join('')}…`
  return `${lead}: ${shown}`
}

/** " by Tue 3 PM Central", or nothing. */
const by = ({ deadline, now }: MailedOrder) =>
  deadline === null ? '' : ` by ${deadlineInWords(deadline.at, deadline.zone, now)}`
const shipsBy = ({ shipsBy: at, timeZone, now }: MailedOrder) =>
  at === null ? '' : ` by ${dayInWords(at, timeZone, now)}`
const yardOf = ({ yard }: MailedOrder) => shortened(yard, LONGEST_NAME)
const buyerOf = ({ buyer }: MailedOrder) => shortened(buyer, LONGEST_NAME)
const total = ({ totalCents, taxAdded = false }: MailedOrder) =>
  totalCents === null ? '' : ` ${beforeTax(totalCents, taxAdded)}`
const refund = ({ refundCents }: MailedOrder) => moneyInWords(refundCents)
const wasPaid = ({ capturedCents }: MailedOrder) => capturedCents > 0
const isPickup = ({ delivery }: MailedOrder) => delivery === 'pickup'
const awaitsQuote = ({ totalCents }: MailedOrder) => totalCents === null

export type Letter = {
  /** What happened and what to do; the part's title follows. */
  lead: (order: MailedOrder) => string
  /** Otherwise it leads to the order. */
  button?: string
  /** What the state's sentence does not say. */
  opening?: (order: MailedOrder) => string
  /** Says who gave a reason, if there is one. */
  reason?: (order: MailedOrder) => string
  /** Says more than the state's sentence, which is left out. */
  alone?: true
  /** Paragraphs after the link. */
  more?: (order: MailedOrder) => readonly string[]
}

const terms = ({ terms: list, restricted }: MailedOrder) => [
  list.length > 0 ? `Terms:\n${list.map((term) => `- ${onOneLine(term)}`).join('\n')}` : '',
  restricted === null ? '' : onOneLine(restricted),
]

const trackingOf = ({ shipment }: MailedOrder) =>
  shipment
    ? [
        `Carrier: ${onOneLine(shipment.carrierName)}`,
        shipment.tracking && `Tracking number: ${onOneLine(shipment.tracking)}`,
        shipment.url && `Track it: ${shipment.url}`,
      ]
        .filter(Boolean)
        .join('\n')
    : ''

/** In threes, as it is said at a counter: "123 456". */
const codeOf = ({ pickupCode }: MailedOrder) =>
  pickupCode === null ? '' : `Your pickup code: ${pickupCode.replace(/^(\d{3})(\d{3})$/, '$1 $2')}`

const counterOf = (order: MailedOrder) => [
  codeOf(order),
  order.pickup
    ? [
        onOneLine(order.yard),
        onOneLine(order.pickup.address),
        ...order.pickup.hours.map(onOneLine),
        order.yardPhone && `Phone: ${onOneLine(order.yardPhone)}`,
      ]
        .filter(Boolean)
        .join('\n')
    : '',
]

const yardPhone = ({ yardPhone: phone, yard }: MailedOrder) =>
  phone === null ? '' : `Questions? Call ${onOneLine(yard)} at ${onOneLine(phone)}.`

const yardWrote = ({ yard }: MailedOrder) => `${onOneLine(yard)} wrote:`

const lettersToBuyer: Readonly<Partial<Record<OrderMailKind, Letter>>> = {
  placed: {
    lead: (order) =>
      awaitsQuote(order)
        ? `${yardOf(order)} names a shipping price${by(order)}`
        : `Pay${total(order)}${by(order)} to buy from ${yardOf(order)}`,
  },
  quoted: {
    lead: (order) => `Pay${total(order)}${by(order)} to buy from ${yardOf(order)}`,
    button: 'See the price and pay',
  },
  unpaid: {
    lead: (order) => `Payment declined by your bank, try again${by(order)} to buy from ${yardOf(order)}`,
    button: 'Try again',
    opening: () =>
      'Your bank declined the payment, so nothing was charged. You can try again or use another card.',
  },
  authorized: {
    lead: (order) => `${yardOf(order)} will find your part${by(order)} or you pay nothing`,
    more: (order) => [vinOfBuyer(order), ...terms(order)],
  },
  confirmed: {
    lead: (order) =>
      isPickup(order)
        ? `Confirmed, ready at ${yardOf(order)}${shipsBy(order)}`
        : `Confirmed, ${yardOf(order)} ships it${shipsBy(order)}`,
    more: (order) => [yardPhone(order), fitOf(order), ...terms(order)],
  },
  'not-found': {
    lead: (order) =>
      `${yardOf(order)} could not find your part, ${wasPaid(order) ? 'your money comes back' : 'you pay nothing'}`,
    reason: yardWrote,
  },
  canceled: {
    lead: (order) =>
      wasPaid(order)
        ? `Canceled, your money comes back from ${yardOf(order)}`
        : `Canceled, you pay ${yardOf(order)} nothing`,
  },
  missed: {
    lead: (order) => `${yardOf(order)} did not confirm in time, you pay nothing`,
    opening: ({ yard }) => `${onOneLine(yard)} did not confirm in time that the part is there.`,
  },
  dropped: {
    lead: (order) => `We canceled your order from ${yardOf(order)}, you pay nothing`,
    opening: () => 'We had to cancel your order, because the part or its seller is no longer available here.',
  },
  expired: {
    lead: (order) =>
      awaitsQuote(order)
        ? `${yardOf(order)} named no shipping price, you pay nothing`
        : `Not paid in time, ${yardOf(order)} charged nothing`,
  },
  'late-money': {
    lead: (order) => `Your payment came late, ${yardOf(order)} still has your part`,
    opening: () =>
      'Your payment came after the time was over. The part was still there, so your order goes on.',
  },
  'late-refund': {
    lead: (order) =>
      wasPaid(order)
        ? `Paid too late, your money comes back from ${yardOf(order)}`
        : `Paid too late, you pay ${yardOf(order)} nothing`,
    opening: (order) =>
      `Your payment came after the time was over, and the part is no longer available. ${
        wasPaid(order)
          ? 'You get all of your money back; you have nothing to do.'
          : 'We take nothing. If your bank shows a pending charge, it drops off within a few days.'
      }`,
    alone: true,
  },
  lost: {
    lead: (order) => `Payment failed, your order from ${yardOf(order)} is canceled`,
    opening: () => 'The part is there, but your bank refused the payment.',
  },
  shipped: {
    lead: (order) => `${yardOf(order)} shipped your part${order.shipment?.tracking ? ', track it' : ''}`,
    more: (order) => [trackingOf(order), yardPhone(order)],
  },
  ready: {
    lead: (order) => `Pick up your part at ${yardOf(order)}${by(order)}`,
    more: counterOf,
  },
  'pickup-reminder': {
    lead: (order) => `Reminder, pick up your part at ${yardOf(order)}${by(order)}`,
    more: counterOf,
  },
  arrived: {
    lead: (order) => `Did it arrive from ${yardOf(order)}? Please tell us`,
    button: 'Say whether it arrived',
    opening: () =>
      'Did the part arrive? One click is enough. If not, choose “Not yet”, and we hold the money until that is settled.',
    more: (order) => [trackingOf(order), yardPhone(order)],
  },
  delivered: {
    lead: (order) => `Delivered by ${yardOf(order)}, check your part`,
    more: (order) => [yardPhone(order), ...terms(order)],
  },
  delay: {
    lead: (order) => `${yardOf(order)} is late, choose to wait or get your money back${by(order)}`,
    button: 'Wait or get your money back',
    reason: yardWrote,
  },
  'refund-asked': {
    lead: (order) => `${refund(order)} is on its way back to you from ${yardOf(order)}`,
    opening: (order) => `You get ${refund(order)} back. You have nothing to do.`,
    reason: () => 'The reason:',
  },
  refunded: {
    lead: (order) => `${refund(order)} went back to you from ${yardOf(order)}`,
  },
  'refund-failed': {
    lead: (order) => `Your refund from ${yardOf(order)} did not go through, we are working on it`,
  },
  held: {
    lead: (order) => `We are checking your order from ${yardOf(order)}, nothing to do`,
  },
  released: {
    lead: (order) => `Your order from ${yardOf(order)} goes on`,
    opening: () => 'We are done checking your order.',
  },
}

const lettersToSeller: Readonly<Partial<Record<OrderMailKind, Letter>>> = {
  'quote-asked': {
    lead: (order) => `name a shipping price${by(order)}`,
    button: 'Name a shipping price',
  },
  authorized: {
    lead: (order) => `find and confirm${by(order)}`,
    button: 'Confirm or not found',
  },
  confirmed: {
    lead: (order) =>
      isPickup(order) ? `sold, get it ready for pickup${shipsBy(order)}` : `sold, ship it${shipsBy(order)}`,
    button: 'See the order and print the slip',
  },
  canceled: {
    lead: (order) => `canceled by ${buyerOf(order)}, stop looking`,
    reason: (order) => `${onOneLine(order.buyer)} wrote:`,
  },
  missed: {
    lead: () => 'not confirmed in time, the sale is lost',
    opening: () => 'You did not confirm in time that the part is there.',
  },
  dropped: {
    lead: () => 'canceled by us, do not ship',
    opening: () =>
      'We had to cancel this order, because the part or your account is no longer available here.',
  },
  expired: {
    lead: (order) =>
      awaitsQuote(order) ? 'no shipping price named in time' : `${buyerOf(order)} did not pay in time`,
  },
  lost: {
    lead: () => 'payment failed, do not ship',
    opening: () => 'The bank refused the payment. Keep the part: it is on sale again.',
  },
  delivered: {
    lead: (order) => `delivered to ${buyerOf(order)}`,
  },
  delay: {
    lead: (order) => `late, ${isPickup(order) ? 'get it ready' : 'ship it'} now to keep the sale`,
  },
  'cancel-asked': {
    lead: (order) => `${buyerOf(order)} asks to cancel, refund or ${isPickup(order) ? 'hand over' : 'ship'}`,
    reason: (order) => `${onOneLine(order.buyer)} wrote:`,
  },
  'refund-asked': {
    lead: (order) => `${refund(order)} goes back to ${buyerOf(order)}`,
    opening: (order) => `${refund(order)} of this order goes back to ${onOneLine(order.buyer)}.`,
    reason: () => 'The reason:',
  },
  refunded: {
    lead: (order) =>
      order.state === 'refunded'
        ? 'refunded in full, sell the part again or scrap it'
        : `${refund(order)} went back to ${buyerOf(order)}`,
  },
  'refund-failed': {
    lead: (order) => `a refund of ${refund(order)} did not go through, we are working on it`,
  },
  held: {
    lead: () => 'on hold, do not ship',
  },
  released: {
    lead: (order) => (isPaid(order.state) ? 'hold ended, go on with the order' : 'hold ended'),
    opening: () => 'We are done checking this order. It goes on where it stopped.',
  },
}

/* What all of them have in common */

const lineLabels: Readonly<Record<LineKind, string>> = {
  part: 'Part',
  shipping: 'Shipping',
  core: 'Core charge',
  tax: 'Sales tax',
}

function amounts({ lines, totalCents, taxAdded = false }: MailedOrder): string[] {
  const shown = lines
    .filter(({ kind, cents }) => kind === 'part' || cents > 0)
    .map(({ kind, cents }) => `${lineLabels[kind]}: ${moneyInWords(cents)}`)
  return totalCents === null ? shown : [...shown, `Total: ${beforeTax(totalCents, taxAdded)}`]
}

function sayings(letter: Letter, order: MailedOrder, reader: 'buyer' | 'seller'): string[] {
  return [
    inNumber(order, (of) => letter.opening?.(of) ?? ''),
    letter.reason && order.reason.trim() ? `${letter.reason(order)}\n${quote(order.reason)}` : '',
    letter.alone ? '' : onOneLine(orderSentence(order, reader, order.now)),
  ]
}

/** With names as short as a subject has room for. */
const leadOf = (letter: Letter, order: MailedOrder): string =>
  inNumber({ ...order, yard: yardOf(order), buyer: buyerOf(order) }, letter.lead)

/** Until the bank has approved a payment, the address may be a stranger's, and the name an advertisement. */
const greets = (kind: OrderMailKind) => kind !== 'placed' && kind !== 'quoted' && kind !== 'unpaid'

/** To the buyer, whose `link` opens the order without an account. */
export function mailToBuyer(
  kind: OrderMailKind,
  order: MailedOrder,
  link: string,
  site: MailSite,
): NewMail | undefined {
  const letter = lettersToBuyer[kind]
  return letter && letterToBuyer(letter, order, { link, greets: greets(kind) }, site)
}

export function letterToBuyer(
  letter: Letter,
  order: MailedOrder,
  { link, greets: isGreeted = true }: { link: string; greets?: boolean },
  site: MailSite,
): NewMail {
  return {
    to: order.buyerEmail,
    subject: subjectOf(leadOf(letter, order), order.title),
    button: letter.button ?? 'See your order',
    body: paragraphs([
      isGreeted ? `Hello ${onOneLine(order.buyer)},` : 'Hello,',
      ...sayings(letter, order, 'buyer'),
      link,
      ...(letter.more?.(order) ?? []),
      lines([
        `Order ${order.number}`,
        ...partLines(order.parts),
        `Sold by ${onOneLine(order.yard)}`,
        ...amounts(order),
      ]),
      `You get this email because somebody ordered with this address on ${site.productName}. If it wasn't you, open the order and choose “This wasn't me”.`,
    ]),
  }
}

function buyerForSeller(order: MailedOrder): string {
  if (!isPaid(order.state))
    return lines([
      labeled('Buyer', [order.buyer, order.town].filter(Boolean).join(', ')),
      labeled('VIN of the vehicle it is for', order.vin),
    ])
  return lines([
    labeled('Buyer', order.buyerName),
    labeled('Email', order.buyerEmail),
    labeled('Phone', order.buyerPhone),
    labeled('VIN of the vehicle it is for', order.vin),
    order.address.length > 0 && `Ship to:\n${order.address.map(onOneLine).join('\n')}`,
  ])
}

/**
 * To a member of the yard. Before the order is confirmed it has the buyer's first name, town and VIN: whoever cannot find
 * the part needs no street.
 */
export function mailToSeller(
  kind: OrderMailKind,
  order: MailedOrder,
  receiver: { to: string; link: string },
  site: MailSite,
): NewMail | undefined {
  const letter = lettersToSeller[kind]
  return letter && letterToSeller(letter, order, { ...receiver, isNews: isNews(kind) }, site)
}

export function letterToSeller(
  letter: Letter,
  order: MailedOrder,
  receiver: { to: string; link: string; isNews?: boolean },
  site: MailSite,
): NewMail {
  const isOnly = order.parts.length === 1
  return {
    to: receiver.to,
    ...(isPaid(order.state) && { replyTo: order.buyerEmail }),
    subject: subjectOf(`${yardOf(order)}: ${leadOf(letter, order)}`, order.title),
    button: letter.button ?? 'See the order',
    body: paragraphs([
      ...sayings(letter, order, 'seller'),
      receiver.link,
      ...(letter.more?.(order) ?? []),
      lines([
        `Order ${order.number}`,
        ...partLines(order.parts),
        isOnly && placesOf(order.parts),
        ...amounts(order),
      ]),
      isOnly ? '' : placesOf(order.parts),
      buyerForSeller(order),
      order.restricted === null ? '' : onOneLine(order.restricted),
      receiver.isNews
        ? `${site.productName} sends this email while “Email me about new orders” is on in your settings:\n${site.publicUrl}/dashboard/seller/account-settings`
        : `${site.productName} always sends emails that have a deadline, are about money or stop an order.`,
    ]),
  }
}
