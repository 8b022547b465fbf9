import { z } from 'zod'
import { type ApiCall, apiCall, listOf } from '#server/simulator/api-call.ts'
import {
  cents,
  createdRange,
  integer,
  metadata,
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
  setDue,
  updateObject,
} from '#server/simulator/store.ts'
import { type Basket, type Charge, newId, type PaymentIntent } from '#server/simulator/stripe-objects.ts'
import { awaitTransaction, insertCharge, updateCharge } from './charges.ts'
import { closeReviewOf, openReview } from './reviews.ts'

/* PaymentIntents: what a Checkout Session pays, authorized first or taken at once. */

export const paymentIntentCalls: readonly ApiCall[] = [
  apiCall('GET /payment_intents/:id', parameters({}), async ({ db }, _given, { id }) => {
    const intent = await findObject(db, 'payment_intent', id)
    if (!intent) throw noSuch('payment_intent', id)
    return intent
  }),
  apiCall(
    'GET /payment_intents',
    nestedParameters({
      created: createdRange,
      limit: integer.pipe(z.number().min(1).max(100)).default(10),
      starting_after: text.optional(),
    }),
    async ({ db }, { created, limit, starting_after: after }) => {
      const found = await listObjects(db, { kind: 'payment_intent', created, after, limit })
      return listOf(found, '/v1/payment_intents', limit)
    },
  ),
  apiCall(
    'POST /payment_intents/:id',
    parameters({ description: text.optional(), metadata }),
    async (work, { description, metadata }, { id }) => {
      const intent = await lockIntent(work, id)
      const fields = {
        description: description ?? intent.description,
        metadata: { ...intent.metadata, ...metadata },
      }
      const changed = { ...intent, ...fields }
      // Stripe has no event for this.
      await updateObject(work.db, changed)
      return changed
    },
  ),
  apiCall(
    'POST /payment_intents/:id/capture',
    parameters({ amount_to_capture: cents.optional(), metadata }),
    (work, given, { id }) => capture(work, id, given),
  ),
  apiCall(
    'POST /payment_intents/:id/cancel',
    parameters({
      cancellation_reason: z
        .enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'])
        .optional(),
    }),
    async (work, { cancellation_reason: reason }, { id }) => {
      const intent = await lockIntent(work, id)
      if (!CANCELABLE.includes(intent.status)) {
        throw unexpectedState(
          intent,
          `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
        )
      }
      const [session] = await listObjects(work.db, {
        kind: 'checkout.session',
        where: { payment_intent: id, status: 'open' },
        limit: 1,
      })
      if (session) {
        throw unexpectedState(
          intent,
          'You cannot cancel this PaymentIntent because it belongs to an open Checkout Session. Expire the Checkout Session instead.',
        )
      }
      return cancel(work, intent, reason ?? null)
    },
  ),
]

const CANCELABLE: readonly PaymentIntent['status'][] = ['requires_capture', 'requires_payment_method']

async function lockIntent({ db }: Work, id: string): Promise<PaymentIntent> {
  const intent = await lockObject(db, 'payment_intent', id)
  if (!intent) throw noSuch('payment_intent', id)
  return intent
}

function unexpectedState(intent: PaymentIntent, message: string): StripeError {
  return new StripeError(400, message, {
    code: 'payment_intent_unexpected_state',
    payment_intent: intent,
  })
}

export type NewIntent = Basket['intent'] & { readonly amount: number; readonly customer: string | null }

export async function insertIntent(work: Work, given: NewIntent): Promise<PaymentIntent> {
  const intent: PaymentIntent = {
    id: newId('pi'),
    object: 'payment_intent',
    amount: given.amount,
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: given.capture_method,
    created: work.now,
    currency: 'usd',
    customer: given.customer,
    description: given.description,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: given.metadata,
    payment_method_types: ['card'],
    review: null,
    statement_descriptor_suffix: given.statement_descriptor_suffix,
    status: 'requires_payment_method',
    transfer_group: given.transfer_group,
  }
  await insertObject(work.db, intent)
  await recordEvent(work, 'payment_intent.created', intent)
  return intent
}

type Billing = Charge['billing_details']

/** Pays with a good card: authorizes or takes the money. */
export async function confirm(work: Work, intent: PaymentIntent, billing: Billing): Promise<PaymentIntent> {
  if (work.simulator.behavior.radar.level === 'highest') return decline(work, intent, billing)
  const isManual = intent.capture_method === 'manual'
  const made = await insertCharge(work, intent, { attempt: isManual ? 'authorized' : 'paid', billing })
  const { id } = made
  const review = work.simulator.behavior.radar.review ? (await openReview(work, made)).id : null
  const charge = review === null ? made : await updateCharge(work, made, { review })
  await recordEvent(work, 'charge.succeeded', charge)
  const common = { last_payment_error: null, latest_charge: id, review }
  if (isManual) {
    const before = charge.payment_method_details.card.capture_before ?? work.now
    await setDue(work.db, intent.id, before * 1_000)
    return changeObject(work, intent, {
      fields: { ...common, amount_capturable: intent.amount, status: 'requires_capture' },
      type: 'payment_intent.amount_capturable_updated',
    })
  }
  await awaitTransaction(work, charge)
  return changeObject(work, intent, {
    fields: { ...common, amount_received: intent.amount, status: 'succeeded' },
    type: 'payment_intent.succeeded',
  })
}

/** An attempt that fails: the bank declines the card, or Radar blocks the payment. Another may follow. */
export async function decline(work: Work, intent: PaymentIntent, billing: Billing): Promise<PaymentIntent> {
  const isBlocked = work.simulator.behavior.radar.level === 'highest'
  const attempt = isBlocked ? 'blocked' : 'declined'
  const charge = await insertCharge(work, intent, { attempt, billing })
  await recordEvent(work, 'charge.failed', charge)
  return changeObject(work, intent, {
    fields: {
      last_payment_error: {
        charge: charge.id,
        code: 'card_declined',
        decline_code: isBlocked ? 'fraudulent' : 'generic_decline',
        message: 'Your card was declined.',
        type: 'card_error',
      },
      latest_charge: charge.id,
      status: 'requires_payment_method',
    },
    type: 'payment_intent.payment_failed',
  })
}

type Capture = { readonly amount_to_capture?: number | undefined; readonly metadata: Record<string, string> }

/** Takes the authorized money, or less of it, once; the rest is released. */
async function capture(work: Work, id: string, given: Capture): Promise<PaymentIntent> {
  const intent = await lockIntent(work, id)
  if (intent.status === 'succeeded') {
    throw unexpectedState(
      intent,
      'This PaymentIntent could not be captured because it has already been captured.',
    )
  }
  if (intent.status !== 'requires_capture') {
    throw unexpectedState(
      intent,
      `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`,
    )
  }
  const amount = given.amount_to_capture ?? intent.amount_capturable
  if (amount > intent.amount_capturable) {
    throw new StripeError(
      400,
      `The provided amount_to_capture is greater than the amount_capturable: ${amount} > ${intent.amount_capturable}.`,
      { code: 'amount_too_large', param: 'amount_to_capture', payment_intent: intent },
    )
  }
  const charge = await lockObject(work.db, 'charge', intent.latest_charge ?? '')
  if (!charge) throw new Error(`${id} has no charge to capture`)
  await setDue(work.db, id, null)
  const captured = await changeObject(work, charge, {
    fields: { amount_captured: amount, captured: true },
    type: 'charge.captured',
  })
  await awaitTransaction(work, captured)
  return changeObject(work, intent, {
    fields: {
      amount_capturable: 0,
      amount_received: amount,
      metadata: { ...intent.metadata, ...given.metadata },
      status: 'succeeded',
    },
    type: 'payment_intent.succeeded',
  })
}

/** Ends a payment that was not taken; its authorization is released. */
export async function cancel(
  work: Work,
  intent: PaymentIntent,
  reason: PaymentIntent['cancellation_reason'],
): Promise<PaymentIntent> {
  await setDue(work.db, intent.id, null)
  await closeReviewOf(work, intent, 'canceled')
  return changeObject(work, intent, {
    fields: {
      amount_capturable: 0,
      canceled_at: work.now,
      cancellation_reason: reason,
      status: 'canceled',
    },
    type: 'payment_intent.canceled',
  })
}

/** An authorization that was not captured in time lapses. */
export async function lapse(work: Work, intent: PaymentIntent): Promise<void> {
  if (intent.status !== 'requires_capture') return
  const charge = await lockObject(work.db, 'charge', intent.latest_charge ?? '')
  if (charge) await recordEvent(work, 'charge.expired', charge)
  await cancel(work, intent, 'automatic')
}
