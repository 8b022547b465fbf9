import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { royaltyBack } from '#contract/order/money/ledger.ts'
import { taxBack } from '#contract/order/money/sales-tax.ts'
import type { LineKind, OrderAmount } from '#contract/order/order-quote.ts'
import { allowsStep, isEnded } from '#contract/order/order-steps.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type { ProviderRefund } from '#server/features/money/billing/provider.ts'
import { listDisputes } from '#server/features/money/orders/disputes/dispute-rows.ts'
import { type OrderSite, tell } from '#server/features/money/orders/letters/telling.ts'
import {
  amountsOf,
  type By,
  changeOrder,
  lockOrder,
  moveOrder,
  type Order,
  type OrderLine,
  partsCents,
  writeEvent,
  wrongState,
} from '#server/features/money/orders/orders.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { post } from './ledger.ts'
import {
  type Cents,
  centsOfRefund,
  listRefunds,
  type OfLine,
  type RefundRow,
  sumOf,
  totalOfRefund,
} from './refund-rows.ts'
import { wantStep } from './wanted-steps.ts'

/* Money back to the buyer. A refund counts once it has succeeded at the provider, and can still fail after that. */

const NOTHING: Cents = { part: 0, shipping: 0, core: 0, tax: 0 }

/** What was paid and is neither on its way back nor disputed, by kind. A failed refund is to be tried again. */
export async function refundable(trx: Db, order: Order): Promise<Cents> {
  const left = leftOf(order, await listRefunds(trx, [order.id]))
  for (const dispute of await listDisputes(trx, [order.id])) {
    if (dispute.state === 'won') continue
    for (const kind of Object.keys(left) as LineKind[]) left[kind] -= dispute.cents[kind]
  }
  return left
}

/** What was paid and is not on its way back, by kind. */
export function leftOf(order: Order, refunds: readonly RefundRow[]): Cents {
  const left = { ...NOTHING }
  for (const { kind, cents } of amountsOf(order) ?? []) left[kind] += cents
  for (const row of refunds) {
    if (row.state === 'failed') continue
    const back = centsOfRefund(row)
    for (const kind of Object.keys(left) as LineKind[]) left[kind] -= back[kind]
  }
  return left
}

export type RefundDeps = { now: () => Date; site: OrderSite }
export type RefundRequest = By & { reason: string; key?: string }

function refuseIfDisputed({ disputed }: Order): void {
  if (!disputed) return
  throw new AppError(
    'STATE',
    'This order is disputed at the bank. Nothing is refunded until that is decided.',
  )
}

/**
 * Refunds all that is left, for what the rules decide.
 * @throws AppError STATE while the order is disputed
 */
export async function requestFullRefund(
  trx: Db,
  order: Order,
  asked: RefundRequest,
  deps: RefundDeps,
): Promise<void> {
  refuseIfDisputed(order)
  const left = await refundable(trx, order)
  if (sumOf(left) > 0) await insertRefund(trx, order, { key: 'all', ...asked, cents: left }, deps)
}

/** Of the order as a whole, or of one of its parts. */
export type RefundLine = OrderAmount & { line?: string | undefined }

/**
 * Refunds amounts of a locked order. The same request again is the same refund.
 * @throws AppError STATE, VALIDATION_FAILED if it is more than what is left
 */
export async function requestRefund(
  trx: Db,
  order: Order,
  { lines, ...asked }: RefundRequest & { lines: readonly RefundLine[] },
  deps: RefundDeps,
): Promise<void> {
  const cents = { ...NOTHING }
  const ofLines: OfLine[] = []
  for (const { kind, amount, line } of lines) {
    cents[kind] += Math.round(amount * 100)
    if (line !== undefined) ofLines.push({ line, kind, cents: Math.round(amount * 100) })
  }
  const key = asked.key ?? JSON.stringify([cents, asked.reason, ...ofLines])
  if (await wasAsked(trx, order.id, key)) return
  refuseIfDisputed(order)
  if (!isRefundable(order)) throw wrongState(order)
  const left = await refundable(trx, order)
  for (const kind of Object.keys(cents) as LineKind[]) {
    if (cents[kind] <= left[kind]) continue
    refuseMore(left[kind], kind === 'part' ? 'the part' : kind)
  }
  // Who names the tax means that amount of it.
  if (!lines.some(({ kind }) => kind === 'tax')) cents.tax = taxOf(order, cents, left)
  for (const ofLine of ofLines)
    refuseMoreOfLine(order, { ofLine, ofLines, before: await listOfLines(trx, order) })
  await insertRefund(trx, order, { ...asked, key, cents, ofLines }, deps)
}

/** The tax that goes back with these amounts. */
function taxOf(order: Order, now: Cents, left: Cents): number {
  const paid = { ...NOTHING }
  for (const { kind, cents } of amountsOf(order) ?? []) paid[kind] += cents
  return taxBack({ paid, left, now, state: order.region })
}

function refuseMore(mostCents: number, what: string): never {
  const sentence = `At most ${moneyInWords(mostCents)} of ${what} can be refunded`
  throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { lines: sentence } })
}

/** What was refunded for its lines before, without what failed. */
const listOfLines = async (trx: Db, { id }: Order): Promise<OfLine[]> =>
  (await listRefunds(trx, [id])).flatMap(({ state, ofLines }) => (state === 'failed' ? [] : ofLines))

type LineCheck = { ofLine: OfLine; ofLines: readonly OfLine[]; before: readonly OfLine[] }

/** A part gives back at most its price and its core charge. */
function refuseMoreOfLine(order: Order, { ofLine: { line, kind }, ofLines, before }: LineCheck): void {
  const part = order.lines.find(({ id }) => id === line)
  if (!part || (kind !== 'part' && kind !== 'core')) {
    const sentence = part ? 'Only price and core charge are of one part' : 'This order has no such part'
    throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { lines: sentence } })
  }
  const sum = (list: readonly OfLine[]) =>
    list.reduce((all, other) => all + (other.line === line && other.kind === kind ? other.cents : 0), 0)
  const left = (kind === 'part' ? part.priceCents : part.coreCents) * part.quantity - sum(before)
  if (sum(ofLines) > left) refuseMore(Math.max(0, left), part.facts.title)
}

type MissingParts = RefundRequest & {
  lines: readonly OrderLine[]
  /** Of the parts that are left. */
  shippingCents: number
}

/** Refunds parts that were paid and are not there, and the shipping that the others do not need; never more than is left. */
export async function refundMissing(
  trx: Db,
  order: Order,
  { lines, shippingCents, ...asked }: MissingParts,
  deps: RefundDeps,
): Promise<void> {
  refuseIfDisputed(order)
  const left = await refundable(trx, order)
  const of = (centsOf: (line: OrderLine) => number) =>
    lines.reduce((sum, line) => sum + centsOf(line) * line.quantity, 0)
  const cents = {
    ...NOTHING,
    part: Math.min(
      left.part,
      of(({ priceCents }) => priceCents),
    ),
    core: Math.min(
      left.core,
      of(({ coreCents }) => coreCents),
    ),
    shipping: Math.max(0, left.shipping - shippingCents),
  }
  cents.tax = taxOf(order, cents, left)
  const ofLines = lines.flatMap(({ id: line, quantity, priceCents, coreCents }) => [
    { line, kind: 'part' as const, cents: priceCents * quantity },
    ...(coreCents > 0 ? [{ line, kind: 'core' as const, cents: coreCents * quantity }] : []),
  ])
  const key = `missing: ${lines.map(({ id }) => id).join()}`
  if (sumOf(cents) > 0) await insertRefund(trx, order, { ...asked, key, cents, ofLines }, deps)
}

/** Also of an order that ended with money: a refund that failed is asked for again. */
export const isRefundable = (order: Order): boolean =>
  !order.disputed &&
  order.capturedCents > order.refundedCents + order.takenCents &&
  (allowsStep('refund', order) || isEnded(order.state))

const keyOf = (key: string): Buffer => createHash('sha256').update(key).digest()

async function wasAsked(trx: Db, orderId: string, key: string): Promise<boolean> {
  const { rows } = await sql`
    select from order_refund where order_id = ${orderId} and client_key = ${keyOf(key)}`.execute(trx)
  return rows.length > 0
}

type NewRefund = { cents: Cents; ofLines?: readonly OfLine[] }

async function insertRefund(
  trx: Db,
  order: Order,
  { side, userId, reason, key = '', cents, ofLines = [] }: RefundRequest & NewRefund,
  deps: RefundDeps,
): Promise<void> {
  const now = deps.now()
  const before = (await listRefunds(trx, [order.id])).filter(({ state }) => state !== 'failed')
  const beforeCents = before.reduce((sum, row) => sum + row.partCents, 0)
  const of = { partsCents: partsCents(order), royaltyCents: order.royaltyCents }
  const royaltyCents = royaltyBack(of, { beforeCents, nowCents: cents.part })
  const { rows } = await sql<{ id: string }>`
    insert into order_refund (order_id, part_cents, shipping_cents, core_cents, tax_cents, royalty_cents, of_lines, reason,
      side, actor_user_id, client_key, created_at)
    values (${order.id}, ${cents.part}, ${cents.shipping}, ${cents.core}, ${cents.tax}, ${royaltyCents},
            ${JSON.stringify(ofLines)}::jsonb, ${reason}, ${side}, ${userId ?? null}, ${keyOf(key)}, ${now})
    on conflict do nothing returning id`.execute(trx)
  if (rows.length === 0) return
  const { id } = onlyRow(rows)
  const total = sumOf(cents)
  await post(trx, {
    orderId: order.id,
    at: now,
    why: 'refund asked',
    providerId: id,
    amounts: { ...accountsOf(order, cents, royaltyCents), 'refunds-due': -total },
  })
  await wantStep(trx, { orderId: order.id, kind: 'refund', amountCents: total, refundId: id })
  const detail = { amountCents: total, reason }
  await writeEvent(trx, order, { kind: 'refund-asked', at: now, side, userId, detail })
  await tell(trx, order, 'refund-asked', { ...deps, refundCents: total, reason })
}

/** Where the money of a refund is: that of a core which did not come back is the yard's. */
function accountsOf({ coreState }: Order, cents: Cents, royaltyCents: number) {
  const lapsed = coreState === 'lapsed' ? cents.core : 0
  return {
    held: cents.part + cents.shipping + lapsed - royaltyCents,
    royalty: royaltyCents,
    core: cents.core - lapsed,
    tax: cents.tax,
  }
}

const negated = (amounts: ReturnType<typeof accountsOf>) => ({
  held: -amounts.held,
  royalty: -amounts.royalty,
  core: -amounts.core,
  tax: -amounts.tax,
})

/** Whether every captured cent is back, or on its way: then nothing is shipped or handed over anymore. */
export const isAllGoingBack = (
  { capturedCents }: Pick<Order, 'capturedCents'>,
  refunds: readonly RefundRow[],
): boolean =>
  capturedCents > 0 &&
  refunds.reduce((sum, row) => sum + (row.state === 'failed' ? 0 : totalOfRefund(row)), 0) >= capturedCents

/** @throws AppError STATE if the buyer gets everything back */
export async function refuseIfGoingBack(trx: Db, order: Order): Promise<void> {
  if (!isAllGoingBack(order, await listRefunds(trx, [order.id]))) return
  throw new AppError('STATE', 'This order is being refunded in full. Do not ship it or hand it over.')
}

type Outcome = { refund: ProviderRefund } | { failed: string }

/** Writes what the provider says of a refund. Doing it again changes nothing. */
export async function settleRefund(
  trx: Db,
  refundId: string,
  outcome: Outcome,
  deps: RefundDeps,
): Promise<void> {
  const row = await findRefund(trx, refundId)
  if (!row) return
  const order = await lockOrder(trx, row.orderId)
  const now = deps.now()
  const state = 'failed' in outcome ? 'failed' : outcome.refund.status
  const providerId = 'failed' in outcome ? null : outcome.refund.id
  const known = await findRefund(trx, refundId)
  if (!known || !isNewState(known.state, state)) return
  await sql`
    update order_refund set state = ${state}, provider_id = coalesce(${providerId}, provider_id),
      problem = ${'failed' in outcome ? outcome.failed : outcome.refund.problem},
      settled_at = ${state === 'pending' ? null : now}
    where id = ${refundId}`.execute(trx)
  if (state === 'succeeded')
    await succeed(trx, order, { row: known, providerId: providerId ?? refundId, now }, deps)
  if (state === 'failed')
    await fail(trx, order, { row: known, providerId: providerId ?? refundId, now }, deps)
}

/** Answers overtake each other: a success can only fail later, and a failure is the end. */
const isNewState = (known: RefundRow['state'], said: RefundRow['state']): boolean =>
  known !== said && known !== 'failed' && !(known === 'succeeded' && said === 'pending')

async function findRefund(trx: Db, id: string): Promise<RefundRow | undefined> {
  const { rows } = await sql<{ orderId: string }>`
    select order_id as "orderId" from order_refund where id = ${id}`.execute(trx)
  const [found] = rows
  return found && (await listRefunds(trx, [found.orderId])).find((row) => row.id === id)
}

type Settled = { row: RefundRow; providerId: string; now: Date }

async function succeed(
  trx: Db,
  order: Order,
  { row, providerId, now }: Settled,
  deps: RefundDeps,
): Promise<void> {
  const total = totalOfRefund(row)
  const refundedCents = order.refundedCents + total
  await changeOrder(trx, order.id, { refunded_cents: refundedCents })
  await post(trx, {
    orderId: order.id,
    at: now,
    why: 'refunded',
    providerId,
    amounts: { 'refunds-due': total, provider: -total },
  })
  const detail = { amountCents: total, reason: row.reason }
  const isWhole = refundedCents === order.capturedCents && allowsStep('refund', order)
  const after = isWhole
    ? await moveOrder(trx, order, 'refund', {
        side: 'provider',
        now,
        detail,
        // A part that came back was asked about already.
        set: { act_at: null, restock: order.restock ?? 'asked' },
      })
    : await lockOrder(trx, order.id)
  if (!isWhole) await writeEvent(trx, order, { kind: 'refunded', at: now, side: 'provider', detail })
  await tell(trx, after, 'refunded', { ...deps, refundCents: total, reason: row.reason })
}

/** The money did not reach the buyer: it is due again, and somebody has to look. */
async function fail(
  trx: Db,
  order: Order,
  { row, providerId, now }: Settled,
  deps: RefundDeps,
): Promise<void> {
  const total = totalOfRefund(row)
  if (row.state === 'succeeded') {
    await changeOrder(trx, order.id, { refunded_cents: order.refundedCents - total })
    await post(trx, {
      orderId: order.id,
      at: now,
      why: 'refund failed',
      providerId,
      amounts: { 'refunds-due': -total, provider: total },
    })
  }
  // As if it had not been asked: it can be asked again, and until then the money is the order's.
  await post(trx, {
    orderId: order.id,
    at: now,
    why: 'refund given up',
    providerId: row.id,
    amounts: { 'refunds-due': total, ...negated(accountsOf(order, centsOfRefund(row), row.royaltyCents)) },
  })
  await sql`update order_refund set client_key = ${keyOf(row.id)} where id = ${row.id}`.execute(trx)
  await changeOrder(trx, order.id, { attention: 'A refund failed: find another way, or try again.' })
  const detail = { amountCents: total, reason: row.reason }
  await writeEvent(trx, order, { kind: 'refund-failed', at: now, side: 'provider', detail })
  await tell(trx, order, 'refund-failed', { ...deps, refundCents: total, reason: row.reason })
}
