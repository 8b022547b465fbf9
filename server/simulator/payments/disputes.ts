import { z } from 'zod'
import { type ApiCall, apiCall, listOf } from '#server/simulator/api-call.ts'
import {
  createdRange,
  flag,
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
} from '#server/simulator/store.ts'
import { type Charge, type Dispute, newId } from '#server/simulator/stripe-objects.ts'
import { enter } from './balance.ts'
import { updateCharge } from './charges.ts'
import { checkFiles } from './files.ts'

/* Disputes: the bank takes the money back at once, with a fee, and returns it if the dispute is won. */

// What we would send, and a few that we would not; Stripe has more.
const EVIDENCE = [
  'billing_address',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_email_address',
  'customer_name',
  'product_description',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_tracking_number',
  'uncategorized_text',
] as const satisfies readonly (keyof Dispute['evidence'])[]

/** Those that are ids of files. */
const FILES = [
  'customer_communication',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
] as const satisfies readonly (keyof Dispute['evidence'])[]

const evidence = z.partialRecord(z.enum([...EVIDENCE, ...FILES]), z.string().max(20_000)).optional()

export const disputeCalls: readonly ApiCall[] = [
  apiCall('GET /disputes/:id', parameters({}), async ({ db }, _given, { id }) => {
    const dispute = await findObject(db, 'dispute', id)
    if (!dispute) throw noSuch('dispute', id)
    return dispute
  }),
  apiCall(
    'GET /disputes',
    nestedParameters({
      charge: text.optional(),
      created: createdRange,
      limit: integer.pipe(z.number().min(1).max(100)).default(10),
      payment_intent: text.optional(),
      starting_after: text.optional(),
    }),
    async ({ db }, { created, limit, starting_after: after, ...where }) => {
      const found = await listObjects(db, { kind: 'dispute', where, created, after, limit })
      return listOf(found, '/v1/disputes', limit)
    },
  ),
  apiCall(
    'POST /disputes/:id',
    nestedParameters({ evidence, metadata, submit: flag.default(true) }),
    async (work, given, { id }) => {
      const dispute = await lockOpen(work, id, 'updated')
      await checkFiles(work, filesOf({ ...dispute.evidence, ...given.evidence }))
      const isSubmitted = given.submit && given.evidence !== undefined
      const { evidence_details: details } = dispute
      const fields: Partial<Dispute> = {
        evidence: { ...dispute.evidence, ...given.evidence },
        evidence_details: {
          ...details,
          has_evidence: details.has_evidence || given.evidence !== undefined,
          submission_count: details.submission_count + (isSubmitted ? 1 : 0),
        },
        metadata: { ...dispute.metadata, ...given.metadata },
        ...(isSubmitted && { status: 'under_review' }),
      }
      return changeObject(work, dispute, { fields, type: 'charge.dispute.updated' })
    },
  ),
  apiCall('POST /disputes/:id/close', parameters({}), async (work, _given, { id }) =>
    closeDispute(work, await lockOpen(work, id, 'closed'), 'lost'),
  ),
]

const filesOf = (evidence: Dispute['evidence']) =>
  FILES.flatMap((field) => {
    const id = evidence[field]
    return id ? [{ param: `evidence[${field}]`, id }] : []
  })

const OPEN: readonly Dispute['status'][] = ['needs_response', 'under_review']

export async function lockOpen({ db }: Work, id: string, what: string): Promise<Dispute> {
  const dispute = await lockObject(db, 'dispute', id)
  if (!dispute) throw noSuch('dispute', id)
  if (OPEN.includes(dispute.status)) return dispute
  throw new StripeError(400, `This dispute is ${dispute.status} and can no longer be ${what}.`)
}

// Of a dispute in US dollars; it is not given back.
const FEE_CENTS = 1_500
const ANSWER_S = 9 * 24 * 3_600

/** A buyer's bank disputes a charge. A fully refunded one cannot be disputed. */
export async function openDispute(
  work: Work,
  charge: Charge,
  { amount = charge.amount_captured - charge.amount_refunded, reason }: { amount?: number; reason: string },
): Promise<Dispute> {
  if (!charge.captured || charge.refunded || amount > charge.amount_captured - charge.amount_refunded) {
    throw new StripeError(400, `${charge.id} has not that much to dispute.`)
  }
  if (charge.disputed) throw new StripeError(400, `${charge.id} is disputed already.`)
  const id = newId('du')
  const taken = await enter(work, {
    type: 'adjustment',
    category: 'dispute',
    amount: -amount,
    fee: FEE_CENTS,
    feeDescription: 'Dispute fee',
    description: `Chargeback withdrawal for ${charge.id}`,
    source: id,
  })
  const dispute: Dispute = {
    id,
    object: 'dispute',
    amount,
    balance_transactions: [taken],
    charge: charge.id,
    created: work.now,
    currency: 'usd',
    evidence: {},
    evidence_details: {
      due_by: work.now + ANSWER_S,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: 'needs_response',
  }
  await insertObject(work.db, dispute, charge.id)
  await updateCharge(work, charge, { disputed: true })
  await recordEvent(work, 'charge.dispute.created', dispute)
  await recordEvent(work, 'charge.dispute.funds_withdrawn', dispute)
  return dispute
}

export async function closeDispute(work: Work, dispute: Dispute, outcome: 'won' | 'lost'): Promise<Dispute> {
  if (outcome === 'lost') {
    return changeObject(work, dispute, { fields: { status: 'lost' }, type: 'charge.dispute.closed' })
  }
  const back = await enter(work, {
    type: 'adjustment',
    category: 'dispute_reversal',
    amount: dispute.amount,
    description: `Chargeback reversal for ${dispute.charge}`,
    source: dispute.id,
  })
  const won = await changeObject(work, dispute, {
    fields: {
      balance_transactions: [...dispute.balance_transactions, back],
      is_charge_refundable: true,
      status: 'won',
    },
    type: 'charge.dispute.closed',
  })
  await recordEvent(work, 'charge.dispute.funds_reinstated', won)
  return won
}
