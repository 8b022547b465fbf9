import { sql } from 'kysely'
import { DAY_MS, LEFT_PAYMENT } from '#contract/order/order-steps.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { daysAfter } from './deadline-times.ts'
import { freePart } from './letters/held-watch.ts'
import { type OrderSite, tell } from './letters/telling.ts'
import { refuseIfGoingBack, requestFullRefund } from './money/refunds.ts'
import { wantStep } from './money/wanted-steps.ts'
import { revokeLinks } from './order-links.ts'
import { changeOrder, lockOrder, moveOrder, type Order, wasTaken, writeEvent, wrongState } from './orders.ts'
import { deliverOrder } from './returns/delivery.ts'

/* What a buyer does with an order besides paying: cancel it, wait for it, receive it. */

type Deps = { now: () => Date; site: OrderSite }
const BUYER = { side: 'buyer' } as const

/** Cancels what is not confirmed. From then on the yard has to agree, unless it missed its own promise. */
export function cancelOrder(
  db: Db,
  { orderId, reason }: { orderId: string; reason: string },
  deps: Deps,
): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (order.state === 'canceled') return order
    // It may have been paid in another tab, or a moment before.
    if (reason === LEFT_PAYMENT && order.state !== 'pending') return order
    return order.state === 'confirmed'
      ? askToCancel(trx, order, reason, deps)
      : cancelNow(trx, order, reason, deps)
  })
}

async function cancelNow(trx: Db, order: Order, reason: string, deps: Deps): Promise<Order> {
  const now = deps.now()
  const set = { act_at: null, expires_at: null, cancel_reason: reason || null }
  const moved = await moveOrder(trx, order, 'cancel', { ...BUYER, now, set, detail: { reason } })
  await letPartGo(trx, order, deps)
  if (order.state !== 'pending') await tell(trx, moved, 'canceled', { ...deps, reason })
  return moved
}

/** Ends the hold of an order that will not be paid, and what could still be paid at the provider. */
export async function letPartGo(trx: Db, order: Order, deps: Deps): Promise<void> {
  await freePart(trx, order, 'released', deps)
  if (order.state === 'authorized') await wantStep(trx, { orderId: order.id, kind: 'cancel' })
  if (order.state === 'pending') await wantStep(trx, { orderId: order.id, kind: 'expire-session' })
}

async function askToCancel(trx: Db, order: Order, reason: string, deps: Deps): Promise<Order> {
  const now = deps.now()
  const isLate = order.shipBy !== null && order.shipBy < now
  if (isLate) {
    await requestFullRefund(trx, order, { ...BUYER, reason: 'The part was not shipped in time.' }, deps)
    return lockOrder(trx, order.id)
  }
  if (order.cancelAskedAt !== null) return order
  const set = { cancel_asked_at: now, cancel_reason: reason || null }
  const moved = await moveOrder(trx, order, 'ask-cancel', { ...BUYER, now, set, detail: { reason } })
  await tell(trx, moved, 'cancel-asked', { ...deps, reason })
  return moved
}

export function receiveOrder(db: Db, { orderId }: { orderId: string }, deps: Deps): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (order.state === 'delivered' && (await wasTaken(trx, orderId, 'received'))) return order
    return deliverOrder(trx, order, { ...BUYER, step: 'received' }, deps)
  })
}

/** How much longer a buyer waits who agrees to. */
const WAIT_DAYS = 14

/** Answers a notice of delay (16 CFR 435): the buyer waits, or gets the money back. */
export function answerDelay(
  db: Db,
  { orderId, answer }: { orderId: string; answer: 'wait' | 'cancel' },
  deps: Deps,
): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (order.state !== 'confirmed') throw wrongState(order)
    if (order.delayToldAt === null) return order
    const now = deps.now()
    if (answer === 'cancel') {
      await requestFullRefund(
        trx,
        order,
        { ...BUYER, reason: 'The part was late, and the buyer did not want to wait.' },
        deps,
      )
      await changeOrder(trx, orderId, { act_at: null })
      return lockOrder(trx, orderId)
    }
    await refuseIfGoingBack(trx, order)
    const until = daysAfter(new Date(Math.max(now.getTime(), order.shipBy?.getTime() ?? 0)), WAIT_DAYS)
    const set = { delayed_until: until, delay_told_at: null, act_at: until }
    return moveOrder(trx, order, 'delay', { ...BUYER, now, set, detail: { until: until.toISOString() } })
  })
}

/** The order is not this reader's: its links and mails end, and an administrator looks at it. */
export function disownOrder(db: Db, { orderId }: { orderId: string }, deps: Deps): Promise<void> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    await revokeLinks(trx, orderId)
    await changeOrder(trx, orderId, {
      attention: 'The reader of this order’s mails says that it is not theirs.',
    })
    await writeEvent(trx, order, { kind: 'disowned', at: deps.now(), ...BUYER })
  })
}

/** The newest orders of an address that links are mailed for. */
const MOST_LINKED = 10

export async function findOrdersOfAddress(db: Db, email: string, now: Date): Promise<string[]> {
  const since = new Date(now.getTime() - 365 * DAY_MS)
  const { rows } = await sql<{ id: string }>`
    select id from part_order o where lower(email) = ${email.toLowerCase()} and created_at > ${since}
      and not exists (select from order_event where order_id = o.id and kind = 'disowned')
    order by id desc limit ${MOST_LINKED}`.execute(db)
  return rows.map(({ id }) => id)
}
