import { z } from 'zod'
import { count } from '#contract/endpoint.ts'
import { orderDispute, yardDispute } from '#contract/order/disputes/dispute-views.ts'
import { orderPayout } from '#contract/order/money/release-views.ts'
import { orderReturn, returnChoice } from '#contract/order/returns/return-views.ts'
import { isOneLine, notOneLine } from '#contract/text/one-line.ts'
import { requiredLine } from '#contract/text/text-fields.ts'
import { isState, stateCode } from '#contract/text/us-states.ts'
import { delivery, money, orderAmount, time } from './order-quote.ts'
import {
  adminActions,
  buyerActions,
  type Carrier,
  carriers,
  ifMissingChoices,
  orderStates,
  sellerActions,
} from './order-steps.ts'

/* An order, as its buyer, the yard and administrators see it. Amounts are dollars. */

export const zip = z
  .string('Enter a ZIP code')
  .trim()
  .regex(/^\d{5}(-\d{4})?$/, 'A ZIP code has 5 digits, such as 74101')
  .transform((text) => text.slice(0, 5))

export const amount = (label: string) =>
  z
    .number(`${label} must be an amount in dollars`)
    .min(0, `${label} cannot be negative`)
    .max(1_000_000, `${label} is too large`)
    .refine(
      (value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6,
      `${label} has at most 2 decimals`,
    )

export const line = (label: string, longest: number) =>
  z
    .string(`${label} must be text`)
    .trim()
    .max(longest, `${label} can have at most ${longest} characters`)
    .refine((text) => text === '' || isOneLine(text), notOneLine(label))

export const shipTo = z.object({
  line1: requiredLine('Street address', 120),
  line2: line('Apartment or suite', 120).default(''),
  city: requiredLine('City', 80),
  state: z
    .string('State is required')
    .trim()
    .min(1, 'State is required')
    .overwrite(stateCode)
    .refine(isState, 'Enter a US state, such as OK or Oklahoma'),
  zip,
})

export const placed = z.object({
  id: z.uuid(),
  /** For people: "PH-100234". */
  number: z.string(),
  state: z.enum(orderStates),
  lines: z.array(orderAmount),
  /** Null until the yard has named the shipping price. */
  total: money.nullable(),
  /** Sales tax comes on top, on the payment page; once paid it is one of the lines. */
  taxAdded: z.boolean(),
  /** When an unpaid order, or a shipping price, expires; otherwise null. */
  expiresAt: time.nullable(),
})

/** A part of an order as it was bought; later edits of the listing change nothing here. */
const boughtPart = z.object({
  /** Of this line of the order. */
  id: z.uuid(),
  listingId: z.uuid(),
  /** Null once the part has no public page. */
  slug: z.string().nullable(),
  title: z.string(),
  imageUrl: z.string().nullable(),
  categoryGroup: z.string().nullable(),
  quantity: count,
  price: money,
  core: money,
  state: z.enum(['wanted', 'found', 'not-found', 'returned']),
  grade: z.string().nullable(),
  partNumber: z.string().nullable(),
  stockNumber: z.string().nullable(),
  /** Of the vehicle it came from. */
  donorVin: z.string().nullable(),
  miles: count.nullable(),
  terms: z.array(z.string()),
  restricted: z.string().nullable(),
  /** What the listing said about fitting, at the time. */
  fits: z.string().nullable(),
})
export type BoughtPart = z.infer<typeof boughtPart>

const timelineEntry = z.object({
  at: time,
  /** A step of the table, or what else happened: `placed`, `held`, `refunded`, `mail-bounced`. */
  kind: z.string(),
  by: z.enum(['buyer', 'seller', 'admin', 'provider', 'clock']),
  /** In words for this reader. */
  text: z.string(),
})
export type TimelineEntry = z.infer<typeof timelineEntry>

const refundStates = ['requested', 'pending', 'succeeded', 'failed'] as const
const refund = z.object({
  id: z.uuid(),
  at: time,
  amount: money,
  /** Those for one of several parts name its id. */
  lines: z.array(orderAmount.extend({ line: z.uuid().optional() })),
  state: z.enum(refundStates),
  reason: z.string(),
})
export type OrderRefund = z.infer<typeof refund>

const reviewStates = ['waiting', 'published', 'hidden'] as const
export const orderReview = z.object({
  stars: count,
  text: z.string(),
  writtenAt: time,
  /** Until it is published, the buyer can change it. */
  state: z.enum(reviewStates),
  publishAt: time,
  /** Why an administrator hid it. */
  hiddenNote: z.string().nullable(),
  /** The buyer sees it with the published review. */
  answer: z.string().nullable(),
  answeredAt: time.nullable(),
})
export type OrderReview = z.infer<typeof orderReview>

const orderFacts = placed.extend({
  mode: z.enum(['confirm', 'instant']),
  delivery,
  held: z.boolean(),
  /** The buyer's bank has not decided yet: nothing is paid out or refunded. */
  disputed: z.boolean(),
  dispute: orderDispute.nullable(),
  needsAttention: z.boolean(),
  returns: z.array(orderReturn),
  /** Until when the part can be sent back without a fault of the yard; null before delivery, or if it cannot. */
  returnUntil: time.nullable(),
  createdAt: time,
  /** The state read aloud: what happens next, until when, and what it costs if it does not. */
  sentence: z.string(),
  /** When the present state ends by itself, and the yard's time zone in which it is said. */
  deadline: z.object({ at: time, zone: z.string() }).nullable(),
  parts: z.array(boughtPart),
  /** Of several parts: what becomes of the others if one is not there. */
  ifMissing: z.enum(ifMissingChoices).nullable(),
  /** When it ships, or is ready, at the latest; null before it is confirmed. */
  shipsBy: time.nullable(),
  shipment: z
    .object({
      carrier: z.enum(Object.keys(carriers) as Carrier[]),
      carrierName: z.string(),
      tracking: z.string(),
      url: z.string().nullable(),
      shippedAt: time,
    })
    .nullable(),
  refunds: z.array(refund),
  timeline: z.array(timelineEntry),
  yard: z.object({
    name: z.string(),
    slug: z.string().nullable(),
    /** Once the order is confirmed. */
    phone: z.string().nullable(),
    /** Where to fetch the part and when the yard is open; only for pickup, once it is confirmed. */
    pickup: z.object({ address: z.string(), hours: z.array(z.string()) }).nullable(),
  }),
  vin: z.string().nullable(),
  /** Whether the yard confirmed that the part fits the buyer's vehicle. */
  vinConfirmed: z.boolean(),
  /** What its buyer said about the yard. */
  review: orderReview.nullable(),
})

/** As its buyer sees it. */
export const buyerOrder = orderFacts.extend({
  actions: z.array(z.enum(buyerActions)),
  money: z.object({ captured: money, refunded: money }),
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  address: shipTo.nullable(),
  /** Said at the counter to get the part. */
  pickupCode: z.string().nullable(),
  /** Reasons for which the buyer can ask for a return, or claim, now. */
  returnChoices: z.array(returnChoice),
})
export type BuyerOrder = z.infer<typeof buyerOrder>

/** As the yard sees it: street, phone and email only once the order is confirmed. */
export const sellerOrder = orderFacts.extend({
  dispute: yardDispute.nullable(),
  actions: z.array(z.enum(sellerActions)),
  money: z.object({
    /** What was captured: 0 before. */
    gross: money,
    royalty: money,
    /** The payment provider's; the marketplace pays it. Null until the provider has told it. */
    fee: money.nullable(),
    refunded: money,
    transferred: money,
  }),
  /** How the money gets to the yard. */
  payout: orderPayout.nullable(),
  buyer: z.object({
    name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    address: shipTo.partial({ line1: true }).nullable(),
  }),
  /** Where the parts are in the yard. */
  shelf: z.string().nullable(),
  /** The buyer asked to cancel; refunding agrees. */
  cancelAsked: z.string().nullable(),
})
export type SellerOrder = z.infer<typeof sellerOrder>

export const adminOrder = sellerOrder.extend({
  actions: z.array(z.enum([...sellerActions, ...adminActions])),
  sellerId: z.uuid(),
  heldReason: z.string().nullable(),
  attention: z.string().nullable(),
  provider: z.object({ session: z.string().nullable(), payment: z.string().nullable() }),
})
export type AdminOrder = z.infer<typeof adminOrder>
