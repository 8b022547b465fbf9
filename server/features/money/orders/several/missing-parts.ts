import { sql } from 'kysely'
import { endHoldOfParts } from '#server/features/market/for-sale/holds.ts'
import { freePart } from '#server/features/money/orders/letters/held-watch.ts'
import { type OrderSite, tell } from '#server/features/money/orders/letters/telling.ts'
import {
  refundMissing,
  refuseIfGoingBack,
  requestFullRefund,
} from '#server/features/money/orders/money/refunds.ts'
import { wantStep } from '#server/features/money/orders/money/wanted-steps.ts'
import {
  type By,
  lockOrder,
  moveOrder,
  type Order,
  type OrderLine,
  requireStep,
  shippingCentsOf,
  writeEvent,
} from '#server/features/money/orders/orders.ts'
import { endAs, foundLines, putBack, takeOff } from '#server/features/money/orders/sold-part.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/*
 * Parts of an order that the yard cannot find: their listings end, and the buyer chose before paying what becomes of the
 * others. Before the money is taken, what is missing is not paid; afterwards it is refunded.
 */

type Deps = { now: () => Date; site: OrderSite }

/**
 * The lines with these ids.
 * @throws AppError VALIDATION_FAILED for an id that the order has not
 */
export function linesById(order: Order, ids: readonly string[]): OrderLine[] {
  const wanted = new Set(ids)
  const found = order.lines.filter(({ id }) => wanted.has(id))
  if (found.length === wanted.size) return found
  const sentence = `Order ${order.number} has no such part`
  throw new AppError('VALIDATION_FAILED', `${sentence}. Send the ids of its parts.`, {
    fields: { lines: sentence },
  })
}

async function setNotFound(trx: Db, lines: readonly OrderLine[]): Promise<void> {
  const ids = lines.map(({ id }) => id)
  await sql`update order_line set state = 'not-found' where id = any(${ids}::uuid[])`.execute(trx)
}

/** Leaves parts out of an order whose money was not taken yet. Returns the order that is left. */
export async function leaveOut(
  trx: Db,
  order: Order,
  missing: readonly OrderLine[],
  now: Date,
): Promise<Order> {
  await setNotFound(trx, missing)
  await takeOff(trx, { ...order, lines: missing }, 'withdrawn', now)
  const listingIds = missing.map(({ listingId }) => listingId)
  await endHoldOfParts(trx, { orderId: order.id, listingIds, now })
  return lockOrder(trx, order.id)
}

type Missing = By & { lines: readonly OrderLine[]; reason: string }

/** Ends an order because parts of it are not there. What is there is for sale again. */
export async function endOrder(
  trx: Db,
  order: Order,
  { lines, reason, ...by }: Missing,
  deps: Deps,
): Promise<Order> {
  const now = deps.now()
  const set = { act_at: null }
  const moved = await moveOrder(trx, order, 'not-found', { ...by, now, set, detail: { reason } })
  const rest = foundLines(order).filter((line) => !lines.includes(line))
  await setNotFound(trx, lines)
  if (order.capturedCents > 0) {
    await endAs(trx, { ...order, lines }, 'withdrawn')
    await putBack(trx, { ...order, lines: rest })
    await requestFullRefund(trx, moved, { ...by, reason: 'The yard could not find the part.' }, deps)
  } else {
    await takeOff(trx, { ...order, lines }, 'withdrawn', now)
    await freePart(trx, order, 'released', deps)
    await wantStep(trx, { orderId: order.id, kind: 'cancel' })
  }
  const ended = await lockOrder(trx, order.id)
  await tell(trx, ended, 'not-found', { ...deps, reason })
  return ended
}

/** Refunds parts of a paid order that are not there, and what shipping the others costs less. The order goes on. */
export async function refundLines(
  trx: Db,
  order: Order,
  { lines, reason, ...by }: Missing,
  deps: Deps,
): Promise<Order> {
  requireStep(order, 'not-found')
  if (order.state === 'authorized') {
    const sentence = 'Confirm the parts that you found; the others then count as not found'
    throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { lines: sentence } })
  }
  await refuseIfGoingBack(trx, order)
  const rest = foundLines(order).filter((line) => !lines.includes(line))
  await setNotFound(trx, lines)
  await endAs(trx, { ...order, lines }, 'withdrawn')
  const titles = lines.map(({ facts }) => facts.title)
  await writeEvent(trx, order, { kind: 'part-missing', at: deps.now(), ...by, detail: { titles, reason } })
  const missing = { lines, shippingCents: shippingCentsOf(order, rest) ?? 0 }
  const asked = { ...by, reason: `Not found: ${titles.join(', ')}.` }
  await refundMissing(trx, await lockOrder(trx, order.id), { ...asked, ...missing }, deps)
  return lockOrder(trx, order.id)
}
