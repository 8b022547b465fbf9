import { z } from 'zod'
import { adminErrors, byId, count, endpoints, okReply, pageOf, pageQuery } from '#contract/endpoint.ts'
import { type ReviewReportReason, reviewReportReasons } from '#contract/pages/report-reasons.ts'
import { requiredText } from '#contract/text/text-fields.ts'
import { byLink, namesOrder, whichFields } from './order-calls.ts'
import { time } from './order-quote.ts'
import { buyerOrder, orderReview } from './order-views.ts'

/* What buyers say about yards: from an order, after delivery, once. */

export const LONGEST_REVIEW = 2_000

const text = (label: string) =>
  z
    .string()
    .trim()
    .max(LONGEST_REVIEW, `${label} can have at most ${LONGEST_REVIEW.toLocaleString('en-US')} characters`)

const reasons = Object.keys(reviewReportReasons) as ReviewReportReason[]

const ownReview = orderReview.extend({
  id: z.uuid(),
  order: z.object({ id: z.uuid(), number: z.string() }),
  part: z.string(),
  /** Whether an administrator has yet to decide about a report. */
  reported: z.boolean(),
})
export type OwnReview = z.infer<typeof ownReview>

const reportedReview = orderReview.extend({
  id: z.uuid(),
  order: z.object({ id: z.uuid(), number: z.string() }),
  part: z.string(),
  yard: z.object({ id: z.uuid(), name: z.string() }),
  /** Newest first. */
  reports: z.array(
    z.object({
      id: z.uuid(),
      reason: z.string(),
      text: z.string(),
      createdAt: time,
      outcome: z.enum(['hidden', 'kept']).nullable(),
      closedBy: z.string().nullable(),
    }),
  ),
})
export type ReportedReview = z.infer<typeof reportedReview>

const reviewDecisions = ['hide', 'keep', 'restore'] as const
export type ReviewDecision = (typeof reviewDecisions)[number]

export const reviewEndpoints = endpoints({
  reviewOrder: {
    summary: 'Review the yard of a delivered order, or change the review until it is published',
    body: z
      .object({
        ...whichFields,
        stars: z
          .number('Choose 1 to 5 stars')
          .int('Choose 1 to 5 stars')
          .min(1, 'Choose 1 to 5 stars')
          .max(5, 'Choose 1 to 5 stars'),
        text: text('The review').default(''),
      })
      .refine(...namesOrder),
    reply: buyerOrder,
    errors: byLink,
  },
  reportReview: {
    summary: 'Report a review to the administrators; the yard can report its own before it is published',
    params: byId,
    body: z.object({
      reason: z.enum(reasons, `Choose one of ${reasons.join(', ')}`),
      text: text('The text').default(''),
    }),
    status: 201,
    reply: okReply,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  listReviews: {
    summary: 'Reviews of the yard, newest first, and its figures',
    query: z.object(pageQuery(24)),
    reply: z.object({
      ...pageOf(ownReview),
      /** As buyers see them: the average is null with fewer than five reviews. */
      figures: z.object({
        reviews: count,
        stars: z.number().nullable(),
        badge: z.boolean(),
        lines: z.array(z.string()),
      }),
    }),
    errors: ['SIGNED_OUT'],
  },
  answerReview: {
    summary: 'Answer a review of the yard, or change the answer; buyers see it with the published review',
    params: byId,
    body: z.object({ answer: requiredText('Answer', LONGEST_REVIEW) }),
    reply: ownReview,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED', 'STATE'],
  },
  listReportedReviews: {
    summary: 'Reported reviews with their reports, most recently reported first',
    query: z.object({ state: z.enum(['open', 'closed']).default('open'), ...pageQuery(20) }),
    reply: z.object({ ...pageOf(reportedReview), open: count }),
    errors: adminErrors,
  },
  decideReview: {
    summary: 'Hide a reported review, keep it, or restore a hidden one',
    params: byId,
    body: z.object({
      decision: z.enum(reviewDecisions, `Choose one of ${reviewDecisions.join(', ')}`),
      /** Of hiding: the reason, which the buyer and the yard read. */
      note: text('The note').default(''),
    }),
    reply: okReply,
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT'],
  },
})
