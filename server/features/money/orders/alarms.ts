import { sql } from 'kysely'
import { DAY_MS, isEnded, isOpen, MANY_HELD_SHARE } from '#contract/order/order-steps.ts'
import { liveListingsOf } from '#server/features/market/for-sale/tally.ts'
import { findPriceRange } from '#server/features/market/pricing/like-parts.ts'
import type { ProviderCalls } from '#server/features/money/billing/provider.ts'
import { listAdministrators } from '#server/features/people/accounts/persons.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import { paragraphs } from '#server/features/talk/mail/mail-text.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { countInWindow } from '#server/platform/http/limits/rate-limits.ts'
import { letPartGo } from './buyer-deeds.ts'
import { tellSellingStopped } from './letters/release-mails.ts'
import { mailAdministrators, type OrderSite, tell } from './letters/telling.ts'
import { type RefundDeps, requestFullRefund } from './money/refunds.ts'
import {
  changeOrder,
  findOrderById,
  lockOrder,
  moveOrder,
  type Order,
  type OrderLine,
  wasTaken,
  writeEvent,
} from './orders.ts'
import { problemOf } from './selling.ts'
import { holdOrder } from './supervision.ts'

/* What stops orders: a new yard's bargain, a yard whose parts are all in carts, lost payouts, and the provider's own warnings. */

/* Below this share of what nine in ten comparable parts cost, a price is bait. */
const FAR_BELOW = 0.5

/** A new yard's first sale far below the usual price waits for an administrator. */
export async function holdBait(trx: Db, order: Order, deps: RefundDeps): Promise<void> {
  for (const line of order.lines) {
    if (!(await isBait(trx, order, { line, now: deps.now() }))) continue
    const reason = 'The first sale of a new yard, far below the usual price.'
    await holdOrder(trx, { orderId: order.id, by: { side: 'clock' }, reason }, deps)
    return
  }
}

async function isBait(
  trx: Db,
  { sellerId }: Order,
  { line: { listingId, priceCents }, now }: { line: OrderLine; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{
    isNew: boolean
    categoryId: string | null
    modelId: string | null
    yearFrom: number | null
    yearTo: number | null
  }>`
    select s.established_at is null and not exists (
             select from part_order o where o.seller_id = s.id and o.delivered_at is not null) as "isNew",
           l.category_id as "categoryId", l.car_model_id as "modelId", l.year_from as "yearFrom",
           coalesce(l.year_to, l.year_from) as "yearTo"
    from seller s join listing l on l.seller_id = s.id
    where l.id = ${listingId} and s.id = ${sellerId}`.execute(trx)
  const [part] = rows
  if (!part?.isNew || !part.categoryId || !part.modelId || part.yearFrom === null || part.yearTo === null)
    return false
  const { categoryId, modelId, yearFrom, yearTo } = part
  const asked = { categoryId, modelId, yearFrom, yearTo, grade: undefined, except: listingId }
  const range = await findPriceRange(trx, asked, now)
  return range !== undefined && priceCents < range.low * 100 * FAR_BELOW
}

/** Fewer held parts than this are a good day. */
const FEWEST_HELD = 5

/** Tells administrators, once a day, that many of a yard's parts are in unpaid carts: somebody may be blocking it. */
export async function tellManyHeld(
  trx: Db,
  sellerId: string,
  { productName, publicUrl }: OrderSite,
): Promise<void> {
  const { rows } = await sql<{ held: number; live: number; name: string }>`
    select (select count(*)::int from part_hold h where h.seller_id = s.id and h.ended_at is null and h.kind = 'cart') as held,
           ${liveListingsOf(sql`s.id`)}::float8 as live, s.name
    from seller s where s.id = ${sellerId}`.execute(trx)
  const [found] = rows
  if (!found || found.held < FEWEST_HELD || found.held <= found.live * MANY_HELD_SHARE) return
  const { used } = await countInWindow(trx, `many-held:${sellerId}`, 86_400)
  if (used > 1) return
  const mail = {
    subject: `${found.held} of ${found.live} parts of ${found.name} are in unpaid carts`,
    body: `Buyers on ${productName} hold ${found.held} of ${found.live} parts of ${found.name} and have not paid. Somebody may be keeping others from buying there.\n\n${publicUrl}/dashboard/admin/orders?state=pending`,
  }
  for (const to of await listAdministrators(trx)) await queueMail(trx, { to, ...mail })
}

const isStopped = sql`not (s.connect_status = 'VERIFIED' and s.can_transfer)`
const isNews = sql`s.sells_online and (s.stopped_told_at is null) = (${isStopped})`

/** Whether a yard that sells online lost its payout account, or has it back, and that was not noted. */
export const hasStoppedYards = sql`exists (select from seller s where ${isNews})`

/** Tells yards, once each time, that their payout account no longer lets buyers order. */
export async function tellStoppedYards(
  trx: Db,
  { now, site }: { now: Date; site: OrderSite },
): Promise<void> {
  const { rows } = await sql<{ sellerId: string; yard: string; connectStatus: string; canTransfer: boolean }>`
    update seller s set stopped_told_at = case when ${isStopped} then ${now}::timestamptz end where ${isNews}
    returning id as "sellerId", name as yard, connect_status as "connectStatus", can_transfer as "canTransfer"
  `.execute(trx)
  for (const row of rows) {
    const problem = problemOf(row)
    if (problem !== null) await tellSellingStopped(trx, { ...row, problem }, { site })
  }
}

/** Reads what the provider thinks of a payment: a review or a fraud warning stops the order until an administrator releases it. */
export async function readAlarms(
  deps: RefundDeps & { db: Db },
  orderId: string,
  calls: ProviderCalls,
): Promise<void> {
  const found = await findOrderById(deps.db, orderId)
  if (!found?.paymentId) return
  const alarms = await calls.readAlarms(found.paymentId)
  if (!alarms.fraudWarning && !alarms.isReviewed) return
  await inTransaction(deps.db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (isEnded(order.state)) return
    if (alarms.fraudWarning) await stopForFraud(trx, order, deps)
    else await stopForReview(trx, order, deps)
  })
}

const PROVIDER = { side: 'provider' } as const

/** Once: an administrator who released the order has seen the warning. */
async function stopForFraud(trx: Db, order: Order, deps: RefundDeps): Promise<void> {
  if (await wasTaken(trx, order.id, 'fraud-warning')) return
  const now = deps.now()
  await writeEvent(trx, order, { kind: 'fraud-warning', at: now, ...PROVIDER })
  const isUnsent = isOpen(order.state) && order.state !== 'shipped'
  const reason = isUnsent ? `${FRAUD_WARNING} ${DECIDE}` : FRAUD_WARNING
  await holdOrder(trx, { orderId: order.id, by: PROVIDER, reason }, deps)
  const decideBy = isUnsent ? new Date(now.getTime() + DAY_MS) : null
  await changeOrder(trx, order.id, { attention: reason, decide_by: decideBy })
  const { publicUrl, productName } = deps.site
  await mailAdministrators(trx, order.id, {
    subject: `Fraud warning, ${isUnsent ? 'decide within a day' : 'look at it'}: order ${order.number}`,
    button: 'Decide',
    body: paragraphs([
      reason,
      `${publicUrl}/dashboard/admin/orders/${order.id}`,
      `${productName} always sends emails that stop an order.`,
    ]),
  })
}

async function stopForReview(trx: Db, order: Order, deps: RefundDeps): Promise<void> {
  if (await wasTaken(trx, order.id, 'review-opened')) return
  await writeEvent(trx, order, { kind: 'review-opened', at: deps.now(), ...PROVIDER })
  await holdOrder(trx, { orderId: order.id, by: PROVIDER, reason: REVIEW }, deps)
  await changeOrder(trx, order.id, { attention: REVIEW })
}

/** Nobody decided about a fraud warning: the order ends, and the buyer's money goes back. */
export async function refundUndecided(deps: RefundDeps & { db: Db }): Promise<void> {
  const now = deps.now()
  const { rows } = await sql<{ id: string }>`
    select id from part_order where decide_by <= ${now} and state <> 'capturing' and not disputed`.execute(
    deps.db,
  )
  for (const { id } of rows) {
    await inTransaction(deps.db, async (trx) => {
      const order = await lockOrder(trx, id)
      const { rows: due } = await sql`
        select from part_order where id = ${id} and decide_by <= ${now} and state <> 'capturing' and not disputed
      `.execute(trx)
      if (due.length === 0) return
      await changeOrder(trx, id, { decide_by: null, held_at: null, held_reason: null, attention: null })
      const stopped = await lockOrder(trx, id)
      if (order.capturedCents > 0) await requestFullRefund(trx, stopped, UNDECIDED, deps)
      else if (order.state === 'authorized') await dropOrder(trx, stopped, deps)
    })
  }
}

const UNDECIDED = { side: 'clock', reason: 'The payment could not be verified.' } as const

async function dropOrder(trx: Db, order: Order, deps: RefundDeps): Promise<void> {
  const { reason } = UNDECIDED
  const move = { side: 'clock', now: deps.now(), set: { act_at: null }, detail: { reason } } as const
  const moved = await moveOrder(trx, order, 'drop', move)
  await letPartGo(trx, order, deps)
  await tell(trx, moved, 'dropped', { ...deps, reason })
}

/** Whether an event is the provider's review or warning of a payment. */
export async function isAlarm(db: Db, eventId: string | undefined): Promise<boolean> {
  const { rows } = await sql`
    select from stripe_event where id = ${eventId ?? ''} and type ~ '^(review|radar)[.]'`.execute(db)
  return rows.length > 0
}

const FRAUD_WARNING = 'The card network warns that this payment may be fraud.'
const DECIDE = 'Release it or refund it within a day, or it is refunded by itself.'
const REVIEW = 'Stripe is reviewing this payment.'

/** An email about an order that could not be delivered is a thing to look at. */
export async function noteBounces(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ mailId: string; orderId: string; to: string; subject: string }>`
    select m.id as "mailId", m.order_id as "orderId", m.recipient as to, m.subject from mail m
    where m.state = 'failed' and m.order_id is not null
      and not exists (select from order_event e where e.order_id = m.order_id and e.kind = 'mail-bounced'
                      and e.detail ->> 'mail' = m.id::text)
    limit 100`.execute(db)
  for (const { mailId, orderId, subject } of rows) {
    await inTransaction(db, async (trx) => {
      const order = await findOrderById(trx, orderId)
      if (!order) return
      await writeEvent(trx, order, {
        kind: 'mail-bounced',
        at: now,
        side: 'clock',
        detail: { mail: mailId, subject },
      })
      await changeOrder(trx, orderId, { attention: 'An email about this order could not be delivered.' })
    })
  }
}
