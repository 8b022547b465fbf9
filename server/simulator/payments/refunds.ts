import { z } from 'zod'
import { type ApiCall, apiCall, listOf } from '#server/simulator/api-call.ts'
import {
  cents,
  createdRange,
  integer,
  metadata,
  nestedParameters,
  noSuch,
  noSuchIn,
  parameters,
  StripeError,
  text,
} from '#server/simulator/parameters.ts'
import { PLATFORM } from '#server/simulator/permissions.ts'
import { clockOf, type Work } from '#server/simulator/simulator.ts'
import {
  changeObject,
  findNextAvailable,
  findObject,
  insertObject,
  listObjects,
  lockObject,
  recordEvent,
  setDue,
} from '#server/simulator/store.ts'
import { type Charge, newId, type Refund } from '#server/simulator/stripe-objects.ts'
import { enter, lockBalance, platformBalance } from './balance.ts'
import { closeReviewOf } from './reviews.ts'

/* Refunds: paid from the platform's available balance, pending while it is short, and sometimes failing later. */

export const refundCalls: readonly ApiCall[] = [
  apiCall(
    'POST /refunds',
    parameters({
      amount: cents.optional(),
      charge: text.optional(),
      metadata,
      payment_intent: text.optional(),
      reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    }),
    async (work, { amount, charge, payment_intent: intent, metadata, reason }) => {
      const refunded = await lockRefundable(work, { charge, intent })
      return refund(work, refunded, { amount, metadata, reason: reason ?? null })
    },
  ),
  apiCall('GET /refunds/:id', parameters({}), async ({ db }, _given, { id }) => {
    const found = await findObject(db, 'refund', id)
    if (!found) throw noSuch('refund', id)
    return found
  }),
  apiCall('POST /refunds/:id', parameters({ metadata }), async (work, { metadata }, { id }) => {
    const found = await lockObject(work.db, 'refund', id)
    if (!found) throw noSuch('refund', id)
    const fields = { metadata: { ...found.metadata, ...metadata } }
    return changeObject(work, found, { fields, type: 'refund.updated' })
  }),
  apiCall(
    'GET /refunds',
    nestedParameters({
      charge: text.optional(),
      created: createdRange,
      limit: integer.pipe(z.number().min(1).max(100)).default(10),
      payment_intent: text.optional(),
      starting_after: text.optional(),
    }),
    async ({ db }, { created, limit, starting_after: after, ...where }) => {
      const found = await listObjects(db, { kind: 'refund', where, created, after, limit })
      return listOf(found, '/v1/refunds', limit)
    },
  ),
]

type Refundable = { readonly charge: string | undefined; readonly intent: string | undefined }

async function lockRefundable({ db }: Work, { charge: id, intent: intentId }: Refundable): Promise<Charge> {
  if (id === undefined && intentId === undefined) {
    throw new StripeError(
      400,
      'One of the following params should be provided for this request: payment_intent or charge.',
    )
  }
  const intent = intentId === undefined ? undefined : await findObject(db, 'payment_intent', intentId)
  if (intentId !== undefined && !intent) throw noSuchIn('payment_intent', 'payment_intent', intentId)
  const wanted = id ?? intent?.latest_charge ?? ''
  const charge = await lockObject(db, 'charge', wanted)
  if (!charge && id !== undefined) throw noSuchIn('charge', 'charge', id)
  if (intent && charge?.payment_intent !== intent.id && charge) {
    throw new StripeError(400, `Charge ${charge.id} does not belong to PaymentIntent ${intent.id}.`)
  }
  if (charge?.captured) return charge
  const [what, which] = intentId === undefined ? ['charge', id] : ['PaymentIntent', intentId]
  throw new StripeError(
    400,
    `This ${what} (${which}) does not have a successful charge to refund.`,
    intent && { payment_intent: intent },
  )
}

type Wanted = {
  readonly amount: number | undefined
  readonly metadata: Record<string, string>
  readonly reason: Refund['reason']
}

async function refund(work: Work, charge: Charge, wanted: Wanted): Promise<Refund> {
  const rest = charge.amount_captured - charge.amount_refunded
  await refuseDisputed(work, charge)
  if (rest === 0) {
    throw new StripeError(400, `Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
      charge: charge.id,
    })
  }
  const amount = wanted.amount ?? rest
  if (amount > rest) {
    throw new StripeError(
      400,
      `Refund amount (${inDollars(amount)}) is greater than unrefunded amount on charge (${inDollars(rest)})`,
      { charge: charge.id, param: 'amount' },
    )
  }
  const made: Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: work.now,
    currency: 'usd',
    metadata: wanted.metadata,
    payment_intent: charge.payment_intent,
    reason: wanted.reason,
    receipt_number: null,
    status: 'pending',
  }
  await insertObject(work.db, made, charge.id)
  const paid = (await payFrom(work, made)) ?? { ...made, pending_reason: 'insufficient_funds' as const }
  await changeObject(work, made, { fields: paid, type: 'refund.created' })
  const refunded = charge.amount_refunded + amount
  const isWhole = refunded === charge.amount_captured
  const fields = { amount_refunded: refunded, refunded: isWhole }
  const changed = await changeObject(work, charge, { fields, type: 'charge.refunded' })
  const intent = await findObject(work.db, 'payment_intent', changed.payment_intent)
  if (isWhole && intent) await closeReviewOf(work, intent, 'refunded')
  return paid
}

async function refuseDisputed({ db }: Work, { id, disputed: isDisputed }: Charge): Promise<void> {
  if (!isDisputed) return
  const [dispute] = await listObjects(db, { kind: 'dispute', where: { charge: id }, limit: 1 })
  if (dispute?.status === 'won') return
  throw new StripeError(400, `Charge ${id} has been charged back; cannot issue a refund.`, {
    code: 'charge_disputed',
    charge: id,
  })
}

/** The refund, paid; undefined if the balance is short or a test keeps refunds pending, and then it is due again. */
async function payFrom(work: Work, refund: Refund): Promise<Refund | undefined> {
  const { db, nowMs, simulator } = work
  const { refunds, failureDelayMs } = simulator.behavior
  await lockBalance(work)
  const { available } = await platformBalance(work)
  if (refunds === 'pending' || available < refund.amount) {
    const next = refunds === 'pending' ? undefined : await findNextAvailable(db, PLATFORM, work.now)
    await setDue(db, refund.id, next === undefined ? clockOf(simulator) + AGAIN_MS : next * 1_000)
    return undefined
  }
  const { id } = await enter(work, { type: 'refund', amount: -refund.amount, source: refund.id })
  await setDue(db, refund.id, refunds === 'fail' ? nowMs + failureDelayMs : null)
  const { pending_reason: _over, ...kept } = refund
  return { ...kept, balance_transaction: id, status: 'succeeded' }
}

const AGAIN_MS = 1_000

/** What was pending is paid when the balance suffices; what a test wants to fail does. */
export async function continueRefund(work: Work, refund: Refund): Promise<void> {
  if (refund.status === 'succeeded') {
    await failRefund(work, refund)
    return
  }
  const paid = refund.status === 'pending' ? await payFrom(work, refund) : undefined
  if (!paid) return
  const { pending_reason: _over, ...kept } = refund
  await changeObject(work, kept, { fields: paid, type: 'refund.updated' })
}

/** The buyer's bank sends the money back: it returns to the balance, and the charge is not refunded after all. */
export async function failRefund(work: Work, refund: Refund): Promise<Refund> {
  const charge = await lockObject(work.db, 'charge', refund.charge)
  if (!charge) throw new Error(`${refund.id} has no charge`)
  const back =
    refund.balance_transaction === null
      ? undefined
      : await enter(work, { type: 'refund_failure', amount: refund.amount, source: refund.id })
  await setDue(work.db, refund.id, null)
  const failed = await changeObject(work, refund, {
    fields: {
      ...(back && { failure_balance_transaction: back.id }),
      failure_reason: 'expired_or_canceled_card',
      status: 'failed',
    },
    type: 'refund.failed',
  })
  await recordEvent(work, 'refund.updated', failed)
  await changeObject(work, charge, {
    fields: { amount_refunded: charge.amount_refunded - refund.amount, refunded: false },
    type: 'charge.updated',
  })
  return failed
}

function inDollars(amount: number): string {
  return `$${(amount / 100).toFixed(2)}`
}
