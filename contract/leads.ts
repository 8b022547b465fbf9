import { z } from 'zod'
import { phoneField } from '#contract/text/phone.ts'
import { emailAddress, requiredLine, requiredText } from '#contract/text/text-fields.ts'
import { linkToken } from './accounts.ts'
import { byId, bySlug, count, endpoints, okReply, pageOf, pageQuery } from './endpoint.ts'

export const leadStates = ['new', 'answered', 'closed'] as const
export type LeadState = (typeof leadStates)[number]

/** A buyer’s message to the seller of a part; an email address or a phone number is required. */
export const buyerMessage = z
  .object({
    name: requiredLine('Name', 120),
    email: z.union([z.literal(''), emailAddress]).optional(),
    phone: phoneField('Phone', 40),
    message: requiredText('Message', 5_000),
  })
  .refine(({ email, phone }) => Boolean(email) || Boolean(phone), {
    path: ['email'],
    message: 'Leave an email address or a phone number, so that the seller can answer',
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
  /** The part’s title when the message arrived. */
  listingTitle: z.string(),
  /** The part with its current title; null if it was deleted. */
  listing: z.object({ slug: z.string(), title: z.string() }).nullable(),
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

const messageLink = z.object({
  email: z.string(),
  sellerName: z.string(),
  listingTitle: z.string(),
  /** Null if the part is gone. */
  slug: z.string().nullable(),
})

export const leadEndpoints = endpoints({
  writeToSeller: {
    summary: 'A buyer’s message to the seller of a part',
    params: bySlug,
    body: buyerMessage,
    status: 201,
    reply: okReply,
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
    summary: 'The seller’s inbox, newest first',
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
    body: z.object({ message: requiredText('Answer', 5_000) }),
    status: 201,
    reply: lead,
    errors: [
      'SIGNED_OUT',
      'NOT_FOUND',
      'VALIDATION_FAILED',
      'CONFLICT',
      'EMAIL_UNCONFIRMED',
      'KEY_REUSED',
      'STILL_RUNNING',
    ],
  },
})
