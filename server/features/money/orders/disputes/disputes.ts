import { sql } from 'kysely'
import { isOpenDispute } from '#contract/order/disputes/dispute-words.ts'
import { royaltyBack } from '#contract/order/money/ledger.ts'
import type { LineKind } from '#contract/order/order-quote.ts'
import { allowsStep } from '#contract/order/order-steps.ts'
import type { ProviderCalls, ProviderDispute } from '#server/features/money/billing/provider.ts'
import { tellDispute } from '#server/features/money/orders/letters/dispute-mails.ts'
import type { OrderSite } from '#server/features/money/orders/letters/telling.ts'
import { FEE_OF_YARD, post, readBalances, readLedger } from '#server/features/money/orders/money/ledger.ts'
import { type Cents, sumOf } from '#server/features/money/orders/money/refund-rows.ts'
import { refundable } from '#server/features/money/orders/money/refunds.ts'
import {
  changeOrder,
  lockOrder,
  moveOrder,
  type Order,
  partsCents,
  writeEvent,
} from '#server/features/money/orders/orders.ts'
import { takeBack } from '#server/features/money/orders/release/settling.ts'
import { attachPhotos, detachPhotos } from '#server/features/money/orders/returns/return-photos.ts'
import { dayAfterStop } from '#server/features/money/orders/supervision.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type DisputeRow, findNewestDispute, listDisputes, needsEvidence } from './dispute-rows.ts'

/*
 * What a dispute at the provider means for its order, under the order's lock. Its money is set aside in `dispute` while the
 * bank decides, as that of a refund is in `refunds-due`; what the bank takes comes out of there. Won, it is the order's
 * again; lost, there is nothing left to do.
 */

type Deps = { now: () => Date; site: OrderSite }

const PROVIDER = { side: 'provider' } as const

/** Reads a payment's disputes and writes what they mean. Doing it again changes nothing. */
export async function readDisputes(
  { db, now, site }: Deps & { db: Db },
  orderId: string,
  paymentId: string,
  calls: ProviderCalls,
): Promise<void> {
  for (const found of await calls.readDisputes(paymentId)) {
    await inTransaction(db, (trx) => settleDispute(trx, orderId, found, { now, site }))
  }
}

export async function settleDispute(
  trx: Db,
  orderId: string,
  found: ProviderDispute,
  deps: Deps,
): Promise<void> {
  const order = await lockOrder(trx, orderId)
  const known = await findKnown(trx, order, found)
  // Of two reads the older may be written last: what the bank has decided stays.
  if (known && !isOpenDispute(known.state)) return bookBalance(trx, known, found, deps.now())
  const row = known ?? (await openDispute(trx, order, found, deps))
  await bookBalance(trx, row, found, deps.now())
  await sql`
    update order_dispute set state = ${found.state}, due_at = ${found.dueBy},
      submitted_at = coalesce(submitted_at, ${found.isSubmitted ? deps.now() : null}),
      closed_at = ${isOpenDispute(found.state) ? null : deps.now()}
    where id = ${row.id}`.execute(trx)
  if (found.isSubmitted && row.submittedAt === null)
    await writeEvent(trx, order, { kind: 'evidence-submitted', at: deps.now(), ...PROVIDER })
  if (found.state === 'won') await win(trx, order, found, deps)
  if (found.state === 'lost') await lose(trx, order, found, deps)
}

async function findKnown(trx: Db, { id }: Order, found: ProviderDispute): Promise<DisputeRow | undefined> {
  return (await listDisputes(trx, [id])).find(({ providerId }) => providerId === found.id)
}

async function openDispute(trx: Db, order: Order, found: ProviderDispute, deps: Deps): Promise<DisputeRow> {
  const now = deps.now()
  const cents = await setAside(trx, order, found, now)
  await sql`
    insert into order_dispute (order_id, provider_id, reason, amount_cents, state, due_at, part_cents, shipping_cents,
      core_cents, tax_cents, fee_is_yards, created_at)
    values (${order.id}, ${found.id}, ${found.reason}, ${found.amountCents}, 'needs-response', ${found.dueBy},
      ${cents.part}, ${cents.shipping}, ${cents.core}, ${cents.tax}, ${isYardAtFault(order, now)}, ${now})`.execute(
    trx,
  )
  await changeOrder(trx, order.id, { disputed: true })
  const detail = { amountCents: found.amountCents, reason: found.reason }
  await writeEvent(trx, order, { kind: 'disputed', at: now, ...PROVIDER, detail })
  const row = await findKnown(trx, order, found)
  if (!row) throw new Error(`dispute ${found.id} is gone`)
  await tellDispute(trx, await lockOrder(trx, order.id), { kind: 'dispute-opened', dispute: row }, deps)
  return row
}

/** The yard missed its promise, or nothing proves that it shipped. Who says a pickup code proves it. */
function isYardAtFault({ shippedAt, tracking, deliveredAt, ...order }: Order, now: Date): boolean {
  const promised = order.delayedUntil ?? order.shipBy
  const done = order.delivery === 'ship' ? shippedAt : (order.readyAt ?? deliveredAt)
  const isLate = promised !== null && promised < (done ?? now)
  return isLate || (order.delivery === 'ship' && shippedAt !== null && tracking === null)
}

/** Moves the disputed amount out of the order's accounts, and reverses what was transferred to the yard. */
async function setAside(trx: Db, order: Order, found: ProviderDispute, now: Date): Promise<Cents> {
  const left = await refundable(trx, order)
  const cents = shareOf(left, found.amountCents)
  const of = { partsCents: partsCents(order), royaltyCents: order.royaltyCents }
  const beforeCents = of.partsCents - left.part
  const balances = await readBalances(trx, order.id)
  const most = (account: 'royalty' | 'core' | 'tax', wanted: number) =>
    Math.max(0, Math.min(wanted, -(balances[account] ?? 0)))
  const royalty = most('royalty', royaltyBack(of, { beforeCents, nowCents: cents.part }))
  // A core that lapsed is the yard's by now.
  const core = most('core', cents.core)
  const tax = most('tax', cents.tax)
  const yards = sumOf(cents) - royalty - core - tax
  const missing = yards - Math.max(0, -(balances.held ?? 0))
  if (missing > 0)
    await takeBack(trx, order, { cents: missing, why: 'The buyer’s bank disputes the payment.', now })
  const amounts = { held: yards, royalty, core, tax, dispute: -sumOf(cents) }
  await post(trx, { orderId: order.id, at: now, why: SET_ASIDE, providerId: found.id, amounts })
  return cents
}

const SET_ASIDE = 'disputed'

/** The part first, then shipping, core and tax. */
function shareOf(left: Cents, amountCents: number): Cents {
  let rest = amountCents
  const take = (kind: LineKind) => {
    const cents = Math.max(0, Math.min(left[kind], rest))
    rest -= cents
    return cents
  }
  return { part: take('part'), shipping: take('shipping'), core: take('core'), tax: take('tax') }
}

/** Enters what the bank took or gave back, and the provider's fee for it: each once, as the provider lists them. */
async function bookBalance(
  trx: Db,
  { id, orderId, feeIsYards }: DisputeRow,
  found: ProviderDispute,
  at: Date,
): Promise<void> {
  for (const { id: providerId, amountCents, feeCents } of found.balance) {
    const why = amountCents < 0 ? 'dispute withdrawn' : 'dispute reinstated'
    await post(trx, {
      orderId,
      at,
      why,
      providerId,
      amounts: { provider: amountCents, dispute: -amountCents },
    })
    await post(trx, {
      orderId,
      at,
      why: 'dispute fee',
      providerId,
      amounts: { provider: -feeCents, fees: feeCents },
    })
    if (!feeIsYards) continue
    const amounts = { fees: -feeCents, 'seller-debt': feeCents }
    await post(trx, { orderId, at, why: FEE_OF_YARD, providerId, amounts })
  }
  const taken = found.balance.reduce((sum, { amountCents }) => sum - amountCents, 0)
  const fee = found.balance.reduce((sum, { feeCents }) => sum + feeCents, 0)
  await sql`update order_dispute set taken_cents = ${taken}, fee_cents = ${fee} where id = ${id}`.execute(trx)
}

/** The money that was set aside is the order's again, and its deadlines go on. */
async function win(trx: Db, order: Order, found: ProviderDispute, deps: Deps): Promise<void> {
  const now = deps.now()
  const entries = (await readLedger(trx, order.id)).filter(
    ({ providerId, why }) => providerId === found.id && why === SET_ASIDE,
  )
  const amounts = Object.fromEntries(entries.map(({ account, cents }) => [account, -cents]))
  await post(trx, { orderId: order.id, at: now, why: 'dispute won', providerId: found.id, amounts })
  await changeOrder(trx, order.id, { disputed: false, ...dayAfterStop(order, now) })
  await writeEvent(trx, order, { kind: 'dispute-won', at: now, ...PROVIDER })
  await tellOutcome(trx, order, 'dispute-won', deps)
}

/** The bank keeps what it took. A part that is still in the yard stays there. */
async function lose(trx: Db, order: Order, found: ProviderDispute, deps: Deps): Promise<void> {
  const now = deps.now()
  await coverRest(trx, order, found, now)
  await changeOrder(trx, order.id, { disputed: false })
  const detail = { amountCents: found.amountCents }
  await writeEvent(trx, order, { kind: 'dispute-lost', at: now, ...PROVIDER, detail })
  const after = await lockOrder(trx, order.id)
  if (after.takenCents + after.refundedCents < after.capturedCents) {
    await changeOrder(trx, order.id, dayAfterStop(after, now))
  } else if (allowsStep('charge-back', after)) {
    await moveOrder(trx, after, 'charge-back', {
      ...PROVIDER,
      now,
      set: { act_at: null, restock: 'asked' },
    })
  }
  await tellOutcome(trx, order, 'dispute-lost', deps)
}

/** A refund that failed meanwhile came back to `held`, but the bank has that money, too. */
async function coverRest(trx: Db, order: Order, { id }: ProviderDispute, now: Date): Promise<void> {
  const { dispute = 0, held = 0 } = await readBalances(trx, order.id)
  const cents = Math.min(dispute, -held)
  if (cents <= 0) return
  const amounts = { dispute: -cents, held: cents }
  await post(trx, { orderId: order.id, at: now, why: 'dispute lost', providerId: id, amounts })
}

async function tellOutcome(
  trx: Db,
  { id }: Order,
  kind: 'dispute-won' | 'dispute-lost',
  deps: Deps,
): Promise<void> {
  const dispute = await findNewestDispute(trx, id)
  if (dispute) await tellDispute(trx, await lockOrder(trx, id), { kind, dispute }, deps)
}

const EVIDENCE_IS_SENT = 'The evidence for this dispute is with the bank already, so it can’t be changed.'

/**
 * The newest dispute of an order, as long as nothing has been sent to the bank.
 * @throws AppError NOT_FOUND, STATE
 */
export async function getUnansweredDispute(trx: Db, orderId: string): Promise<DisputeRow> {
  const row = await findNewestDispute(trx, orderId)
  if (!row) throw new AppError('NOT_FOUND', 'This order has no dispute.')
  if (!isOpenDispute(row.state)) throw new AppError('STATE', 'The bank has decided this dispute already.')
  if (row.submittedAt !== null) throw new AppError('STATE', EVIDENCE_IS_SENT)
  return row
}

type DisputeAnswer = {
  orderId: string
  userId: string
  text: string
  /** Undefined: those that it has stay. */
  photoIds?: readonly string[] | undefined
}

/** The yard says what happened; administrators read it with the evidence. The last answer counts. */
export function answerDispute(
  db: Db,
  { orderId, userId, text, photoIds }: DisputeAnswer,
  deps: Deps,
): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const row = await getUnansweredDispute(trx, orderId)
    const isSame = photoIds === undefined || isSameSet(photoIds, row.answerPhotoIds)
    if (row.answer === text && isSame) return order
    if (photoIds) await setPhotos(trx, row, photoIds)
    const now = deps.now()
    await sql`update order_dispute set answer = ${text}, answered_at = ${now} where id = ${row.id}`.execute(
      trx,
    )
    await writeEvent(trx, order, { kind: 'dispute-answered', at: now, side: 'seller', userId })
    await tellDispute(trx, order, { kind: 'dispute-answered', dispute: { ...row, answer: text } }, deps)
    return lockOrder(trx, orderId)
  })
}

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  new Set([...some, ...others]).size === new Set(some).size && some.length >= others.length

async function setPhotos(
  trx: Db,
  { id: disputeId, orderId, answerPhotoIds }: DisputeRow,
  photoIds: readonly string[],
): Promise<void> {
  await detachPhotos(trx, { disputeId, but: photoIds })
  const added = photoIds.filter((id) => !answerPhotoIds.includes(id))
  await attachPhotos(trx, { orderId, side: 'seller', to: { disputeId }, photoIds: added })
}

// Enough time for somebody to read the order and write.
const REMIND_MS = 24 * 3_600_000

export const isReminderDue = (now: Date) => sql`exists (
  select from order_dispute where state = 'needs-response' and submitted_at is null and reminded_at is null
    and due_at <= ${new Date(now.getTime() + REMIND_MS)})`

/** A day before the bank decides without us, administrators are told. */
export async function remindOfDisputes({ db, ...deps }: Deps & { db: Db }): Promise<void> {
  const now = deps.now()
  const soon = new Date(now.getTime() + REMIND_MS)
  const { rows } = await sql<{ id: string; orderId: string }>`
    select id, order_id as "orderId" from order_dispute
    where state = 'needs-response' and submitted_at is null and reminded_at is null and due_at <= ${soon}`.execute(
    db,
  )
  for (const { id, orderId } of rows) {
    await inTransaction(db, async (trx) => {
      const order = await lockOrder(trx, orderId)
      const dispute = (await listDisputes(trx, [orderId])).find((one) => one.id === id)
      const told = await sql`
        update order_dispute set reminded_at = ${now} where id = ${id} and reminded_at is null returning id`.execute(
        trx,
      )
      if (!dispute || !needsEvidence(dispute) || told.rows.length === 0) return
      await tellDispute(trx, order, { kind: 'dispute-due', dispute }, deps)
    })
  }
}
