import { sql } from 'kysely'
import type { LineKind, OrderAmount } from '#contract/order/order-quote.ts'
import { type ReturnStepName, returnSteps } from '#contract/order/returns/return-steps.ts'
import { reasonsInWords } from '#contract/order/returns/return-words.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type { OrderSite } from '#server/features/money/orders/letters/telling.ts'
import { post } from '#server/features/money/orders/money/ledger.ts'
import { type Cents, listRefunds } from '#server/features/money/orders/money/refund-rows.ts'
import { isAllGoingBack, leftOf, requestRefund } from '#server/features/money/orders/money/refunds.ts'
import { type By, changeOrder, lockOrder, type Order } from '#server/features/money/orders/orders.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { deliverOrder } from './delivery.ts'
import { deadlineAfter } from './return-deadlines.ts'
import { tellReturn } from './return-letters.ts'
import {
  isOnItsWay,
  isOpenReturn,
  listReturns,
  moveReturn,
  type ReturnMove,
  type ReturnRow,
} from './return-rows.ts'

/* A step of a return, claim or core with everything that follows from it: money, part, core, and the order's own clock. */

export type ReturnDeps = { now: () => Date; site: OrderSite }
export type Subject = { order: Order; row: ReturnRow }

export type Step = By &
  Pick<ReturnMove, 'set' | 'detail'> & {
    step: ReturnStepName
    /** Of a split: what goes back to the buyer. */
    splitCents?: number
  }

/**
 * Takes a step with a locked order.
 * @throws AppError STATE, VALIDATION_FAILED for a split of more than is left
 */
export async function takeReturnStep(
  trx: Db,
  { order, row }: Subject,
  { step, splitCents, set, detail, ...by }: Step,
  deps: ReturnDeps,
): Promise<void> {
  const now = deps.now()
  const { to } = returnSteps[step]
  const moved = await moveReturn(trx, { order, row }, step, {
    ...by,
    now,
    actAt: deadlineAfter(to, row, now),
    ...(set && { set }),
    ...(detail && { detail }),
  })
  const after = { order, row: moved }
  if (to === 'refunded') await giveBack(trx, after, { ...by, splitCents }, deps)
  if (step === 'void' && row.kind === 'core') await changeOrder(trx, order.id, { core_state: 'back' })
  if (row.kind === 'core' && (step === 'lapse' || step === 'refuse')) await keepCore(trx, after, now)
  await tellReturn(trx, after, step, deps)
  if (row.reason === 'not-arrived' && !isOpenReturn(moved)) await resume(trx, order.id, step, deps)
}

/* Money. */

type Giving = By & { splitCents: number | undefined }

async function giveBack(
  trx: Db,
  { order, row }: Subject,
  { splitCents, ...by }: Giving,
  deps: ReturnDeps,
): Promise<void> {
  const left = leftOf(order, await listRefunds(trx, [order.id]))
  const cents = splitCents === undefined ? ownCents(row, left) : splitOf(splitCents, row, left)
  const lines = Object.entries(cents).flatMap(([kind, amount]): OrderAmount[] =>
    amount > 0 ? [{ kind: kind as LineKind, amount: amount / 100 }] : [],
  )
  if (lines.length > 0) {
    const asked = { ...by, lines, reason: reasonOf(row, splitCents), key: `return ${row.id}` }
    await requestRefund(trx, order, asked, deps)
  }
  if (row.kind === 'core') await changeOrder(trx, order.id, { core_state: 'back' })
  else if (splitCents === undefined && row.coreCents > 0) await endCore(trx, order, by, deps)
  if (row.kind === 'return' && isOnItsWay(row)) await takePartBack(trx, row)
}

/** What a return brings, as far as it did not go back another way. */
function ownCents(row: ReturnRow, left: Cents): Partial<Cents> {
  const part = Math.min(row.partCents - row.feeCents, left.part)
  const shipping = Math.min(row.shippingCents, left.shipping)
  const core = Math.min(row.coreCents, left.core)
  return row.kind === 'core' ? { core } : { part, shipping, core }
}

/** A split is of the core charge, or of the part's price and then the shipping. */
function splitOf(cents: number, { kind }: ReturnRow, left: Cents): Partial<Cents> {
  const most = kind === 'core' ? left.core : left.part + left.shipping
  if (cents > most) {
    const sentence = `At most ${moneyInWords(most)} can go back`
    throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { amount: sentence } })
  }
  if (kind === 'core') return { core: cents }
  const part = Math.min(cents, left.part)
  return { part, shipping: cents - part }
}

function reasonOf({ kind, reason, feeCents }: ReturnRow, splitCents: number | undefined): string {
  if (kind === 'core') return 'Core charge: the old part is back.'
  const what = `${kind === 'claim' ? 'Claim' : 'Return'}: ${reasonsInWords[reason]}`
  if (splitCents !== undefined) return `${what}. We divided the amount.`
  return feeCents > 0 ? `${what}. Less ${moneyInWords(feeCents)} restocking fee.` : `${what}.`
}

/* The part. */

/** It is at the yard, or on its way there: the yard says whether it is for sale again. */
async function takePartBack(trx: Db, { orderId, lineIds }: ReturnRow): Promise<void> {
  await sql`update order_line set state = 'returned' where id = any(${[...lineIds]}::uuid[])`.execute(trx)
  await changeOrder(trx, orderId, { restock: 'asked' })
}

/* The core. */

/** The sale is undone, so no old part is owed. */
async function endCore(trx: Db, order: Order, by: By, deps: ReturnDeps): Promise<void> {
  const core = (await listReturns(trx, [order.id])).find((row) => row.kind === 'core' && isOpenReturn(row))
  if (core) await moveReturn(trx, { order, row: core }, 'void', { ...by, now: deps.now() })
  if (order.coreState === 'open') await changeOrder(trx, order.id, { core_state: 'back' })
}

/** The core charge is the yard's: from now on it is released like the rest of its money. */
async function keepCore(trx: Db, { order, row }: Subject, now: Date): Promise<void> {
  const left = leftOf(order, await listRefunds(trx, [order.id])).core
  await changeOrder(trx, order.id, { core_state: 'lapsed' })
  await post(trx, {
    orderId: order.id,
    at: now,
    why: 'core lapsed',
    providerId: row.id,
    amounts: { core: left, held: -left },
  })
}

/* The order's own clock. */

/** A claim that it never arrived has ended: if not all of the money goes back, the part counts as delivered. */
async function resume(trx: Db, orderId: string, step: ReturnStepName, deps: ReturnDeps): Promise<void> {
  const order = await lockOrder(trx, orderId)
  if (order.state !== 'shipped' || isAllGoingBack(order, await listRefunds(trx, [orderId]))) return
  const delivered =
    step === 'withdraw'
      ? ({ side: 'buyer', step: 'received' } as const)
      : ({ side: 'clock', step: 'arrive' } as const)
  await deliverOrder(trx, order, delivered, deps)
}
