import { sql } from 'kysely'
import { isEnded, MANY_HELD_SHARE } from '#contract/order/order-steps.ts'
import { liveListingsOf } from '#server/features/market/for-sale/tally.ts'
import { findPriceRange } from '#server/features/market/pricing/like-parts.ts'
import type { ProviderCalls } from '#server/features/money/billing/provider.ts'
import { listAdministrators } from '#server/features/people/accounts/persons.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { countInWindow } from '#server/platform/http/limits/rate-limits.ts'
import type { OrderSite } from './letters/telling.ts'
import type { RefundDeps } from './money/refunds.ts'
import { changeOrder, findOrder, type Order, type OrderLine, writeEvent } from './orders.ts'
import { holdOrder } from './supervision.ts'

/* What looks like abuse: a new yard's bargain, a yard whose parts are all in carts, and the provider's own warnings. */

async function mailAdministrators(trx: Db, mail: { subject: string; body: string }): Promise<void> {
  for (const to of await listAdministrators(trx)) await queueMail(trx, { to, ...mail })
}

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
  await mailAdministrators(trx, {
    subject: `${found.held} of ${found.live} parts of ${found.name} are in unpaid carts`,
    body: `Buyers on ${productName} hold ${found.held} of ${found.live} parts of ${found.name} and have not paid. Somebody may be keeping others from buying there.\n\n${publicUrl}/dashboard/admin/orders?state=pending`,
  })
}

/** Reads what the provider thinks of a payment: a review or a fraud warning stops the order until an administrator releases it. */
export async function readAlarms(
  deps: RefundDeps & { db: Db },
  orderId: string,
  calls: ProviderCalls,
): Promise<void> {
  const order = await findOrder(deps.db, sql`o.id = ${orderId}`)
  if (!order?.paymentId) return
  const alarms = await calls.readAlarms(order.paymentId)
  const by = { side: 'provider' as const }
  if (order.heldAt !== null || isEnded(order.state) || !(alarms.fraudWarning || alarms.isReviewed)) return
  const kind = alarms.fraudWarning ? 'fraud-warning' : 'review-opened'
  const reason = alarms.fraudWarning ? FRAUD_WARNING : REVIEW
  await inTransaction(deps.db, async (trx) => {
    await holdOrder(trx, { orderId, by, reason }, deps)
    await writeEvent(trx, order, { kind, at: deps.now(), ...by })
    await changeOrder(trx, orderId, { attention: reason })
  })
}

/** Whether an event is the provider's review or warning of a payment. */
export async function isAlarm(db: Db, eventId: string | undefined): Promise<boolean> {
  const { rows } = await sql`
    select from stripe_event where id = ${eventId ?? ''} and type ~ '^(review|radar)[.]'`.execute(db)
  return rows.length > 0
}

const FRAUD_WARNING =
  'The card network warns that this payment may be fraud. Decide within a day: refund it, or release it.'
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
      const order = await findOrder(trx, sql`o.id = ${orderId}`)
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
