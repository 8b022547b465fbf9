import { randomInt } from 'node:crypto'
import {
  ASK_ARRIVED_DAYS,
  isPaid,
  PICKUP_REMINDER_DAYS,
  QUOTE_VALID_MS,
} from '#contract/order/order-steps.ts'
import type { JsonObject } from '#db/schema.gen.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { daysAfter } from './deadline-times.ts'
import { type OrderSite, tell } from './letters/telling.ts'
import { refuseIfGoingBack } from './money/refunds.ts'
import { wantStep } from './money/wanted-steps.ts'
import {
  type By,
  changeOrder,
  lockOrder,
  moveOrder,
  type Order,
  type OrderLine,
  requireStep,
  totalCents,
  wasTaken,
  writeEvent,
  wrongState,
} from './orders.ts'
import { deliverOrder } from './returns/delivery.ts'
import { endOrder, leaveOut, linesById, refundLines } from './several/missing-parts.ts'
import { endAs, foundLines, putBack } from './sold-part.ts'

/* What a yard does with an order: name a price, find the part, ship it or hand it over. */

type Deps = { now: () => Date; site: OrderSite }
type Deed = { orderId: string; by: By }

/** The yard names the shipping price, or another one before the buyer has paid. */
export function quoteShipping(
  db: Db,
  { orderId, by, shippingCents, days }: Deed & { shippingCents: number; days: number },
  deps: Deps,
): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (order.state === 'quoting' && order.shippingCents === shippingCents && order.daysToShip === days)
      return order
    const expiresAt = new Date(deps.now().getTime() + QUOTE_VALID_MS)
    const set = {
      shipping_cents: shippingCents,
      days_to_ship: days,
      expires_at: expiresAt,
      act_at: expiresAt,
    }
    const detail = { amountCents: shippingCents, days }
    const moved = await moveOrder(trx, order, 'quote', { ...by, now: deps.now(), set, detail })
    await tell(trx, moved, 'quoted', deps)
    return moved
  })
}

/**
 * The yard has the parts in hand, or only these of them: the money for them is asked for, and the order is confirmed once it
 * is taken. If one is missing and the buyer wanted all or nothing, the order ends.
 * @throws AppError STATE, VALIDATION_FAILED for parts that the order has not
 */
export function confirmOrder(
  db: Db,
  { orderId, by, fitsVin, found }: Deed & { fitsVin: boolean; found: readonly string[] | undefined },
  deps: Deps,
): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const foundHere = found === undefined ? order.lines : linesById(order, found)
    if (order.state !== 'authorized' && (await wasTaken(trx, orderId, 'confirm'))) return order
    const missing = order.lines.filter((line) => !foundHere.includes(line))
    if (order.state === 'not-found' && missing.length > 0) return order
    requireStep(order, 'confirm')
    const [now, isShort] = [deps.now(), missing.length > 0]
    if (isShort && order.ifMissing !== 'send') {
      return endOrder(trx, order, { ...by, lines: missing, reason: titlesOf(missing) }, deps)
    }
    const rest = isShort ? await leaveOut(trx, order, missing, now) : order
    const set = { act_at: null, vin_confirmed: fitsVin && order.vin !== null }
    const detail = countOfFound(order, foundHere)
    const moved = await moveOrder(trx, rest, 'confirm', { ...by, now, set, detail })
    await wantStep(trx, { orderId, kind: 'capture', amountCents: totalCents(moved) ?? 0 })
    return moved
  })
}

/** For the timeline of several parts. */
const countOfFound = ({ lines }: Order, found: readonly OrderLine[]): JsonObject =>
  lines.length === 1 ? {} : { found: found.length, of: lines.length }

const titlesOf = (lines: readonly OrderLine[]) => lines.map(({ facts }) => facts.title).join(', ')

/**
 * Parts are not there, all or only these: their listings end, and the buyer pays nothing for them or gets the money back. If
 * all are missing, or the buyer wanted all or nothing, the order ends.
 * @throws AppError STATE, VALIDATION_FAILED for parts that the order has not
 */
export function missOrder(
  db: Db,
  { orderId, by, reason, missing }: Deed & { reason: string; missing: readonly string[] | undefined },
  deps: Deps,
): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const present = foundLines(order)
    const named = missing === undefined ? present : linesById(order, missing)
    const lines = named.filter((line) => present.includes(line))
    if (order.state === 'not-found' || lines.length === 0) return order
    const isWhole = lines.length === present.length || order.ifMissing === 'cancel'
    return (isWhole ? endOrder : refundLines)(trx, order, { ...by, lines, reason }, deps)
  })
}

type Parcel = { carrier: string; tracking: string }

/** Whether it was shipped with this carrier and number before: doing it again changes nothing. */
export async function isShippedAs(db: Db, order: Order, { carrier, tracking }: Parcel): Promise<boolean> {
  const isSame = order.carrier === carrier && (order.tracking ?? '') === tracking
  return isSame && (await wasTaken(db, order.id, 'ship'))
}

/** @throws AppError STATE */
export async function requireShippable(trx: Db, order: Order): Promise<void> {
  requireStep(order, 'ship')
  await refuseIfGoingBack(trx, order)
}

export function shipOrder(
  db: Db,
  { orderId, by, carrier, tracking }: Deed & Parcel,
  deps: Deps,
): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (await isShippedAs(trx, order, { carrier, tracking })) return order
    await requireShippable(trx, order)
    const now = deps.now()
    const actAt = daysAfter(now, ASK_ARRIVED_DAYS[0])
    const set = { carrier, tracking: tracking || null, shipped_at: now, act_at: actAt }
    const moved = await moveOrder(trx, order, 'ship', { ...by, now, set, detail: { carrier, tracking } })
    await tell(trx, moved, 'shipped', deps)
    return moved
  })
}

const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** The part waits at the counter, for who says the code. */
export function readyOrder(db: Db, { orderId, by }: Deed, deps: Deps): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (await wasTaken(trx, orderId, 'ready')) return order
    requireStep(order, 'ready')
    await refuseIfGoingBack(trx, order)
    const now = deps.now()
    const set = {
      ready_at: now,
      act_at: daysAfter(now, PICKUP_REMINDER_DAYS),
      pickup_code: newCode(),
      pickup_tries: 0,
    }
    const moved = await moveOrder(trx, order, 'ready', { ...by, now, set })
    await tell(trx, moved, 'ready', deps)
    return moved
  })
}

const MOST_TRIES = 5

/**
 * Hands the part to who says the code. After five wrong ones the buyer has to make another.
 * @throws AppError STATE, VALIDATION_FAILED for a wrong code
 */
export async function handOver(
  db: Db,
  { orderId, by, code }: Deed & { code: string },
  deps: Deps,
): Promise<Order> {
  // A wrong code is counted, so that transaction commits before it is refused.
  const result = await inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (await wasTaken(trx, orderId, 'hand-over')) return { order }
    requireStep(order, 'hand-over')
    await refuseIfGoingBack(trx, order)
    if (order.pickupTries >= MOST_TRIES) return { refused: TOO_MANY_TRIES }
    const now = deps.now()
    if (code.replaceAll(/\D/g, '') !== order.pickupCode) {
      await changeOrder(trx, orderId, { pickup_tries: order.pickupTries + 1 })
      await writeEvent(trx, order, { kind: 'wrong-code', at: now, ...by })
      const left = MOST_TRIES - order.pickupTries - 1
      return {
        refused:
          left === 0
            ? TOO_MANY_TRIES
            : `This is not the buyer’s code. ${left} ${left === 1 ? 'try' : 'tries'} left.`,
      }
    }
    return { order: await deliverOrder(trx, order, { ...by, step: 'hand-over' }, deps) }
  })
  if (result.order) return result.order
  throw new AppError('VALIDATION_FAILED', result.refused, { fields: { code: result.refused } })
}

const TOO_MANY_TRIES = 'Too many wrong codes. Ask the buyer to make a new one on the order’s page.'

/** The buyer makes another pickup code. */
export function replaceCode(db: Db, { orderId, by }: Deed, deps: Deps): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (order.state !== 'ready') throw wrongState(order)
    await changeOrder(trx, orderId, { pickup_code: newCode(), pickup_tries: 0 })
    await writeEvent(trx, order, { kind: 'new-code', at: deps.now(), ...by })
    return lockOrder(trx, orderId)
  })
}

/** Asked when a part came back, or after a refund; a part that was not found may turn up any time. */
export const canRestock = ({ state, restock: answer }: Order): boolean =>
  answer === 'asked' || (state === 'not-found' && answer === null)

/** Which parts may be on the shelf again: those that came back, that turned up, or all of an order that ended. */
const isAskedAbout =
  ({ state }: Order) =>
  (line: OrderLine): boolean => {
    if (isPaid(state)) return line.state === 'returned'
    return (line.state === 'not-found') === (state === 'not-found')
  }

/** The part of an ended order, or one that came back, is on the shelf again, or gone for good. */
export function restock(
  db: Db,
  { orderId, by, answer }: Deed & { answer: 'sell' | 'scrap' },
  deps: Deps,
): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (order.restock === answer) return order
    if (!canRestock(order)) throw wrongState(order)
    await changeOrder(trx, orderId, { restock: answer })
    const parts = { ...order, lines: order.lines.filter(isAskedAbout(order)) }
    await (answer === 'sell' ? putBack(trx, parts) : endAs(trx, parts, 'scrapped'))
    await writeEvent(trx, order, {
      kind: answer === 'sell' ? 'restocked' : 'scrapped',
      at: deps.now(),
      ...by,
    })
    return lockOrder(trx, orderId)
  })
}
