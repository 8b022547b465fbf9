import { z } from 'zod'
import { linkToken } from '#contract/account/accounts.ts'
import {
  adminErrors,
  byId,
  bySlug,
  count,
  endpoints,
  okReply,
  pageOf,
  pageQuery,
} from '#contract/endpoint.ts'
import { ledgerAccountNames } from '#contract/order/money/ledger.ts'
import { emailAddress, requiredText } from '#contract/text/text-fields.ts'
import { shippingRuleNames } from './combined-shipping.ts'
import { delivery, lineKinds, money, quote, quoteOfParts, time } from './order-quote.ts'
import { type Carrier, carriers, orderStates, UNPAID_HOLDS } from './order-steps.ts'
import { adminOrder, amount, buyerOrder, line, placed, sellerOrder, zip } from './order-views.ts'
import { items, MAX_QUANTITY, purchase, purchaseOfParts } from './purchase.ts'

/* Buying a part, and what yards and administrators do with orders. Amounts are dollars. */

const placeErrors = [
  'NOT_FOUND',
  'VALIDATION_FAILED',
  'NOT_SOLD_ONLINE',
  'PART_TAKEN',
  'DELIVERY',
  'HOLD_LIMIT',
  'PRICE_CHANGED',
  'CONFLICT',
  'KEY_REUSED',
  'STILL_RUNNING',
  'PAYMENTS_UNREACHABLE',
] as const
const placedReply = z.object({
  order: placed,
  /** The payment page; missing if a shipping price comes first. */
  url: z.string().optional(),
  /** Of the link to the order. */
  token: z.string(),
})

/** A buyer's own order: by the token of a link, or by its id if signed in. */
export const whichFields = { token: linkToken.optional(), id: z.uuid().optional() }
export const namesOrder = [
  ({ token, id }: { token?: string | undefined; id?: string | undefined }) =>
    token !== undefined || id !== undefined,
  'Send the token of the order’s link',
] as const
const which = z.object(whichFields).refine(...namesOrder)

const reason = z.string().trim().max(600, 'A reason can have at most 600 characters')
export const requiredReason = requiredText('Reason', 600)
export const byLink = ['VALIDATION_FAILED', 'LINK_EXPIRED', 'NOT_FOUND', 'STATE'] as const
export const ofSeller = ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED', 'STATE'] as const
export const ofAdmin = [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED', 'STATE'] as const

const lineIds = z
  .array(z.uuid('Name parts by their ids'))
  .min(1, 'Name at least one part')
  .max(UNPAID_HOLDS.partsByBuyer)

const refundOrder = z.object({
  lines: z
    .array(
      z.object({
        kind: z.enum(lineKinds),
        amount: amount('Amount').positive('Enter an amount'),
        /** The id of one of the order's parts, for its price or core charge. */
        line: z.uuid().optional(),
      }),
    )
    .min(1, 'Choose what to refund')
    .max(lineKinds.length * UNPAID_HOLDS.partsByBuyer),
  reason: requiredReason,
})

const orderFilter = {
  state: z.enum(orderStates).optional(),
  q: z.string().trim().max(100).optional(),
  ...pageQuery(24),
}

const selling = z.object({
  enabled: z.boolean(),
  mode: z.enum(['confirm', 'instant']),
  days: z.number().int(),
  /** What shipping costs if several parts go together. */
  combinedShipping: z.enum(shippingRuleNames),
})

/** A yard's answer to "Do you sell online?", and what stands against it. */
const ownSelling = selling.extend({
  /** Whether orders are on at all in this installation. */
  available: z.boolean(),
  /** Why it cannot be switched on; null if it can. */
  problem: z.string().nullable(),
  /** Of the price of the parts, per order; as accepted when it was switched on. */
  royaltyPercent: z.number(),
  royaltyFloor: money,
  acceptedAt: time.nullable(),
})
export type OwnSelling = z.infer<typeof ownSelling>

const ledgerEntry = z.object({
  account: z.enum(ledgerAccountNames),
  /** Positive: we have or are owed it; negative: we owe it. */
  amount: money,
  at: time,
  why: z.string(),
  /** The id of the provider's object. */
  provider: z.string().optional(),
})

export const orderEndpoints = endpoints({
  readQuote: {
    summary: 'What a part costs with shipping and core charge to a ZIP code, without tax',
    params: bySlug,
    query: z.object({
      zip: zip.optional(),
      delivery: delivery.optional(),
      quantity: z.coerce.number().int().min(1).max(MAX_QUANTITY).optional(),
      /** The acceptance in a conversation: the agreed price counts while the part is held for it. */
      accepted: z.uuid().optional(),
    }),
    reply: quote,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'NOT_SOLD_ONLINE', 'PART_TAKEN', 'DELIVERY'],
  },
  placeOrder: {
    summary: 'Buy a part: holds it and opens the payment page, or asks the yard for a shipping price',
    params: bySlug,
    body: purchase,
    status: 201,
    reply: placedReply,
    errors: placeErrors,
  },
  quoteParts: {
    summary: 'What parts of one yard cost together, with combined shipping; without tax',
    body: z.object({ items, zip: zip.optional(), delivery: delivery.optional() }),
    reply: quoteOfParts,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'NOT_SOLD_ONLINE', 'PART_TAKEN', 'DELIVERY'],
  },
  placeOrderOfParts: {
    summary: 'Buy several parts of one yard in one order: holds all of them or none',
    body: purchaseOfParts,
    status: 201,
    reply: placedReply,
    errors: placeErrors,
  },
  watchPart: {
    summary:
      'Ask to be told once, by email, if a part that another buyer holds comes back; the reply is always the same',
    params: bySlug,
    body: z.object({ email: emailAddress }),
    status: 201,
    reply: okReply,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  readOrder: { summary: 'An order, for its buyer', body: which, reply: buyerOrder, errors: byLink },
  payOrder: {
    summary: 'Open the payment page of an order',
    body: z.object({ ...whichFields, expectedTotal: amount('expectedTotal') }).refine(...namesOrder),
    reply: buyerOrder.extend({ url: z.string() }),
    errors: [...byLink, 'PART_TAKEN', 'HOLD_LIMIT', 'PRICE_CHANGED', 'PAYMENTS_UNREACHABLE'],
  },
  cancelOrder: {
    summary: 'Cancel an order; once it is confirmed, ask the yard to',
    body: z.object({ ...whichFields, reason: reason.default('') }).refine(...namesOrder),
    reply: buyerOrder,
    errors: byLink,
  },
  receiveOrder: { summary: 'Say that the part arrived', body: which, reply: buyerOrder, errors: byLink },
  answerDelay: {
    summary: 'Answer a notice of delay: wait for the part, or get the money back',
    body: z
      .object({ ...whichFields, answer: z.enum(['wait', 'cancel'], 'Choose wait or cancel') })
      .refine(...namesOrder),
    reply: buyerOrder,
    errors: byLink,
  },
  replacePickupCode: {
    summary: 'Get another pickup code, such as after too many wrong ones',
    body: which,
    reply: buyerOrder,
    errors: byLink,
  },
  disownOrder: {
    summary: 'Say that this order is not mine: ends its links and emails',
    body: z.object({ token: linkToken }),
    reply: okReply,
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
  mailOrderLinks: {
    summary: 'Mail the links of all orders to an address; the reply is the same if there are none',
    body: z.object({ email: emailAddress }),
    reply: okReply,
    errors: ['VALIDATION_FAILED'],
  },
  listOrders: {
    summary: 'What the signed-in person bought',
    query: z.object({ ...pageQuery(24) }),
    reply: z.object(pageOf(buyerOrder)),
    errors: ['SIGNED_OUT'],
  },
  readSelling: {
    summary: 'Whether the yard sells online, and how',
    reply: ownSelling,
    errors: ['SIGNED_OUT'],
  },
  setSelling: {
    summary: 'Switch selling online on or off; switching it on accepts the royalty',
    body: z.object({
      enabled: z.boolean('enabled is true or false'),
      mode: z.enum(['confirm', 'instant'], 'Choose confirm or instant'),
      days: z
        .number('Days to ship must be a number')
        .int('Days to ship must be a whole number')
        .min(1, 'Days to ship start at 1')
        .max(30, 'Days to ship can be at most 30'),
      /** Without it, as it was. */
      combinedShipping: z.enum(shippingRuleNames, `Choose one of ${shippingRuleNames.join(', ')}`).optional(),
    }),
    reply: ownSelling,
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED', 'CONFLICT'],
  },
  listSellerOrders: {
    summary: 'The yard’s orders, what is to do first',
    query: z.object({
      ...orderFilter,
      /** `open`: neither ended nor delivered; `todo`: the yard has something to do. */
      show: z.enum(['todo', 'open', 'all']).default('all'),
    }),
    reply: z.object({ ...pageOf(sellerOrder), counts: z.object({ todo: count, open: count }) }),
    errors: ['SIGNED_OUT'],
  },
  readSellerOrder: {
    summary: 'One order of the yard',
    params: byId,
    reply: sellerOrder,
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  quoteOrder: {
    summary: 'Name the shipping price of an order; it is valid for 48 hours',
    params: byId,
    body: z.object({
      shipping: amount('Shipping'),
      days: z
        .number('Days to ship must be a number')
        .int('Days to ship must be a whole number')
        .min(1, 'Days to ship start at 1')
        .max(60, 'Days to ship can be at most 60'),
    }),
    reply: sellerOrder,
    errors: ofSeller,
  },
  confirmOrder: {
    summary: 'Say which parts are found: takes the money for them',
    params: byId,
    body: z.object({
      fitsVin: z.boolean().default(false),
      /** The ids of the parts that were found; without it, all of them. */
      lines: lineIds.optional(),
    }),
    reply: sellerOrder,
    errors: ofSeller,
  },
  missOrder: {
    summary: 'Say that the part is not there: the buyer pays nothing, and the listing ends',
    params: byId,
    body: z.object({
      reason: requiredReason,
      /** The ids of the parts that are not there; without it, all of them. */
      lines: lineIds.optional(),
    }),
    reply: sellerOrder,
    errors: ofSeller,
  },
  shipOrder: {
    summary: 'Say that the part is on its way',
    params: byId,
    body: z.object({
      carrier: z.enum(
        Object.keys(carriers) as Carrier[],
        `Choose one of ${Object.keys(carriers).join(', ')}`,
      ),
      tracking: line('Tracking number', 60).default(''),
    }),
    reply: sellerOrder,
    errors: ofSeller,
  },
  readyOrder: {
    summary: 'Say that the part can be fetched',
    params: byId,
    reply: sellerOrder,
    errors: ofSeller,
  },
  handOverOrder: {
    summary: 'Hand the part over to who says the pickup code',
    params: byId,
    body: z.object({ code: z.string('Enter the code').trim().max(20) }),
    reply: sellerOrder,
    errors: ofSeller,
  },
  refundOrder: {
    summary: 'Refund lines of an order',
    params: byId,
    body: refundOrder,
    reply: sellerOrder,
    errors: ofSeller,
  },
  restockOrder: {
    summary: 'Put the part of an ended order back on sale, or say that it is scrapped',
    params: byId,
    body: z.object({ answer: z.enum(['sell', 'scrap'], 'Choose sell or scrap') }),
    reply: sellerOrder,
    errors: ofSeller,
  },
  readPackingSlip: {
    summary: 'The packing slip of an order as PDF, until 90 days after it ended',
    params: byId,
    reply: 'binary',
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'STATE'],
  },
  readInvoice: {
    summary: 'The invoice of an order as PDF, for its buyer',
    body: which,
    reply: 'binary',
    errors: byLink,
  },
  listAllOrders: {
    summary: 'All orders, newest first; `q` finds numbers, emails, names, parts and ids of the provider',
    query: z.object({
      ...orderFilter,
      attention: z.coerce.boolean().optional(),
      sellerId: z.uuid().optional(),
    }),
    reply: z.object({ ...pageOf(adminOrder), counts: z.object({ attention: count }) }),
    errors: adminErrors,
  },
  readAnyOrder: {
    summary: 'One order',
    params: byId,
    reply: adminOrder,
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  holdOrder: {
    summary: 'Stop an order: nothing is captured, shipped or handed over until it is released',
    params: byId,
    body: z.object({ reason: requiredReason }),
    reply: adminOrder,
    errors: ofAdmin,
  },
  releaseOrder: { summary: 'Let a held order go on', params: byId, reply: adminOrder, errors: ofAdmin },
  endOrderLinks: {
    summary: 'End all links that open an order without an account; its buyer can ask for new ones',
    params: byId,
    reply: adminOrder,
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  refundAnyOrder: {
    summary: 'Refund lines of an order',
    params: byId,
    body: refundOrder,
    reply: adminOrder,
    errors: [...ofAdmin, 'REAUTH_NEEDED'],
  },
  readOrderLedger: {
    summary: 'Where the money of an order is',
    params: byId,
    reply: z.object({
      entries: z.array(ledgerEntry),
      /** Of accounts with entries. */
      balances: z.partialRecord(z.enum(ledgerAccountNames), money),
      /** Zero. */
      balance: money,
    }),
    errors: [...adminErrors, 'NOT_FOUND'],
  },
})
