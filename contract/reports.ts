import { z } from 'zod'
import { linkToken } from '#contract/account/accounts.ts'
import { emailAddress, requiredLine } from '#contract/text/text-fields.ts'
import { adminErrors, byId, bySlug, count, endpoints, okReply, pageOf, pageQuery } from './endpoint.ts'
import { listingStatuses } from './listings.ts'

/* Visitors' reports about listings, and the administrators' queue. */

const optionalText = (label: string, most: number) =>
  z
    .string()
    .trim()
    .max(most, `${label} can have at most ${most.toLocaleString('en-US')} characters`)
    .default('')

export const listingReport = z.object({
  /** One of `reportReasons`; any other text counts as "other" and is kept. */
  reason: requiredLine('Reason', 200),
  text: optionalText('The text', 2_000),
  email: z.union([z.literal(''), emailAddress]).default(''),
})
export type ListingReport = z.infer<typeof listingReport>

export const reportStates = ['open', 'closed'] as const
const reportDecisions = ['hide', 'restore', 'answer'] as const
export type ReportDecision = (typeof reportDecisions)[number]

const receivedReport = z.object({
  id: z.uuid(),
  reason: z.string(),
  text: z.string(),
  email: z.string().nullable(),
  /** Whether the address is confirmed: by the link in our email, or as that of a signed-in account. */
  confirmed: z.boolean(),
  createdAt: z.string(),
  closedAt: z.string().nullable(),
  closedBy: z.string().nullable(),
  outcome: z.enum(['hidden', 'restored', 'answered']).nullable(),
  answer: z.string(),
  /** When and by whom the listing that was hidden was restored, and with which words. */
  restoredAt: z.string().nullable(),
  restoredBy: z.string().nullable(),
  restoreAnswer: z.string(),
})

/** A listing with the reports about it, newest first. */
const reportedListing = z.object({
  /** The listing's id. */
  id: z.uuid(),
  partslug: z.string(),
  title: z.string(),
  status: z.enum(listingStatuses),
  isGone: z.boolean(),
  seller: z.object({ id: z.uuid(), name: z.string() }),
  /** The import that created it, how many of its parts are reported, and whether more than usual. */
  import: z
    .object({
      id: z.uuid(),
      fileName: z.string(),
      parts: count,
      reported: count,
      isUnusual: z.boolean(),
      /** Changes that wait for an administrator or for the waiting period to end. */
      waiting: count,
      heldAt: z.string().nullable(),
    })
    .nullable(),
  reports: z.array(receivedReport),
  /** If a number is reported: what sellers state of this part's number. */
  claims: z.array(
    z.object({
      id: z.uuid(),
      kind: z.enum(['same', 'replaces']),
      number: z.string(),
      other: z.string(),
      seller: z.string(),
    }),
  ),
})
export type ReportedListing = z.infer<typeof reportedListing>

export const reportEndpoints = endpoints({
  reportListing: {
    summary:
      'Report a listing to the administrators; a report with an email counts toward holding an import once its link is confirmed',
    params: bySlug,
    body: listingReport,
    status: 201,
    reply: okReply,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  confirmReport: {
    summary: 'Confirm the address of a report by the token of its emailed link',
    body: z.object({ token: linkToken }),
    reply: okReply,
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
  listReports: {
    summary: 'Reported listings with their reports, most recently reported first',
    query: z.object({ state: z.enum(reportStates).default('open'), ...pageQuery(20) }),
    reply: z.object({ ...pageOf(reportedListing), open: count }),
    errors: adminErrors,
  },
  decideReport: {
    summary: 'Hide a reported listing, restore it, or close its reports with an answer',
    params: byId,
    body: z.object({
      decision: z.enum(reportDecisions, 'Choose one of hide, restore, answer'),
      /** Emailed to reporters who left an address; of hiding, also to the seller. */
      answer: optionalText('The answer', 5_000),
    }),
    reply: okReply,
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'IN_ORDER'],
  },
  publishRest: {
    summary: 'Publish the waiting rest of a new seller’s import now, reported or not',
    params: byId,
    reply: okReply,
    errors: [...adminErrors, 'NOT_FOUND', 'CONFLICT'],
  },
})
