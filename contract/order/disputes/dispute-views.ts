import { z } from 'zod'
import { money, time } from '#contract/order/order-quote.ts'
import { type DisputeState, disputeStateLabels } from './dispute-words.ts'

/* A dispute at the buyer's bank, as the buyer, the yard and administrators see it. */

const state = z.enum(Object.keys(disputeStateLabels) as DisputeState[])

/** On the order, for everybody: the newest dispute, or null. */
export const orderDispute = z.object({
  state,
  /** What the bank disputes. */
  amount: money,
  openedAt: time,
})
export type OrderDispute = z.infer<typeof orderDispute>

/** For the yard, which knows best what happened. */
export const yardDispute = orderDispute.extend({
  /** In words: "the part did not arrive". */
  reason: z.string(),
  /** The bank decides without us after that; null once it has. */
  dueBy: time.nullable(),
  /** The yard's time zone, in which that is said. */
  zone: z.string(),
  /** What the yard wrote for the bank; '' if nothing. */
  answer: z.string(),
  photoIds: z.array(z.uuid()),
  /** Until the evidence is sent, the yard can still answer. */
  canAnswer: z.boolean(),
})
export type YardDispute = z.infer<typeof yardDispute>

/** What a bank wants to read, by the provider's name: which label it has, and what belongs there. */
export const evidenceFields = {
  product_description: 'What was sold',
  customer_name: 'Buyer',
  customer_email_address: 'Buyer’s email',
  shipping_address: 'Shipped to',
  shipping_carrier: 'Carrier',
  shipping_date: 'Shipped on',
  shipping_tracking_number: 'Tracking number',
  refund_policy_disclosure: 'Terms that the buyer accepted',
  uncategorized_text: 'What happened',
} as const
export type EvidenceField = keyof typeof evidenceFields
export const evidenceFieldNames = Object.keys(evidenceFields) as EvidenceField[]

/** The provider's limit for one text. */
const LONGEST_EVIDENCE = 20_000

const evidence = z.record(
  z.enum(evidenceFieldNames),
  z
    .string('Evidence is text')
    .trim()
    .max(LONGEST_EVIDENCE, `A text can have at most ${LONGEST_EVIDENCE} characters`),
)
export type Evidence = z.infer<typeof evidence>

/** A page each, and card networks charge for more than 19. */
export const MOST_EVIDENCE_PHOTOS = 19

/** What is sent; without `photoIds` those that are chosen stay. */
export const evidenceBody = z.object({
  evidence,
  photoIds: z
    .array(z.uuid('photoIds are ids of photos'))
    .max(MOST_EVIDENCE_PHOTOS, `Choose at most ${MOST_EVIDENCE_PHOTOS} photos`)
    .optional(),
})

/** For administrators, who read, edit and send the evidence. */
export const adminDispute = yardDispute.extend({
  /** At the provider: "du_…". */
  provider: z.string(),
  fee: money,
  /** Who bears the fee. */
  feeOf: z.enum(['yard', 'platform']),
  /** As it was saved, or as the order says. */
  evidence,
  /** Pictures of the listing and photos of returns, and which of them go to the bank. */
  photos: z.array(z.object({ id: z.uuid(), caption: z.string(), isChosen: z.boolean() })),
  isSaved: z.boolean(),
  /** Asked for, and not yet taken by the provider. */
  isSending: z.boolean(),
  submittedAt: time.nullable(),
  /** Why the evidence could not be sent, or null. */
  problem: z.string().nullable(),
})
export type AdminDispute = z.infer<typeof adminDispute>
