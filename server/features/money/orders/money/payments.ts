import { sql } from 'kysely'
import { royaltyOf } from '#contract/order/money/ledger.ts'
import { endHold, hasHold, keepHold, takeHolds } from '#server/features/market/for-sale/holds.ts'
import type { Payment, PaymentSession } from '#server/features/money/billing/provider.ts'
import { holdBait } from '#server/features/money/orders/alarms.ts'
import { confirmDeadline, daysAfter } from '#server/features/money/orders/deadline-times.ts'
import { freePart } from '#server/features/money/orders/letters/held-watch.ts'
import { type OrderSite, tell } from '#server/features/money/orders/letters/telling.ts'
import {
  changeOrder,
  coreCents,
  lockOrder,
  moveOrder,
  type Order,
  type OrderChanges,
  partsCents,
  totalCents,
  wasTaken,
  writeEvent,
} from '#server/features/money/orders/orders.ts'
import { readSellingYard } from '#server/features/money/orders/quotes.ts'
import { foundLines, takeOff } from '#server/features/money/orders/sold-part.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { post } from './ledger.ts'
import { requestFullRefund } from './refunds.ts'
import { wantStep } from './wanted-steps.ts'

/*
 * What a payment at the provider means for its order. Events only say that there is something to read; the payment as it
 * is now decides, so doubled, shuffled and lost events make no difference.
 */

export type SettleDeps = { now: () => Date; site: OrderSite }

const PROVIDER = { side: 'provider' } as const

/** Writes what a payment means, under the order's lock. Doing it again changes nothing. */
export async function settlePayment(
  trx: Db,
  orderId: string,
  payment: Payment,
  deps: SettleDeps,
): Promise<void> {
  const order = await lockOrder(trx, orderId)
  if (order.paymentId !== null && order.paymentId !== payment.id) return noteOther(trx, order, payment)
  await notePayment(trx, order, payment)
  if (payment.status === 'requires_capture') await settleAuthorized(trx, order, payment, deps)
  if (payment.status === 'succeeded') await settlePaid(trx, order, payment, deps)
  if (payment.status === 'canceled') await settleDropped(trx, order, deps)
  await settleFee(trx, order, payment, deps.now())
}

/** The tax that the payment page added. Before it is paid, the order costs what its buyer was told. */
export async function noteTax(
  trx: Db,
  orderId: string,
  { taxCents }: Pick<PaymentSession, 'taxCents'>,
  { status }: Pick<Payment, 'status'>,
): Promise<void> {
  if (status !== 'requires_capture' && status !== 'succeeded') return
  await sql`
    update part_order set tax_cents = ${taxCents}
    where id = ${orderId} and taxed and captured_cents = 0 and tax_cents <> ${taxCents}`.execute(trx)
}

/** An order has one payment. Money of another one is nobody's until a person looks. */
async function noteOther(trx: Db, { id, attention }: Order, payment: Payment): Promise<void> {
  const hasMoney = payment.status === 'requires_capture' || payment.status === 'succeeded'
  if (!hasMoney || attention !== null) return
  const problem = `There is another payment for this order at the provider: ${payment.id}. Give it back there.`
  await changeOrder(trx, id, { attention: problem })
}

async function notePayment(
  trx: Db,
  order: Order,
  { id, chargeId, captureBefore, risk }: Payment,
): Promise<void> {
  const isKnown = order.paymentId === id && order.chargeId === chargeId && order.risk === risk
  if (isKnown) return
  await changeOrder(trx, order.id, {
    payment_id: id,
    charge_id: chargeId,
    risk,
    ...(captureBefore && { capture_before: captureBefore }),
  })
}

async function settleAuthorized(trx: Db, order: Order, payment: Payment, deps: SettleDeps): Promise<void> {
  const isEarly = order.state === 'pending' || order.state === 'expired'
  if (!isEarly && order.state !== 'canceled' && order.state !== 'not-found') return
  // What is being let go stays let go, though the part came back meanwhile.
  if (await isLettingGo(trx, order.id)) return
  const now = deps.now()
  if (!isEarly || !(await getsPart(trx, order, now))) return refuseLateMoney(trx, order, deps)
  const yard = await readSellingYard(trx, order.sellerId)
  const confirmBy = confirmDeadline({ now, ...yard, captureBefore: payment.captureBefore })
  const set = { confirm_by: confirmBy, act_at: confirmBy, expires_at: null }
  const moved = await moveOrder(trx, order, 'authorize', { ...PROVIDER, now, set })
  await tellIfLate(trx, order, moved, deps)
  await tell(trx, moved, 'authorized', deps)
  await holdBait(trx, moved, deps)
}

async function isLettingGo(trx: Db, orderId: string): Promise<boolean> {
  const { rows } = await sql`
    select from order_step where order_id = ${orderId} and kind = 'cancel' and state <> 'void' limit 1`.execute(
    trx,
  )
  return rows.length > 0
}

/** The order had expired, and the buyer was told so. */
async function tellIfLate(trx: Db, before: Order, revived: Order, deps: SettleDeps): Promise<void> {
  if (before.state === 'expired') await tell(trx, revived, 'late-money', deps)
}

/** Whether the buyer has all parts: they are held for the order, or, after the hold ended, still free. */
async function getsPart(trx: Db, order: Order, now: Date): Promise<boolean> {
  if (await hasHold(trx, order)) {
    await keepHold(trx, order)
    return true
  }
  try {
    const holds = { pieces: order.lines, orderId: order.id, asker: undefined, until: null, now }
    await takeHolds(trx, holds, 'pending')
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'PART_TAKEN') return false
    throw error
  }
}

/** The part went to somebody else, or the order was canceled: what is only authorized is let go. */
async function refuseLateMoney(trx: Db, order: Order, deps: SettleDeps): Promise<void> {
  await wantStep(trx, { orderId: order.id, kind: 'cancel' })
  // It came in time and was let go since: this answer was overtaken.
  if (await wasTaken(trx, order.id, 'authorize')) return
  await writeEvent(trx, order, { kind: 'late-money', at: deps.now(), ...PROVIDER })
  await tell(trx, order, 'late-refund', deps)
}

async function settlePaid(trx: Db, order: Order, payment: Payment, deps: SettleDeps): Promise<void> {
  if (order.capturedCents > 0) return
  const now = deps.now()
  const isWanted = order.state === 'capturing' || order.state === 'authorized'
  if (
    isWanted ||
    ((order.state === 'pending' || order.state === 'expired') && (await getsPart(trx, order, now)))
  ) {
    return confirmPaid(trx, order, payment, deps)
  }
  // Too late, or canceled: the money goes back by itself.
  const paid = await bookCapture(trx, order, payment, { royaltyCents: 0, now })
  await writeEvent(trx, paid, { kind: 'late-money', at: now, ...PROVIDER })
  await requestFullRefund(
    trx,
    paid,
    { side: 'provider', reason: 'The payment came after the order had ended.' },
    deps,
  )
  await tell(trx, paid, 'late-refund', deps)
}

async function confirmPaid(trx: Db, order: Order, payment: Payment, deps: SettleDeps): Promise<void> {
  const now = deps.now()
  const { royaltyPercent, royaltyFloorCents } = order
  const royaltyCents = royaltyOf(partsCents(order), royaltyPercent, royaltyFloorCents)
  await bookCapture(trx, order, payment, { royaltyCents, now })
  const shipBy = daysAfter(now, order.daysToShip)
  // Somebody took all of it at the provider, though the yard had confirmed only some of the parts.
  const isTooMuch = payment.receivedCents > (totalCents(order) ?? payment.receivedCents)
  const set: OrderChanges = {
    ship_by: shipBy,
    act_at: shipBy,
    expires_at: null,
    ...(isTooMuch && { attention: 'More was taken than the order costs. Refund the difference.' }),
  }
  // An authorized payment can be captured at the provider by hand.
  const capturing =
    order.state === 'authorized' ? await moveOrder(trx, order, 'confirm', { ...PROVIDER, now }) : order
  const step = capturing.state === 'capturing' ? 'capture' : 'take'
  const moved = await moveOrder(trx, capturing, step, { ...PROVIDER, now, set })
  await sql`update order_line set state = 'found' where order_id = ${order.id} and state = 'wanted'`.execute(
    trx,
  )
  await endHold(trx, order, 'sold', now)
  await takeOff(trx, { ...order, lines: foundLines(order) }, 'sold-here', now)
  await tellIfLate(trx, order, moved, deps)
  await tell(trx, moved, 'confirmed', deps)
  if (step === 'take') await holdBait(trx, moved, deps)
}

/** Books the money of a payment: for the yard, the core, taxes and us. */
async function bookCapture(
  trx: Db,
  order: Order,
  payment: Payment,
  { royaltyCents, now }: { royaltyCents: number; now: Date },
): Promise<Order> {
  const { receivedCents } = payment
  const [core, tax] = [coreCents(order), order.taxCents]
  await changeOrder(trx, order.id, { captured_cents: receivedCents, royalty_cents: royaltyCents })
  await post(trx, {
    orderId: order.id,
    at: now,
    why: 'captured',
    providerId: payment.chargeId ?? payment.id,
    amounts: {
      provider: receivedCents,
      held: -(receivedCents - core - tax - royaltyCents),
      core: -core,
      tax: -tax,
      royalty: -royaltyCents,
    },
  })
  return lockOrder(trx, order.id)
}

/** The provider tells its fee some time after the payment: it is entered then, never estimated. */
async function settleFee(trx: Db, order: Order, { balance, status }: Payment, now: Date): Promise<void> {
  if (balance === null || status !== 'succeeded' || order.feeCents !== null) return
  await changeOrder(trx, order.id, { fee_cents: balance.feeCents })
  await post(trx, {
    orderId: order.id,
    at: now,
    why: 'fee',
    providerId: balance.id,
    amounts: { fees: balance.feeCents, provider: -balance.feeCents },
  })
}

/** The bank let go of the money, or we did. */
async function settleDropped(trx: Db, order: Order, deps: SettleDeps): Promise<void> {
  if (order.state !== 'authorized' && order.state !== 'capturing') return
  const now = deps.now()
  const moved = await moveOrder(trx, order, 'lose', { ...PROVIDER, now, set: { act_at: null } })
  await freePart(trx, order, 'released', deps)
  await tell(trx, moved, 'lost', deps)
}
