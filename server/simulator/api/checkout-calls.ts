import { z } from 'zod'
import { expireCheckout, expireOverdueCheckouts } from '#server/simulator/life/checkout-life.ts'
import { asShown, newCheckoutSession } from '#server/simulator/objects/checkout-session.ts'
import type { CheckoutSession } from '#server/simulator/objects/stripe-objects.ts'
import type { Work } from '#server/simulator/simulator.ts'
import { findObject, insertObject, listObjects, lockObject } from '#server/simulator/state/object-queries.ts'
import { insertPage } from '#server/simulator/state/page-queries.ts'
import { type ApiCall, apiCall, DEFAULT_LIMIT, listOf } from './api-call.ts'
import { priceNamed } from './catalogue-calls.ts'
import { customerNamed } from './customer-calls.ts'
import {
  emailAddress,
  listParameters,
  metadata,
  oneOf,
  parameters,
  text,
  webAddress,
  wholeNumber,
} from './parameters.ts'
import { noSuch, StripeError } from './stripe-error.ts'

const newSession = parameters({
  mode: oneOf('payment', 'setup', 'subscription'),
  line_items: z
    .array(z.strictObject({ price: text, quantity: wholeNumber(1, 999_999).optional() }))
    .min(1)
    .max(1),
  success_url: webAddress,
  cancel_url: webAddress.optional(),
  customer: text.optional(),
  customer_email: emailAddress.optional(),
  client_reference_id: text.optional(),
  metadata: metadata.optional(),
  subscription_data: z.strictObject({ metadata: metadata.optional() }).optional(),
  ui_mode: oneOf('hosted_page').optional(),
  payment_method_types: z.array(oneOf('card')).optional(),
  expires_at: wholeNumber(0, 4_000_000_000).optional(),
})

export const checkoutCalls: readonly ApiCall[] = [
  apiCall({ method: 'POST', path: '/v1/checkout/sessions', takes: newSession, answer: openCheckout }),
  apiCall({
    method: 'GET',
    path: '/v1/checkout/sessions/{id}',
    takes: parameters({}),
    answer: async (work, { expand }, { id }) => {
      await expireOverdueCheckouts(work)
      const session = await findObject(work.db, 'checkout.session', id)
      if (!session) throw noSuch('checkout.session', id)
      const shown = asShown(session)
      return expand?.includes('line_items') && session.line_items
        ? { ...shown, line_items: session.line_items }
        : shown
    },
  }),
  apiCall({
    method: 'POST',
    path: '/v1/checkout/sessions/{id}/expire',
    takes: parameters({}),
    answer: async (work, _given, { id }) => {
      const session = await lockObject(work.db, 'checkout.session', id)
      if (!session) throw noSuch('checkout.session', id)
      if (session.status !== 'open') throw notOpen(session)
      return asShown(await expireCheckout(work, session))
    },
  }),
  apiCall({
    method: 'GET',
    path: '/v1/checkout/sessions',
    takes: listParameters({
      customer: text.optional(),
      status: oneOf('complete', 'expired', 'open').optional(),
    }),
    answer: async (work, { customer, status, starting_after, limit = DEFAULT_LIMIT }) => {
      await expireOverdueCheckouts(work)
      const found = await listObjects(work.db, {
        kind: 'checkout.session',
        owner: customer,
        states: status && [status],
        after: starting_after,
        limit,
      })
      return listOf(found.map(asShown), '/v1/checkout/sessions', limit)
    },
  }),
]

const HOUR_S = 3_600

async function openCheckout(work: Work, given: z.output<typeof newSession>): Promise<CheckoutSession> {
  if (given.mode !== 'subscription') {
    throw new StripeError(400, `The simulator has checkouts in subscription mode only, not ${given.mode}.`, {
      param: 'mode',
    })
  }
  if (given.customer !== undefined && given.customer_email !== undefined) {
    throw new StripeError(400, 'You may only specify one of these parameters: customer, customer_email.', {
      param: 'customer',
    })
  }
  const [item] = given.line_items
  const draft = newCheckoutSession(
    {
      customer: given.customer === undefined ? undefined : await customerNamed(work, given.customer),
      customerEmail: given.customer_email,
      price: priceNamed(work, 'line_items[0][price]', item?.price ?? ''),
      quantity: item?.quantity ?? 1,
      successUrl: given.success_url,
      cancelUrl: given.cancel_url,
      clientReferenceId: given.client_reference_id,
      metadata: given.metadata ?? {},
      subscriptionMetadata: given.subscription_data?.metadata ?? {},
      expiresAt: expiryOf(given.expires_at, work.now),
    },
    work.now,
  )
  const token = await insertPage(work.db, {
    kind: 'checkout',
    subject: draft.id,
    returnUrl: given.success_url,
    refreshUrl: given.cancel_url ?? null,
    expiresAt: new Date(draft.expires_at * 1000),
  })
  const session = { ...draft, url: `${work.simulator.url}/checkout/${token}` }
  await insertObject(work.db, session, given.customer ?? null)
  return asShown(session)
}

function expiryOf(asked: number | undefined, now: number): number {
  if (asked === undefined) return now + 24 * HOUR_S
  if (asked >= now + HOUR_S / 2 && asked <= now + 24 * HOUR_S) return asked
  throw new StripeError(
    400,
    'The `expires_at` timestamp must be between 30 minutes and 24 hours after Checkout Session creation.',
    { param: 'expires_at' },
  )
}

function notOpen({ status }: CheckoutSession): StripeError {
  return new StripeError(
    400,
    `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${status}\`.`,
  )
}
