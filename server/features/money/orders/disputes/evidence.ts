import { sql } from 'kysely'
import {
  type AdminDispute,
  type Evidence,
  evidenceFieldNames,
} from '#contract/order/disputes/dispute-views.ts'
import { isOpenDispute } from '#contract/order/disputes/dispute-words.ts'
import { dayInWords } from '#contract/order/order-words.ts'
import { reasonsInWords, returnEvents } from '#contract/order/returns/return-words.ts'
import { timelineText } from '#contract/order/timeline-words.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type { ProviderCalls, ProviderDispute } from '#server/features/money/billing/provider.ts'
import { wordsOf } from '#server/features/money/orders/letters/order-words-of.ts'
import { addressLines, type OrderSite, shipmentOf } from '#server/features/money/orders/letters/telling.ts'
import { listRefunds } from '#server/features/money/orders/money/refund-rows.ts'
import { type ProviderStep, wantStep } from '#server/features/money/orders/money/wanted-steps.ts'
import { listEvents, lockOrder, type Order, totalCents } from '#server/features/money/orders/orders.ts'
import { listReturns } from '#server/features/money/orders/returns/return-rows.ts'
import { findLead } from '#server/features/talk/leads/leads.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { type DisputeRow, findNewestDispute, showToYard } from './dispute-rows.ts'
import { getUnansweredDispute } from './disputes.ts'
import { checkChosen, chosenAtFirst, evidenceFile, listEvidencePhotos } from './evidence-photos.ts'

/*
 * What the bank reads: prepared from the order each time somebody looks, until an administrator saves a text of their own;
 * sent once, by a wanted step.
 */

async function stageEvidence(db: Db, order: Order, { answer }: DisputeRow, now: Date): Promise<Evidence> {
  const shipment = shipmentOf(order)
  const [lead, refunds, events, returns] = await Promise.all([
    order.leadId === null ? undefined : findLead(db, order.leadId, now),
    listRefunds(db, [order.id]),
    listEvents(db, [order.id]),
    listReturns(db, [order.id]),
  ])
  const words = wordsOf(order, refunds)
  // A bank reads it months later: always with the year.
  const day = (at: Date) => dayInWords(at.toISOString(), order.timeZone, new Date(0))
  const happened = (events.get(order.id) ?? [])
    .filter(({ kind }) => FOR_BANKS.has(kind) || isOfReturn(kind))
    .map(({ at, ...event }) => `${day(at)}: ${timelineText(event, words, 'admin')}`)
  const said = (lead?.messages ?? []).map(
    ({ createdAt, sender, body }) => `${day(createdAt)}, ${sender === 'buyer' ? 'buyer' : 'seller'}: ${body}`,
  )
  const asked = returns.flatMap(({ createdAt, reason, note, answer: reply }) => [
    ...(note === '' ? [] : [`${day(createdAt)}, buyer (${reasonsInWords[reason]}): ${note}`]),
    ...(reply === null ? [] : [`Seller: ${reply}`]),
  ])
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
        section('Returns and claims', asked),
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

const isOfReturn = (kind: string): boolean => kind.startsWith('return-') && kind !== returnEvents.reminded

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
  const photos = await listEvidencePhotos(db, order)
  const chosen = row.photoIds ?? chosenAtFirst(photos)
  return {
    ...showToYard(row, order),
    provider: row.providerId,
    fee: row.feeCents / 100,
    feeOf: row.feeIsYards ? 'yard' : 'platform',
    evidence: saved ? complete(saved) : await stageEvidence(db, order, row, now),
    photos: photos.map(({ id, caption }) => ({ id, caption, isChosen: chosen.includes(id) })),
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

type Editing = {
  orderId: string
  evidence: Evidence
  /** Undefined: as they are chosen. */
  photoIds: readonly string[] | undefined
  by: AuditActor
}

/** @throws AppError VALIDATION_FAILED for photos that are not the order's */
export function saveEvidence(db: Db, { by, ...editing }: Editing): Promise<void> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, editing.orderId)
    await keep(trx, order, await getUnansweredDispute(trx, order.id), editing)
    await writeAudit(trx, {
      action: 'evidence-saved',
      target: order.id,
      detail: { number: order.number },
      ...by,
    })
  })
}

/** Returns the ids of the photos that are chosen now. */
async function keep(
  trx: Db,
  order: Order,
  row: DisputeRow,
  { evidence, photoIds }: Pick<Editing, 'evidence' | 'photoIds'>,
): Promise<readonly string[]> {
  const chosen = photoIds ?? row.photoIds ?? chosenAtFirst(await listEvidencePhotos(trx, order))
  if (photoIds) await checkChosen(trx, order, photoIds)
  await sql`
    update order_dispute set evidence = ${JSON.stringify(evidence)}::jsonb, photo_ids = ${[...chosen]}::uuid[]
    where id = ${row.id}`.execute(trx)
  return chosen
}

/**
 * Wants the evidence sent. Asked for twice, it is sent once.
 * @throws AppError STATE once it was sent; VALIDATION_FAILED if there is nothing to send
 */
export function wantSubmission(db: Db, { orderId, evidence, photoIds: given, by }: Editing): Promise<void> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const row = await getUnansweredDispute(trx, orderId)
    if ((await findSubmission(trx, orderId, row))?.state === 'wanted') return
    const texts = Object.fromEntries(Object.entries(evidence).filter(([, text]) => text !== ''))
    if (Object.keys(texts).length === 0) {
      const sentence = 'Fill in at least one text for the bank'
      throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { evidence: sentence } })
    }
    const photoIds = await keep(trx, order, row, { evidence, photoIds: given })
    const request = { disputeId: row.providerId, evidence: texts, photoIds }
    await wantStep(trx, { orderId, kind: 'submit-evidence', request })
    await writeAudit(trx, {
      action: 'evidence-submitted',
      target: orderId,
      detail: { number: order.number },
      ...by,
    })
  })
}

type Sending = { db: Db; files: FileStore; site: Pick<OrderSite, 'productName'> }

/**
 * Sends the evidence unless the bank has some, or has decided. Returns the dispute as it is then, or why it cannot be
 * sent.
 */
export async function submitToBank(
  deps: Sending,
  step: ProviderStep,
  { order, paymentId }: { order: Order; paymentId: string },
  calls: ProviderCalls,
): Promise<ProviderDispute | { problem: string } | undefined> {
  const { disputeId, evidence } = step.request
  if (disputeId === undefined || evidence === undefined) return undefined
  const known = (await calls.readDisputes(paymentId)).find((one) => one.id === disputeId)
  // Read first: the last try may have succeeded without our hearing of it.
  if (!known || known.isSubmitted || !isOpenDispute(known.state)) return known
  const file = await handInPhotos(deps, step, order, calls)
  if (file?.problem !== undefined) return { problem: file.problem }
  return calls.submitEvidence(
    disputeId,
    { ...evidence, ...(file && { uncategorized_file: file.id }) },
    step.id,
  )
}

type HandedIn = { id: string; problem?: never } | { problem: string; id?: never }

/** Hands in the chosen photos once: the next try uses the same file, even if this one ends before it has the answer. */
async function handInPhotos(
  { site, ...deps }: Sending,
  { id, request: { photoIds = [], fileId } }: ProviderStep,
  order: Order,
  calls: ProviderCalls,
): Promise<HandedIn | undefined> {
  if (fileId !== undefined) return { id: fileId }
  if (photoIds.length === 0) return undefined
  const file = await evidenceFile(deps, order, { photoIds, creator: site.productName })
  if ('problem' in file) return file
  const handedIn = await calls.uploadEvidence(file, `${id}-${file.hash.slice(0, 16)}`)
  await sql`
    update order_step set request = request || jsonb_build_object('fileId', ${handedIn}::text)
    where id = ${id}`.execute(deps.db)
  return { id: handedIn }
}
