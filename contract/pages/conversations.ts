import { z } from 'zod'
import { linkToken } from '#contract/account/accounts.ts'
import { byId, endpoints, okReply } from '#contract/endpoint.ts'
import { MIN_OFFER_CENTS, toCents } from '#contract/listing/listing-rules.ts'
import { requiredText } from '#contract/text/text-fields.ts'
import { plainNumber } from '#contract/text/typed-number.ts'

/*
 * Conversations about a part: what both sides see, and the buyer's calls, which need no account: the token of an
 * emailed link opens one conversation. The seller's calls are in leads.ts.
 */

export const LONGEST_MESSAGE = 5_000

/** Choices for how many hours a seller's counteroffer is valid. A buyer's offer is valid for 48. */
export const offerHours = [24, 48, 72, 168] as const

/** Parses dollars, as a number or text, to cents. */
export const offerPrice = z.coerce
  .string()
  .max(20)
  .transform(priceInCents)
  .refine((cents) => cents >= MIN_OFFER_CENTS, {
    error: ({ input }) => (Number.isNaN(input) ? 'Enter a price, such as 85 or 84.50' : 'Offers start at $1'),
  })

/** NaN if it is not a price. */
function priceInCents(typed: string): number {
  const price = plainNumber(typed) ?? ''
  return /^\d{1,8}(\.\d{1,2})?$/.test(price) ? toCents(price) : Number.NaN
}

/** Offer actions: answer the other side's offer, or make one. */
export const offerSteps = ['accept', 'decline', 'offer'] as const
export type OfferStep = (typeof offerSteps)[number]

/**
 * `replaced`: by a later offer; `lapsed`: accepted, but the hold has ended; `gone`: the part was sold before an answer;
 * `bought`: accepted, and then sold to this buyer.
 */
const offerStates = [
  'open',
  'accepted',
  'declined',
  'expired',
  'replaced',
  'lapsed',
  'gone',
  'bought',
] as const
export type OfferState = (typeof offerStates)[number]

const messageKinds = ['text', 'offer', 'accept', 'decline', 'sold'] as const
export type MessageKind = (typeof messageKinds)[number]

export const threadMessage = z.object({
  id: z.uuid(),
  kind: z.enum(messageKinds),
  from: z.enum(['buyer', 'seller']),
  by: z.string(),
  /** May be empty unless the kind is `text`. */
  message: z.string(),
  createdAt: z.string(),
  /** The price of an offer, or of the offer that is accepted or declined. */
  price: z.number().nullable(),
  currency: z.string().nullable(),
  /** For an offer, when it expires; for an acceptance, when the hold ends. */
  expiresAt: z.string().nullable(),
  /** State of an offer; null for other messages. */
  offerState: z.enum(offerStates).nullable(),
})
export type ThreadMessage = z.infer<typeof threadMessage>

/** The offer that the caller saw, which may have been replaced meanwhile. */
export const offerAnswer = {
  offerId: z.uuid('offerId is the id of the offer'),
  answer: z.enum(['accept', 'decline'], 'Choose accept or decline'),
}

const conversation = z.object({
  sellerName: z.string(),
  /** Null if the seller does not show it. */
  sellerPhone: z.string().nullable(),
  /** Whether the seller's account is disabled or closed: nobody reads messages. */
  sellerGone: z.boolean(),
  part: z.object({
    title: z.string(),
    /** Null if the part was deleted, like the fields below. */
    slug: z.string().nullable(),
    price: z.number().nullable(),
    currency: z.string().nullable(),
    imageUrl: z.string().nullable(),
    categoryGroup: z.string().nullable(),
    forSale: z.boolean(),
  }),
  messages: z.array(threadMessage),
  /** What the buyer may do about offers now. */
  may: z.array(z.enum(offerSteps)),
  /** The accepted price, while it can be paid here; the hold ends then. */
  pay: z.object({ price: z.number(), until: z.string() }).nullable(),
  /** Whether the buyer stopped the emails, until they write again. */
  emailsStopped: z.boolean(),
})
export type Conversation = z.infer<typeof conversation>

const writeErrors = ['VALIDATION_FAILED', 'LINK_EXPIRED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'] as const

const ownConversation = z.object({
  id: z.uuid(),
  sellerName: z.string(),
  /** The part's. */
  title: z.string(),
  last: threadMessage.pick({ kind: true, from: true, price: true, currency: true, createdAt: true }),
  /** The accepted price can be paid here now. */
  payable: z.boolean(),
})
export type OwnConversation = z.infer<typeof ownConversation>

export const conversationEndpoints = endpoints({
  listConversations: {
    summary: 'What the confirmed email address of the account asked and offered in the last 90 days',
    reply: z.object({ items: z.array(ownConversation) }),
    errors: ['SIGNED_OUT'],
  },
  openConversation: {
    summary: 'A link to a conversation of one’s own, as in its emails',
    params: byId,
    reply: z.object({ token: z.string() }),
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  readConversation: {
    summary: 'The conversation that an emailed link opens; reading changes nothing',
    body: z.object({ token: linkToken }),
    reply: conversation,
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
  replyToSeller: {
    summary: 'The buyer writes again; this confirms the address that the link was sent to',
    body: z.object({ token: linkToken, message: requiredText('Message', LONGEST_MESSAGE) }),
    status: 201,
    reply: conversation,
    errors: writeErrors,
  },
  offerToSeller: {
    summary: 'The buyer makes an offer, from $1 to the asking price, valid for 48 hours',
    body: z.object({
      token: linkToken,
      price: offerPrice,
      message: z.string().trim().max(LONGEST_MESSAGE).default(''),
    }),
    status: 201,
    reply: conversation,
    errors: writeErrors,
  },
  answerCounterOffer: {
    summary: 'The buyer accepts or declines the seller’s counteroffer',
    body: z.object({ token: linkToken, ...offerAnswer }),
    status: 201,
    reply: conversation,
    errors: writeErrors,
  },
  stopConversation: {
    summary: 'Stop the emails about it. If the buyer did not write the message, its links stop working, too',
    body: z.object({ token: linkToken, wasMe: z.boolean('Say whether you wrote it: true or false') }),
    reply: okReply,
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
})
