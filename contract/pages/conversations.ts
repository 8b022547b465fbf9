import { z } from 'zod'
import { linkToken } from '#contract/accounts.ts'
import { endpoints, okReply } from '#contract/endpoint.ts'
import { toCents } from '#contract/listing/listing-rules.ts'
import { requiredText } from '#contract/text/text-fields.ts'

/*
 * A conversation about a part: what both sides see of it, and the calls of the buyer, who needs no account. The token of an
 * emailed link opens this one conversation; the seller's calls are in leads.ts.
 */

export const LONGEST_MESSAGE = 5_000

/** Hours for which a seller's counter-offer may stand. A buyer's offer stands for 48. */
export const offerHours = [24, 48, 72, 168] as const

export const LEAST_OFFER_CENTS = 100

/** In dollars, as a number or as typed; becomes cents. */
export const offerPrice = z.coerce
  .string()
  .max(20)
  .transform(priceInCents)
  .refine((cents) => cents >= LEAST_OFFER_CENTS, {
    error: ({ input }) =>
      Number.isNaN(input) ? 'Enter a price, such as 85 or 84.50' : 'An offer is at least $1',
  })

/** NaN if it is no price. */
function priceInCents(typed: string): number {
  const price = typed.trim().replace(/^\$\s*/, '')
  return /^\d{1,8}(\.\d{1,2})?$/.test(price) ? toCents(price) : Number.NaN
}

/** What someone may do about offers: answer the other side's, or make one. */
export const offerSteps = ['accept', 'decline', 'offer'] as const
export type OfferStep = (typeof offerSteps)[number]

/**
 * `replaced` by a later one; `lapsed`: accepted, but the time for which the part was held is over; `gone`: the part was
 * sold before anyone answered.
 */
const offerStates = ['open', 'accepted', 'declined', 'expired', 'replaced', 'lapsed', 'gone'] as const
export type OfferState = (typeof offerStates)[number]

const messageKinds = ['text', 'offer', 'accept', 'decline', 'sold'] as const
export type MessageKind = (typeof messageKinds)[number]

export const threadMessage = z.object({
  id: z.uuid(),
  kind: z.enum(messageKinds),
  from: z.enum(['buyer', 'seller']),
  by: z.string(),
  /** May be empty if it is more than a text. */
  message: z.string(),
  createdAt: z.string(),
  /** Of an offer, and of one that is accepted. */
  price: z.number().nullable(),
  currency: z.string().nullable(),
  /** Of an offer, until when it can be accepted; of an acceptance, until when the part is held. */
  expiresAt: z.string().nullable(),
  /** What became of an offer; null for all else. */
  offerState: z.enum(offerStates).nullable(),
})
export type ThreadMessage = z.infer<typeof threadMessage>

/** The offer that the caller saw: it may have been replaced meanwhile. */
export const offerAnswer = {
  offerId: z.uuid('offerId is the id of the offer'),
  answer: z.enum(['accept', 'decline'], 'Choose accept or decline'),
}

const conversation = z.object({
  sellerName: z.string(),
  /** Null if the seller does not show it. */
  sellerPhone: z.string().nullable(),
  part: z.object({
    title: z.string(),
    /** Null if it was deleted, with all that follows. */
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
  /** The buyer gets no emails about it until they write again. */
  emailsStopped: z.boolean(),
})
export type Conversation = z.infer<typeof conversation>

const writeErrors = ['VALIDATION_FAILED', 'LINK_EXPIRED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'] as const

export const conversationEndpoints = endpoints({
  readConversation: {
    summary: 'The conversation that an emailed link opens; reading changes nothing',
    body: z.object({ token: linkToken }),
    reply: conversation,
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
  replyToSeller: {
    summary: 'The buyer writes again; this confirms the address to which the link went',
    body: z.object({ token: linkToken, message: requiredText('Message', LONGEST_MESSAGE) }),
    status: 201,
    reply: conversation,
    errors: writeErrors,
  },
  offerToSeller: {
    summary: 'The buyer names a price, from $1 to the asking price; it stands for 48 hours',
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
    summary: 'The buyer accepts or declines the seller’s counter-offer',
    body: z.object({ token: linkToken, ...offerAnswer }),
    status: 201,
    reply: conversation,
    errors: writeErrors,
  },
  stopConversation: {
    summary: 'No more emails about it. If it was not the buyer who wrote, its links stop working, too',
    body: z.object({ token: linkToken, wasMe: z.boolean('Say whether you wrote it: true or false') }),
    reply: okReply,
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
})
