import { ARRIVED_DAYS, type OrderState, PICKUP_DAYS } from '#contract/order/order-steps.ts'
import type { OrderWords } from '#contract/order/order-words.ts'
import type { SeveralParts } from '#contract/order/several-words.ts'
import { daysAfter } from '#server/features/money/orders/deadline-times.ts'
import { type RefundRow, totalOfRefund } from '#server/features/money/orders/money/refund-rows.ts'
import { isBeforeTax, type Order, totalCents } from '#server/features/money/orders/orders.ts'

/* The facts of an order that its words depend on. */

export const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? name

/** When the present state ends by itself. */
const DEADLINES: Partial<Record<OrderState, (order: Order) => Date | null>> = {
  quoting: ({ expiresAt }) => expiresAt,
  pending: ({ expiresAt }) => expiresAt,
  authorized: ({ confirmBy }) => confirmBy,
  // Once the buyer was told that it is late: until when they can choose.
  confirmed: ({ shipBy, delayedUntil, delayToldAt, actAt }) =>
    delayToldAt === null ? (delayedUntil ?? shipBy) : actAt,
  ready: ({ readyAt }) => readyAt && daysAfter(readyAt, PICKUP_DAYS),
  // A claim that it never arrived stops the clock.
  shipped: ({ shippedAt, actAt }) => actAt && shippedAt && daysAfter(shippedAt, ARRIVED_DAYS),
}

/** Null while the buyer's bank decides: no deadline acts then. */
export const deadlineOf = (order: Order): Date | null =>
  order.disputed ? null : (DEADLINES[order.state]?.(order) ?? null)

export function wordsOf(order: Order, refunds: readonly RefundRow[]): OrderWords {
  const deadline = deadlineOf(order)
  const waiting = refunds.filter(({ state }) => state === 'requested' || state === 'pending')
  return {
    state: order.state,
    mode: order.mode,
    delivery: order.delivery,
    held: order.heldAt !== null,
    disputed: order.disputed,
    takenCents: order.takenCents,
    yard: order.sellerName,
    buyer: firstName(order.name),
    totalCents: totalCents(order) ?? null,
    taxAdded: isBeforeTax(order),
    capturedCents: order.capturedCents,
    refundedCents: order.refundedCents,
    refundPendingCents: waiting.reduce((sum, row) => sum + totalOfRefund(row), 0),
    refundFailed: refunds.at(-1)?.state === 'failed',
    deadline: deadline && { at: deadline.toISOString(), zone: order.timeZone },
    shipsBy: (order.delayedUntil ?? order.shipBy)?.toISOString() ?? null,
    timeZone: order.timeZone,
    cancelAsked: order.cancelAskedAt !== null && order.state === 'confirmed',
    delayed: order.delayToldAt !== null && order.state === 'confirmed',
    several: severalOf(order),
    returning: order.openReturns > 0,
  }
}

function severalOf({ lines, ifMissing }: Order): SeveralParts | null {
  if (lines.length < 2) return null
  const missing = lines.flatMap(({ state, facts }) => (state === 'not-found' ? [facts.title] : []))
  return { count: lines.length, ifMissing, missing }
}
