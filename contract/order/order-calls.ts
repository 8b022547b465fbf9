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
import { phoneField } from '#contract/text/phone.ts'
import { emailAddress, requiredLine, requiredText } from '#contract/text/text-fields.ts'
import { ledgerAccountNames } from './ledger.ts'
import { delivery, lineKinds, money, quote, time } from './order-quote.ts'
import { type Carrier, carriers, orderStates } from './order-steps.ts'
import { adminOrder, buyerOrder, line, placed, sellerOrder, shipTo, zip } from './order-views.ts'

/* Buying a part, and what yards and administrators do with orders. Amounts are dollars. */

const MAX_QUANTITY = 99

export const amount = (label: string) =>
  z
    .number(`${label} must be an amount in dollars`)
    .min(0, `${label} cannot be negative`)
    .max(1_000_000, `${label} is too large`)
    .refine(
      (value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6,
      `${label} has at most 2 decimals`,
    )

const purchase = z
  .object({
    email: emailAddress,
    name: requiredLine('Name', 80),
    phone: phoneField('Phone', 40),
    delivery,
    /** Required if it is shipped. */
    address: shipTo.optional(),
    /** The buyer's vehicle; the yard confirms that the part fits it. */
    vin: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^([A-HJ-NPR-Z0-9]{17})?$/, 'A VIN has 17 letters and digits, without I, O and Q')
      .optional(),
    quantity: z
      .number('Quantity must be a number')
      .int('Quantity must be a whole number')
      .min(1, 'Quantity starts at 1')
      .max(MAX_QUANTITY, `Quantity can be at most ${MAX_QUANTITY}`)
      .default(1),
    /** Of the conversation whose accepted offer this pays. */
    conversation: linkToken.optional(),
    /** The total that the buyer saw; null if the yard names the shipping price first. */
    expectedTotal: amount('expectedTotal').nullable().default(null),
  })
  .superRefine((given, context) => {
    if (given.delivery !== 'ship' || given.address) return
    context.addIssue({ code: 'custom', path: ['address'], message: 'Enter the address to ship to' })
  })
export type Purchase = z.output<typeof purchase>
export type PurchaseForm = z.input<typeof purchase>

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

const refundOrder = z.object({
  lines: z
    .array(z.object({ kind: z.enum(lineKinds), amount: amount('Amount').positive('Enter an amount') }))
    .min(1, 'Choose what to refund')
    .max(lineKinds.length),
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
    reply: z.object({
      order: placed,
      /** The payment page; missing if a shipping price comes first. */
      url: z.string().optional(),
      /** Of the link to the order. */
      token: z.string(),
    }),
    errors: [
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
    ],
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
    summary: 'Say that the part is found: takes the money',
    params: byId,
    body: z.object({ fitsVin: z.boolean().default(false) }),
    reply: sellerOrder,
    errors: ofSeller,
  },
  missOrder: {
    summary: 'Say that the part is not there: the buyer pays nothing, and the listing ends',
    params: byId,
    body: z.object({ reason: requiredReason }),
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
    summary: 'The packing slip of an order as PDF',
    params: byId,
    reply: 'binary',
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
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
