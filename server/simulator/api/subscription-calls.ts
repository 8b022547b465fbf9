import { z } from 'zod'
import {
  cancelAtPeriodEnd,
  changeSubscription,
  endSubscription,
  openSubscription,
  resumeSubscription,
} from '#server/simulator/life/subscription-life.ts'
import type { Subscription } from '#server/simulator/objects/stripe-objects.ts'
import type { Work } from '#server/simulator/simulator.ts'
import { findObject, listObjects, lockObject } from '#server/simulator/state/object-queries.ts'
import { type ApiCall, apiCall, DEFAULT_LIMIT, listOf } from './api-call.ts'
import { priceNamed } from './catalogue-calls.ts'
import { customerNamed } from './customer-calls.ts'
import { mergeMetadata } from './merge-metadata.ts'
import { flag, listParameters, metadata, oneOf, parameters, text, wholeNumber } from './parameters.ts'
import { attachedMethod, canPay } from './payment-method.ts'
import { cardDeclined, noSuch, StripeError } from './stripe-error.ts'

const STATES = [
  'active',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
] as const
/** What a list shows that asks for no state: everything that has not ended. */
const NOT_CANCELED = STATES.filter((state) => state !== 'canceled')
const ENDED = ['canceled', 'incomplete_expired']

const newSubscription = parameters({
  customer: text,
  items: z
    .array(z.strictObject({ price: text, quantity: wholeNumber(1, 999_999).optional() }))
    .min(1)
    .max(1),
  default_payment_method: text.optional(),
  payment_behavior: oneOf(
    'allow_incomplete',
    'default_incomplete',
    'error_if_incomplete',
    'pending_if_incomplete',
  ).optional(),
  collection_method: oneOf('charge_automatically').optional(),
  off_session: flag.optional(),
  metadata: metadata.optional(),
})

const changes = parameters({
  cancel_at_period_end: flag.optional(),
  default_payment_method: text.optional(),
  metadata: metadata.optional(),
})

export const subscriptionCalls: readonly ApiCall[] = [
  apiCall({ method: 'POST', path: '/v1/subscriptions', takes: newSubscription, answer: subscribe }),
  apiCall({
    method: 'GET',
    path: '/v1/subscriptions/{id}',
    takes: parameters({}),
    answer: async (work, _given, { id }) => {
      const subscription = await findObject(work.db, 'subscription', id)
      if (!subscription) throw noSuch('subscription', id)
      return subscription
    },
  }),
  apiCall({
    method: 'GET',
    path: '/v1/subscriptions',
    takes: listParameters({
      customer: text.optional(),
      status: oneOf(...STATES, 'all', 'ended').optional(),
    }),
    answer: async (work, { customer, status, starting_after, limit = DEFAULT_LIMIT }) => {
      const found = await listObjects(work.db, {
        kind: 'subscription',
        owner: customer,
        states: statesOf(status),
        after: starting_after,
        limit,
      })
      return listOf(found, '/v1/subscriptions', limit)
    },
  }),
  apiCall({ method: 'POST', path: '/v1/subscriptions/{id}', takes: changes, answer: change }),
  apiCall({
    method: 'DELETE',
    path: '/v1/subscriptions/{id}',
    takes: parameters({ invoice_now: flag.optional(), prorate: flag.optional() }),
    answer: async (work, _given, { id }) => {
      const subscription = await lockObject(work.db, 'subscription', id)
      if (!subscription || subscription.status === 'canceled') throw noSuch('subscription', id)
      return endSubscription(work, subscription)
    },
  }),
]

function statesOf(status: string | undefined): readonly string[] | undefined {
  if (status === undefined) return NOT_CANCELED
  if (status === 'all') return undefined
  return status === 'ended' ? ENDED : [status]
}

async function subscribe(work: Work, given: z.output<typeof newSubscription>): Promise<Subscription> {
  const customer = await customerNamed(work, given.customer)
  const [item] = given.items
  const price = priceNamed(work, 'items[0][price]', item?.price ?? '')
  const byDefault = customer.invoice_settings.default_payment_method
  const method =
    given.default_payment_method === undefined
      ? byDefault
      : attachedMethod('default_payment_method', given.default_payment_method)
  if (typeof method !== 'string') {
    throw new StripeError(
      400,
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      { code: 'resource_missing' },
    )
  }
  const isPaid = canPay(method) && given.payment_behavior !== 'default_incomplete'
  if (!isPaid && given.payment_behavior === 'error_if_incomplete') throw cardDeclined()
  return openSubscription(work, {
    customer,
    price,
    quantity: item?.quantity ?? 1,
    paymentMethod: given.default_payment_method === undefined ? null : method,
    metadata: mergeMetadata({}, given.metadata),
    isPaid,
  })
}

type Change = z.output<typeof changes>

async function change(work: Work, given: Change, { id }: { id: string }): Promise<Subscription> {
  const found = await lockObject(work.db, 'subscription', id)
  if (!found) throw noSuch('subscription', id)
  const { cancel_at_period_end: cancel, default_payment_method: method } = given
  if (found.status === 'canceled' && (cancel !== undefined || method !== undefined)) {
    throw new StripeError(
      400,
      'A canceled subscription can only update its cancellation_details and metadata.',
    )
  }
  const cancelled = await moveCancellation(work, found, cancel)
  if (method === undefined && given.metadata === undefined) return cancelled
  return changeSubscription(work, cancelled, {
    metadata: mergeMetadata(cancelled.metadata, given.metadata),
    ...(method !== undefined && { default_payment_method: attachedMethod('default_payment_method', method) }),
  })
}

async function moveCancellation(
  work: Work,
  subscription: Subscription,
  cancel: boolean | undefined,
): Promise<Subscription> {
  if (cancel === undefined || cancel === subscription.cancel_at_period_end) return subscription
  return cancel ? cancelAtPeriodEnd(work, subscription) : resumeSubscription(work, subscription)
}
