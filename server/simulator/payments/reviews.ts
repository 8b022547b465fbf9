import { z } from 'zod'
import { type ApiCall, apiCall, listOf } from '#server/simulator/api-call.ts'
import {
  integer,
  nestedParameters,
  noSuch,
  parameters,
  StripeError,
  text,
} from '#server/simulator/parameters.ts'
import type { Work } from '#server/simulator/simulator.ts'
import {
  changeObject,
  findObject,
  insertObject,
  listObjects,
  lockObject,
  recordEvent,
} from '#server/simulator/store.ts'
import {
  type Charge,
  type EarlyFraudWarning,
  newId,
  type PaymentIntent,
  type Review,
} from '#server/simulator/stripe-objects.ts'

/* What Radar says of payments: reviews, and the card networks' early fraud warnings. */

export const reviewCalls: readonly ApiCall[] = [
  apiCall('GET /reviews/:id', parameters({}), async ({ db }, _given, { id }) => {
    const review = await findObject(db, 'review', id)
    if (!review) throw noSuch('review', id)
    return review
  }),
  apiCall(
    'GET /reviews',
    nestedParameters({
      limit: integer.pipe(z.number().min(1).max(100)).default(10),
      starting_after: text.optional(),
    }),
    async ({ db }, { limit, starting_after: after }) => {
      // Stripe lists the open ones only.
      const found = await listObjects(db, { kind: 'review', after, limit: 100 })
      return listOf(
        found.filter(({ open }) => open),
        '/v1/reviews',
        limit,
      )
    },
  ),
  apiCall('POST /reviews/:id/approve', parameters({}), async (work, _given, { id }) => {
    const review = await lockObject(work.db, 'review', id)
    if (!review) throw noSuch('review', id)
    return closeReview(work, review, 'approved')
  }),
  apiCall(
    'GET /radar/early_fraud_warnings',
    nestedParameters({
      charge: text.optional(),
      limit: integer.pipe(z.number().min(1).max(100)).default(10),
      payment_intent: text.optional(),
      starting_after: text.optional(),
    }),
    async ({ db }, { limit, starting_after: after, ...where }) => {
      const found = await listObjects(db, { kind: 'radar.early_fraud_warning', where, after, limit })
      return listOf(found, '/v1/radar/early_fraud_warnings', limit)
    },
  ),
  apiCall('GET /radar/early_fraud_warnings/:id', parameters({}), async ({ db }, _given, { id }) => {
    const warning = await findObject(db, 'radar.early_fraud_warning', id)
    if (!warning) throw noSuch('early_fraud_warning', id)
    return warning
  }),
]

/** Opens a review of a charge; the caller keeps its id in both objects. */
export async function openReview(
  work: Work,
  { id, payment_intent }: Pick<Charge, 'id' | 'payment_intent'>,
): Promise<Review> {
  const review: Review = {
    id: newId('prv'),
    object: 'review',
    charge: id,
    closed_reason: null,
    created: work.now,
    livemode: false,
    open: true,
    opened_reason: 'rule',
    payment_intent,
    reason: 'rule',
  }
  await insertObject(work.db, review, id)
  await recordEvent(work, 'review.opened', review)
  return review
}

export function closeReview(
  work: Work,
  review: Review,
  reason: NonNullable<Review['closed_reason']>,
): Promise<Review> {
  if (!review.open) throw new StripeError(400, 'This review has already been closed.')
  const fields = { open: false, closed_reason: reason, reason }
  return changeObject(work, review, { fields, type: 'review.closed' })
}

/** Closes the open review of a payment that ended. */
export async function closeReviewOf(work: Work, intent: PaymentIntent, reason: 'canceled' | 'refunded') {
  const review = intent.review === null ? undefined : await lockObject(work.db, 'review', intent.review)
  if (review?.open) await closeReview(work, review, reason)
}

export async function warnOfFraud(work: Work, charge: Charge): Promise<EarlyFraudWarning> {
  const warning: EarlyFraudWarning = {
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: !charge.refunded && !charge.disputed,
    charge: charge.id,
    created: work.now,
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    payment_intent: charge.payment_intent,
  }
  await insertObject(work.db, warning, charge.id)
  await recordEvent(work, 'radar.early_fraud_warning.created', warning)
  return warning
}
