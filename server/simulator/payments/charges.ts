import { z } from 'zod'
import { type ApiCall, apiCall, listOf } from '#server/simulator/api-call.ts'
import {
  createdRange,
  integer,
  nestedParameters,
  noSuch,
  parameters,
  text,
} from '#server/simulator/parameters.ts'
import type { Work } from '#server/simulator/simulator.ts'
import {
  changeObject,
  findObject,
  insertObject,
  listObjects,
  setDue,
  updateObject,
} from '#server/simulator/store.ts'
import { type Charge, newId, type PaymentIntent } from '#server/simulator/stripe-objects.ts'
import { enter, SETTLING_S } from './balance.ts'

/* Charges: one for each attempt to pay; the money of a captured one enters the balance a moment later. */

export const chargeCalls: readonly ApiCall[] = [
  apiCall('GET /charges/:id', parameters({}), async ({ db }, _given, { id }) => {
    const charge = await findObject(db, 'charge', id)
    if (!charge) throw noSuch('charge', id)
    return charge
  }),
  apiCall(
    'GET /charges',
    nestedParameters({
      created: createdRange,
      limit: integer.pipe(z.number().min(1).max(100)).default(10),
      payment_intent: text.optional(),
      starting_after: text.optional(),
      transfer_group: text.optional(),
    }),
    async ({ db }, { created, limit, starting_after: after, ...where }) => {
      const found = await listObjects(db, { kind: 'charge', where, created, after, limit })
      return listOf(found, '/v1/charges', limit)
    },
  ),
]

// How long most card networks keep an authorization for payments without the card.
const AUTHORIZED_S = 7 * 24 * 3_600

export type Attempt = 'authorized' | 'paid' | 'declined' | 'blocked'

/** What the card network and Radar said, in Stripe's words. */
const OUTCOMES = {
  normal: { risk_level: 'normal', risk_score: 17 },
  elevated: { risk_level: 'elevated', risk_score: 68 },
  highest: { risk_level: 'highest', risk_score: 91 },
} as const

function outcomeOf({ simulator }: Work, attempt: Attempt): Charge['outcome'] {
  const risk = OUTCOMES[simulator.behavior.radar.level]
  if (attempt === 'blocked') {
    return {
      network_status: 'not_sent_to_network',
      reason: 'highest_risk_level',
      ...risk,
      seller_message: 'Stripe blocked this payment as too risky.',
      type: 'blocked',
    }
  }
  if (attempt === 'declined') {
    return {
      network_status: 'declined_by_network',
      reason: 'generic_decline',
      ...risk,
      seller_message: 'The bank did not return any further details with this decline.',
      type: 'issuer_declined',
    }
  }
  const seller_message =
    risk.risk_level === 'elevated'
      ? 'Stripe evaluated this payment as having elevated risk.'
      : 'Payment complete.'
  return { network_status: 'approved_by_network', reason: null, ...risk, seller_message, type: 'authorized' }
}

const FAILED = { failure_code: 'card_declined', failure_message: 'Your card was declined.' }

/** Records an attempt to pay, with its event. */
export async function insertCharge(
  work: Work,
  intent: PaymentIntent,
  { attempt, billing }: { attempt: Attempt; billing: Charge['billing_details'] },
): Promise<Charge> {
  const { now, simulator } = work
  const isFailed = attempt === 'declined' || attempt === 'blocked'
  const isPaid = attempt === 'paid'
  const prefix = simulator.behavior.setup.statementPrefix
  const suffix = intent.statement_descriptor_suffix
  const charge: Charge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: isPaid ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: null,
    billing_details: billing,
    calculated_statement_descriptor: suffix === null ? prefix : `${prefix}* ${suffix}`,
    captured: isPaid,
    created: now,
    currency: 'usd',
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    ...(isFailed ? FAILED : { failure_code: null, failure_message: null }),
    livemode: false,
    metadata: intent.metadata,
    outcome: outcomeOf(work, attempt),
    paid: !isFailed,
    payment_intent: intent.id,
    payment_method_details: {
      type: 'card',
      card: {
        amount_authorized: intent.amount,
        brand: 'visa',
        ...(attempt === 'authorized' && { capture_before: now + AUTHORIZED_S }),
        country: 'US',
        exp_month: 12,
        exp_year: new Date(now * 1_000).getUTCFullYear() + 3,
        last4: isFailed ? '0002' : '4242',
      },
    },
    receipt_url: null,
    refunded: false,
    review: null,
    statement_descriptor_suffix: suffix,
    status: isFailed ? 'failed' : 'succeeded',
    transfer_group: intent.transfer_group,
  }
  await insertObject(work.db, charge, intent.id)
  return charge
}

/** The money of a captured charge enters the balance a moment later, as at Stripe. */
export function awaitTransaction({ db, nowMs, simulator }: Work, charge: Charge): Promise<void> {
  return setDue(db, charge.id, nowMs + simulator.behavior.balanceDelayMs)
}

const FEE_RATE = 0.029
const FEE_CENTS = 30

export async function enterCharge(work: Work, charge: Charge): Promise<void> {
  if (!charge.captured || charge.balance_transaction !== null) return
  const { id } = await enter(work, {
    type: 'charge',
    amount: charge.amount_captured,
    fee: Math.round(charge.amount_captured * FEE_RATE) + FEE_CENTS,
    feeDescription: 'Stripe processing fees',
    description: charge.description,
    source: charge.id,
    availableOn: work.now + SETTLING_S,
  })
  await changeObject(work, charge, { fields: { balance_transaction: id }, type: 'charge.updated' })
}

/** When the money of a charge is available. */
export async function availableOnOf({ db, now }: Work, charge: Charge): Promise<number> {
  const id = charge.balance_transaction
  const transaction = id === null ? undefined : await findObject(db, 'balance_transaction', id)
  return Math.max(now, transaction?.available_on ?? now + SETTLING_S)
}

/** Changes a charge without an event. */
export async function updateCharge(work: Work, charge: Charge, fields: Partial<Charge>): Promise<Charge> {
  const changed = { ...charge, ...fields }
  await updateObject(work.db, changed)
  return changed
}
