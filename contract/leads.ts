import { z } from 'zod'
import { linkToken } from '#contract/account/accounts.ts'
import { phoneField } from '#contract/text/phone.ts'
import { emailAddress, requiredLine, requiredText } from '#contract/text/text-fields.ts'
import { byId, bySlug, count, endpoints, okReply, pageOf, pageQuery } from './endpoint.ts'
import {
  LONGEST_MESSAGE,
  offerAnswer,
  offerHours,
  offerPrice,
  offerSteps,
  threadMessage,
} from './pages/conversations.ts'

export const leadStates = ['new', 'answered', 'closed'] as const
export type LeadState = (typeof leadStates)[number]

/** A buyer’s message to the seller of a part; an email address or a phone number is required. */
export const buyerMessage = z
  .object({
    name: requiredLine('Name', 120),
    email: z.union([z.literal(''), emailAddress]).optional(),
    phone: phoneField('Phone', 40),
    message: requiredText('Message', LONGEST_MESSAGE),
    /** The buyer’s offer, valid for 48 hours. */
    offer: z.union([z.literal('').transform(() => undefined), offerPrice]).optional(),
  })
  .refine(({ email, phone }) => Boolean(email) || Boolean(phone), {
    path: ['email'],
    message: 'Leave an email address or a phone number, so the seller can reply',
  })
  .refine(({ email, offer }) => Boolean(email) || offer === undefined, {
    path: ['email'],
    message: 'Leave an email address, so the seller can reply to your offer',
  })
export type BuyerMessage = z.infer<typeof buyerMessage>

const lead = z.object({
  id: z.uuid(),
  state: z.enum(leadStates),
  name: z.string(),
  email: z.string().nullable(),
  /** Answers are mailed once the buyer has confirmed the address. */
  emailConfirmed: z.boolean(),
  phone: z.string().nullable(),
  message: z.string(),
  createdAt: z.string(),
  answeredAt: z.string().nullable(),
  /** The buyer stopped the emails, so the conversation cannot be answered until they write again. */
  emailsStopped: z.boolean(),
  /** When the buyer last wrote; sorts the inbox. */
  wroteAt: z.string(),
  /** The part’s title when the message arrived. */
  listingTitle: z.string(),
  /** The part with its current title and price; null if it was deleted. */
  listing: z
    .object({
      id: z.uuid(),
      slug: z.string(),
      title: z.string(),
      price: z.number(),
      currency: z.string(),
      quantity: count,
      forSale: z.boolean(),
    })
    .nullable(),
  /** The whole conversation, oldest first, starting with `message`; includes the seller’s `answers`. */
  messages: z.array(
    threadMessage.extend({
      /** Whether it went out by email, or waits for the buyer’s confirmation. */
      mailed: z.boolean(),
    }),
  ),
  /** What the seller may do about offers now. A seller’s offer is a counteroffer. */
  may: z.array(z.enum(offerSteps)),
  /** Other buyers with an open conversation about this part, except those for whom it is held. */
  othersOpen: count,
  /** Whether other buyers have accepted offers for as many of this part as there are. */
  promised: z.boolean(),
  answers: z.array(
    z.object({
      id: z.uuid(),
      message: z.string(),
      createdAt: z.string(),
      by: z.string(),
      /** Whether it went out by email, or waits for the buyer’s confirmation. */
      mailed: z.boolean(),
    }),
  ),
})
export type Lead = z.infer<typeof lead>

const MOST_QUICK_REPLIES = 10
const quickReplies = z.object({
  replies: z
    .array(requiredText('A quick reply', 500))
    .max(MOST_QUICK_REPLIES, `At most ${MOST_QUICK_REPLIES} quick replies`),
})

const answerErrors = [
  'SIGNED_OUT',
  'NOT_FOUND',
  'VALIDATION_FAILED',
  'CONFLICT',
  'EMAIL_UNCONFIRMED',
  'KEY_REUSED',
  'STILL_RUNNING',
] as const

const messageLink = z.object({
  email: z.string(),
  sellerName: z.string(),
  listingTitle: z.string(),
  /** Null if the part was deleted. */
  slug: z.string().nullable(),
  /** Whether the address was confirmed before, by this link or another. */
  confirmed: z.boolean(),
  /** The price offered for the part, or null for a question. */
  offer: z.object({ price: z.number(), currency: z.string() }).nullable(),
})

export const leadEndpoints = endpoints({
  writeToSeller: {
    summary: 'A buyer’s message to the seller of a part',
    params: bySlug,
    body: buyerMessage,
    status: 201,
    /** `notice`: the seller has the message, but the buyer got no email that confirms the address. */
    reply: okReply.extend({ notice: z.string().optional() }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  checkMessageLink: {
    summary: 'Which message the token of an emailed link confirms',
    body: z.object({ token: linkToken }),
    reply: messageLink,
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
  confirmMessage: {
    summary: 'Confirm the address of a message; the seller’s answers are mailed from now on',
    body: z.object({ token: linkToken }),
    reply: messageLink,
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
  listLeads: {
    summary: 'The seller’s inbox, most recent buyers first',
    query: z.object({
      state: z.enum(leadStates).optional(),
      ...pageQuery(24),
    }),
    reply: z.object({
      ...pageOf(lead),
      counts: z.object({ new: count, answered: count, closed: count }),
    }),
    errors: ['SIGNED_OUT'],
  },
  readLead: {
    summary: 'One message, for links in emails',
    params: byId,
    reply: lead,
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  setLeadState: {
    summary: 'Close a message, or open it again',
    params: byId,
    body: z.object({ state: z.enum(leadStates, 'Choose one of new, answered, closed') }),
    reply: lead,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
  answerLead: {
    summary: 'Answer a buyer by email',
    params: byId,
    body: z.object({ message: requiredText('Answer', LONGEST_MESSAGE) }),
    status: 201,
    reply: lead,
    errors: answerErrors,
  },
  counterOffer: {
    summary: 'Make a counteroffer to a buyer who made an offer',
    params: byId,
    body: z.object({
      price: offerPrice,
      hours: z.literal(offerHours, `Choose one of ${offerHours.join(', ')} hours`).default(48),
      message: z.string().trim().max(LONGEST_MESSAGE).default(''),
    }),
    status: 201,
    reply: lead,
    errors: answerErrors,
  },
  answerOffer: {
    summary: 'Accept or decline a buyer’s offer',
    params: byId,
    body: z.object({
      ...offerAnswer,
      message: z.string().trim().max(LONGEST_MESSAGE).default(''),
      /** Accept although the part is promised to another buyer: otherwise that is a CONFLICT. */
      evenIfPromised: z.boolean().default(false),
    }),
    status: 201,
    reply: lead,
    errors: answerErrors,
  },
  closeAsSold: {
    summary: 'Close a conversation because the part is sold, notify the buyer, and end the listing',
    params: byId,
    body: z.object({
      /** Whether this buyer bought the part: only the others count as `told`. */
      soldToThem: z.boolean().default(false),
      /** Also notifies the other buyers who asked about the part, and closes their conversations. */
      tellOthers: z.boolean().default(false),
      endListing: z.boolean().default(false),
    }),
    status: 201,
    reply: z.object({ lead, told: count, listingEnded: z.boolean() }),
    errors: answerErrors,
  },
  readQuickReplies: {
    summary: 'The seller’s saved replies',
    reply: quickReplies.extend({ suggested: z.boolean() }),
    errors: ['SIGNED_OUT'],
  },
  setQuickReplies: {
    summary: 'Replace the saved replies',
    body: quickReplies,
    reply: quickReplies.extend({ suggested: z.boolean() }),
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED'],
  },
})
