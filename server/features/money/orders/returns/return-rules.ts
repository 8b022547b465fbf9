import { NO_RETURNS } from '#contract/listing/listing-terms.ts'
import { ARRIVED_DAYS } from '#contract/order/order-steps.ts'
import {
  CLAIM_DAYS,
  DEFAULT_CORE_DAYS,
  DEFAULT_RETURN_DAYS,
  faultOf,
  MAX_RETURNS,
  NOT_ARRIVED_DAYS,
  NOT_ARRIVED_FROM_DAYS,
  type ReturnReason,
  returnReasonNames,
  returnReasons,
} from '#contract/order/returns/return-steps.ts'
import { daysAfter } from '#server/features/money/orders/deadline-times.ts'
import {
  coreCents,
  type LineFacts,
  type Order,
  type OrderLine,
  shippingCentsOf,
} from '#server/features/money/orders/orders.ts'
import { isOpenReturn, type ReturnRow } from './return-rows.ts'

/* What a buyer can ask for, until when, and what goes back: by the terms that were copied into the order. */

/** What the yard did not have was not sent, and costs nothing or was refunded then. */
export const sentLines = ({ lines }: Pick<Order, 'lines'>): OrderLine[] =>
  lines.filter(({ state }) => state !== 'not-found')

/** 0 if the part cannot be returned without a fault of the yard. */
const returnDaysOf = ({ terms, returnDays }: LineFacts): number =>
  terms.includes(NO_RETURNS) ? 0 : (returnDays ?? DEFAULT_RETURN_DAYS)

const windowOf = ({ facts }: OrderLine, deliveredAt: Date): Date | null => {
  const days = returnDaysOf(facts)
  return days === 0 ? null : daysAfter(deliveredAt, days)
}

const latest = (dates: readonly (Date | null)[]): Date | null =>
  dates.reduce((last, date) => (date !== null && (last === null || date > last) ? date : last), null)

/** Until when a part of the order can be returned; null if none can. */
export const returnUntilOf = ({ lines }: Pick<Order, 'lines'>, deliveredAt: Date): Date | null =>
  latest(lines.map((line) => windowOf(line, deliveredAt)))

/** Until when the old part has to be back; null without a core charge. */
export function coreByOf(order: Order, deliveredAt: Date): Date | null {
  if (coreCents(order) === 0) return null
  const days = order.lines.filter((line) => line.coreCents > 0).map(({ facts }) => facts.coreDays)
  return daysAfter(deliveredAt, Math.max(...days.map((own) => own ?? DEFAULT_CORE_DAYS)))
}

export type ReturnMoney = Pick<
  ReturnRow,
  'partCents' | 'feeCents' | 'shippingCents' | 'coreCents' | 'wayBack'
>

/** What goes back for lines, and who pays the way: without a fault of the yard, the part less the restocking fee. */
export function moneyOf(order: Order, lines: readonly OrderLine[], reason: ReturnReason): ReturnMoney {
  const sent = sentLines(order)
  const isYards = faultOf(reason, { fitConfirmed: order.vinConfirmed }) === 'yard'
  const sum = (cents: (line: OrderLine) => number) => lines.reduce((all, line) => all + cents(line), 0)
  const fee = ({ priceCents, quantity, facts }: OrderLine) =>
    isYards ? 0 : Math.round((priceCents * quantity * (facts.restockPct ?? 0)) / 100)
  return {
    partCents: sum(({ priceCents, quantity }) => priceCents * quantity),
    feeCents: sum(fee),
    // One parcel brought all lines: only with the last of them its price comes back.
    shippingCents: isYards && lines.length === sent.length ? (shippingCentsOf(order, sent) ?? 0) : 0,
    coreCents: sum((line) => line.coreCents * line.quantity),
    wayBack: isYards ? 'yard' : 'buyer',
  }
}

export const backCents = (
  money: Pick<ReturnMoney, 'partCents' | 'feeCents' | 'shippingCents' | 'coreCents'>,
) => money.partCents - money.feeCents + money.shippingCents + money.coreCents

export type ReturnContext = {
  now: Date
  rows: readonly ReturnRow[]
  /** It counts as delivered only because the buyer said nothing. */
  arrivedSilently: boolean
}

const claimed = (rows: readonly ReturnRow[]): Set<string> =>
  new Set(
    rows
      .filter((row) => row.kind !== 'core' && (isOpenReturn(row) || row.state === 'refunded'))
      .flatMap(({ lineIds }) => lineIds),
  )

/** Lines without a return or claim that is open or was paid. */
export const freeLines = (order: Order, rows: readonly ReturnRow[]): OrderLine[] => {
  const taken = claimed(rows)
  return sentLines(order).filter(({ id }) => !taken.has(id))
}

/** Until when a reason can be given for a line; undefined if it cannot be given now. */
function untilOf(
  order: Order,
  line: OrderLine,
  reason: ReturnReason,
  context: ReturnContext,
): Date | undefined {
  const { state, deliveredAt, shippedAt } = order
  const { now, arrivedSilently } = context
  const inTime = (until: Date | null) => (until !== null && until >= now ? until : undefined)
  const isDelivered = state === 'delivered' || state === 'closed'
  if (reason === 'not-arrived') {
    if (state === 'shipped' && shippedAt) {
      const isLate = now >= daysAfter(shippedAt, NOT_ARRIVED_FROM_DAYS)
      return isLate ? daysAfter(shippedAt, ARRIVED_DAYS + NOT_ARRIVED_DAYS) : undefined
    }
    const isOpen = isDelivered && deliveredAt && arrivedSilently
    return isOpen ? inTime(daysAfter(deliveredAt, NOT_ARRIVED_DAYS)) : undefined
  }
  if (!isDelivered || deliveredAt === null) return undefined
  const window = windowOf(line, deliveredAt)
  if (returnReasons[reason].kind === 'return') return inTime(window)
  return inTime(latest([window, daysAfter(deliveredAt, CLAIM_DAYS)]))
}

export type Choice = { reason: ReturnReason; lines: OrderLine[]; until: Date }

/** The reasons that a buyer can give now, each with the lines that it can be given for. */
export function choicesOf(order: Order, context: ReturnContext): Choice[] {
  const isOver =
    order.disputed ||
    order.capturedCents <= order.refundedCents ||
    context.rows.filter(({ kind }) => kind !== 'core').length >= MAX_RETURNS
  if (isOver) return []
  const free = freeLines(order, context.rows)
  return returnReasonNames.flatMap((reason) => {
    if (reason === 'core') return []
    const able = free.flatMap((line) => {
      const until = untilOf(order, line, reason, context)
      return until ? [{ line, until }] : []
    })
    const until = latest(able.map((one) => one.until))
    return until ? [{ reason, lines: able.map(({ line }) => line), until }] : []
  })
}
