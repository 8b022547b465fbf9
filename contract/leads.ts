import { z } from 'zod'
import { isOneLine, notOneLine } from '#contract/text/one-line.ts'
import { endpoints, okReply } from './endpoint.ts'

export const leadStates = ['new', 'answered', 'closed'] as const
export type LeadState = (typeof leadStates)[number]

const messageText = (label: string) =>
  z
    .string(`${label} is required`)
    .trim()
    .min(1, `${label} is required`)
    .max(5_000, `${label} has at most 5,000 characters`)

const optionalLine = (label: string, most: number) =>
  z
    .string()
    .trim()
    .max(most, `${label} has at most ${most} characters`)
    .refine((text) => text === '' || isOneLine(text), notOneLine(label))
    .optional()

/** What a buyer writes to the seller of a part; one way to reach them is needed. */
export const buyerMessage = z
  .object({
    name: z
      .string('Name is required')
      .trim()
      .min(1, 'Name is required')
      .max(120, 'Name has at most 120 characters')
      .refine(isOneLine, notOneLine('Name')),
    email: z
      .union([z.literal(''), z.email('Enter an email address such as name@example.com').max(254)])
      .optional(),
    phone: optionalLine('Phone', 40),
    message: messageText('Message'),
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
  phone: z.string().nullable(),
  message: z.string(),
  createdAt: z.string(),
  answeredAt: z.string().nullable(),
  /** What the part was called when the message came. */
  listingTitle: z.string(),
  /** The part it is about, as it is called now; null when it was deleted. */
  listing: z.object({ slug: z.string(), title: z.string() }).nullable(),
  answers: z.array(z.object({ id: z.uuid(), message: z.string(), createdAt: z.string(), by: z.string() })),
})
export type Lead = z.infer<typeof lead>

const byId = z.object({ id: z.uuid() })

export const leadEndpoints = endpoints({
  writeToSeller: {
    summary: 'A buyer’s message to the seller of a part',
    params: z.object({ slug: z.string().min(1).max(200) }),
    body: buyerMessage,
    status: 201,
    reply: okReply,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  listLeads: {
    summary: 'The seller’s inbox, newest first',
    query: z.object({
      state: z.enum(leadStates).optional(),
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      perPage: z.coerce.number().int().min(1).max(100).default(24),
    }),
    reply: z.object({
      items: z.array(lead),
      total: z.number().int(),
      page: z.number().int(),
      perPage: z.number().int(),
      counts: z.object({ new: z.number().int(), answered: z.number().int(), closed: z.number().int() }),
    }),
    errors: ['SIGNED_OUT'],
  },
  readLead: {
    summary: 'One message, for links that lead to it from a mail',
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
    summary: 'Answer a buyer by mail',
    params: byId,
    body: z.object({ message: messageText('Answer') }),
    status: 201,
    reply: lead,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
})
