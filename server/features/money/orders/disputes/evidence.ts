import { sql } from 'kysely'
import {
  type AdminDispute,
  type Evidence,
  evidenceFieldNames,
} from '#contract/order/disputes/dispute-views.ts'
import { isOpenDispute } from '#contract/order/disputes/dispute-words.ts'
import { dayInWords } from '#contract/order/order-words.ts'
import { timelineText } from '#contract/order/timeline-words.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type { ProviderCalls, ProviderDispute } from '#server/features/money/billing/provider.ts'
import { wordsOf } from '#server/features/money/orders/letters/order-words-of.ts'
import { addressLines, shipmentOf } from '#server/features/money/orders/letters/telling.ts'
import { listRefunds } from '#server/features/money/orders/money/refund-rows.ts'
import { type ProviderStep, wantStep } from '#server/features/money/orders/money/wanted-steps.ts'
import { listEvents, lockOrder, type Order, totalCents } from '#server/features/money/orders/orders.ts'
import { findLead } from '#server/features/talk/leads/leads.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type DisputeRow, findNewestDispute, showToYard } from './dispute-rows.ts'
import { getUnansweredDispute } from './disputes.ts'

/*
 * What the bank reads: prepared from the order each time somebody looks, until an administrator saves a text of their own;
 * sent once, by a wanted step.
 */

async function stageEvidence(db: Db, order: Order, { answer }: DisputeRow, now: Date): Promise<Evidence> {
  const shipment = shipmentOf(order)
  const [lead, refunds, events] = await Promise.all([
    order.leadId === null ? undefined : findLead(db, order.leadId, now),
    listRefunds(db, [order.id]),
    listEvents(db, [order.id]),
  ])
  const words = wordsOf(order, refunds)
  // A bank reads it months later: always with the year.
  const day = (at: Date) => dayInWords(at.toISOString(), order.timeZone, new Date(0))
  const happened = (events.get(order.id) ?? [])
    .filter(({ kind }) => FOR_BANKS.has(kind))
    .map(({ at, ...event }) => `${day(at)}: ${timelineText(event, words, 'admin')}`)
  const said = (lead?.messages ?? []).map(
    ({ createdAt, sender, body }) => `${day(createdAt)}, ${sender === 'buyer' ? 'buyer' : 'seller'}: ${body}`,
  )
  return {
    product_description: order.lines.map(describe).join('\n'),
    customer_name: order.name,
    customer_email_address: order.email,
    shipping_address:
      order.delivery === 'ship' ? addressLines(order).join('\n') : 'Picked up at the seller’s yard',
    shipping_carrier: shipment?.carrierName ?? '',
    shipping_date: order.shippedAt === null ? '' : day(order.shippedAt),
    shipping_tracking_number: order.tracking ?? '',
    refund_policy_disclosure: termsOf(order).join('\n'),
    uncategorized_text: cut(
      [
        `The buyer paid ${moneyInWords(totalCents(order) ?? 0)} for order ${order.number}.`,
        section('What happened', happened),
        section('The seller says', answer === null ? [] : [answer]),
        section('Messages', said),
      ]
        .filter(Boolean)
        .join('\n\n'),
    ),
  }
}

/** What buyer and yard did, and the money. What we thought of it meanwhile, such as a fraud warning, is not evidence. */
const FOR_BANKS: ReadonlySet<string> = new Set([
  'placed',
  'quote',
  'authorize',
  'take',
  'confirm',
  'capture',
  'ask-cancel',
  'delay-told',
  'delay',
  'ship',
  'ready',
  'hand-over',
  'asked-arrived',
  'received',
  'arrive',
  'refunded',
])

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${title}:\n${lines.join('\n')}`

const LONGEST = 20_000
const cut = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`)

function describe({ quantity, facts }: Order['lines'][number]): string {
  return [
    `${quantity} × ${facts.title}, used auto part`,
    facts.grade !== null && `grade ${facts.grade}`,
    facts.partNumber !== null && `part number ${facts.partNumber}`,
    facts.donorVin !== null && `from the vehicle with VIN ${facts.donorVin}`,
    facts.miles !== null && `${facts.miles.toLocaleString('en-US')} miles`,
    facts.fits,
  ]
    .filter(Boolean)
    .join(', ')
}

/** As bought; later edits of the listing change nothing. */
const termsOf = ({ lines }: Order): string[] => {
  const terms = lines.flatMap(({ facts }) => [
    ...facts.terms,
    ...(facts.restricted === null ? [] : [facts.restricted]),
  ])
  return terms.length === 0 ? [] : ['Shown to the buyer before paying:', ...terms]
}

/** For administrators. @throws AppError NOT_FOUND */
export async function showDispute(db: Db, order: Order, now: Date): Promise<AdminDispute> {
  const row = await findNewestDispute(db, order.id)
  if (!row) throw new AppError('NOT_FOUND', 'This order has no dispute.')
  const step = await findSubmission(db, order.id, row)
  const saved = row.evidence ?? (step?.request.evidence as Evidence | undefined)
  return {
    ...showToYard(row),
    provider: row.providerId,
    fee: row.feeCents / 100,
    feeOf: row.feeIsYards ? 'yard' : 'platform',
    evidence: saved ? complete(saved) : await stageEvidence(db, order, row, now),
    isSaved: row.evidence !== null,
    isSending: step?.state === 'wanted',
    submittedAt: row.submittedAt?.toISOString() ?? null,
    problem: step?.state === 'failed' && row.submittedAt === null ? step.problem : null,
  }
}

const complete = (given: Readonly<Record<string, string>>): Evidence =>
  Object.fromEntries(evidenceFieldNames.map((name) => [name, given[name] ?? ''])) as Evidence

type Submission = Pick<ProviderStep, 'id' | 'request'> & { state: string; problem: string | null }

async function findSubmission(db: Db, orderId: string, row: DisputeRow): Promise<Submission | undefined> {
  const { rows } = await sql<Submission>`
    select id, state, problem, request from order_step
    where order_id = ${orderId} and kind = 'submit-evidence' and request ->> 'disputeId' = ${row.providerId}
    order by id desc limit 1`.execute(db)
  return rows[0]
}

type Editing = { orderId: string; evidence: Evidence; by: AuditActor }

export function saveEvidence(db: Db, { orderId, evidence, by }: Editing): Promise<void> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const row = await getUnansweredDispute(trx, orderId)
    await sql`update order_dispute set evidence = ${JSON.stringify(evidence)}::jsonb where id = ${row.id}`.execute(
      trx,
    )
    await writeAudit(trx, {
      action: 'evidence-saved',
      target: orderId,
      detail: { number: order.number },
      ...by,
    })
  })
}

/**
 * Wants the evidence sent. Asked for twice, it is sent once.
 * @throws AppError STATE once it was sent; VALIDATION_FAILED if there is nothing to send
 */
export function wantSubmission(db: Db, { orderId, evidence, by }: Editing): Promise<void> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const row = await getUnansweredDispute(trx, orderId)
    if ((await findSubmission(trx, orderId, row))?.state === 'wanted') return
    const texts = Object.fromEntries(Object.entries(evidence).filter(([, text]) => text !== ''))
    if (Object.keys(texts).length === 0) {
      const sentence = 'Fill in at least one text for the bank'
      throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { evidence: sentence } })
    }
    await sql`update order_dispute set evidence = ${JSON.stringify(evidence)}::jsonb where id = ${row.id}`.execute(
      trx,
    )
    const request = { disputeId: row.providerId, evidence: texts }
    await wantStep(trx, { orderId, kind: 'submit-evidence', request })
    await writeAudit(trx, {
      action: 'evidence-submitted',
      target: orderId,
      detail: { number: order.number },
      ...by,
    })
  })
}

/** Sends the evidence unless the bank has some, or has decided. Returns the dispute as it is then. */
export async function submitToBank(
  { id, request }: ProviderStep,
  paymentId: string,
  calls: ProviderCalls,
): Promise<ProviderDispute | undefined> {
  const { disputeId, evidence } = request
  if (disputeId === undefined || evidence === undefined) return undefined
  const known = (await calls.readDisputes(paymentId)).find((one) => one.id === disputeId)
  // Read first: the last try may have succeeded without our hearing of it.
  if (!known || known.isSubmitted || !isOpenDispute(known.state)) return known
  return calls.submitEvidence(disputeId, evidence, id)
}
