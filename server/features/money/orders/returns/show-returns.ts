import { type Carrier, carriers, trackingUrl } from '#contract/order/order-steps.ts'
import {
  allowsReturnStep,
  type ReturnAction,
  type ReturnReason,
  returnReasons,
} from '#contract/order/returns/return-steps.ts'
import type { OrderReturn, ReturnChoice } from '#contract/order/returns/return-views.ts'
import type { Order, OrderLine } from '#server/features/money/orders/orders.ts'
import type { SellingYard } from '#server/features/money/orders/quotes.ts'
import { shownDeadline } from './return-deadlines.ts'
import { sendToOf, sentenceOf } from './return-letters.ts'
import { isOnItsWay, type ReturnRow } from './return-rows.ts'
import { backCents, choicesOf, moneyOf, type ReturnContext } from './return-rules.ts'

/* Returns, claims and cores, as a reader sees them. */

type Reader = 'buyer' | 'seller' | 'admin'
const dollars = (cents: number): number => cents / 100

const ACTIONS: Record<Reader, readonly (readonly [ReturnAction, (row: ReturnRow) => boolean])[]> = {
  buyer: [
    ['send', (row) => allowsReturnStep('send', row)],
    ['appeal', (row) => allowsReturnStep('appeal', row)],
    ['withdraw', (row) => allowsReturnStep('withdraw', row) && !isOnItsWay(row)],
  ],
  seller: [
    ['approve', (row) => allowsReturnStep('approve', row) || allowsReturnStep('grant', row)],
    ['decline', (row) => allowsReturnStep('decline', row)],
    ['received', (row) => allowsReturnStep('receive', row)],
  ],
  admin: [
    ['refund', (row) => allowsReturnStep('refund', row)],
    ['allow', (row) => allowsReturnStep('allow', row) && !isOnItsWay(row)],
    ['split', (row) => allowsReturnStep('split', row)],
    ['refuse', (row) => allowsReturnStep('refuse', row)],
  ],
}

export function showReturn(
  { order, row }: { order: Order; row: ReturnRow },
  yard: SellingYard | undefined,
  reader: Reader,
): OrderReturn {
  const deadline = shownDeadline(row, order)
  const { carrier, tracking, sentAt } = row
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    reason: row.reason,
    sentence: sentenceOf(order, row, reader === 'buyer' ? 'buyer' : 'seller'),
    deadline: deadline && { at: deadline.toISOString(), zone: order.timeZone },
    createdAt: row.createdAt.toISOString(),
    listingIds: order.lines.filter(({ id }) => row.lineIds.includes(id)).map(({ listingId }) => listingId),
    text: row.note,
    photoIds: [...row.photoIds],
    amount: dollars(backCents(row)),
    restockingFee: dollars(row.feeCents),
    wayBack: row.kind === 'claim' ? null : row.wayBack,
    sendTo: row.state === 'approved' ? sendToOf(order, yard) : [],
    shipment: sentAt && {
      carrierName: carrier && carriers[carrier],
      tracking: tracking ?? '',
      url: carrier && trackingUrl(carrier satisfies Carrier, tracking ?? ''),
      sentAt: sentAt.toISOString(),
    },
    condition: row.condition,
    answer: row.answer,
    answerPhotoIds: [...row.answerPhotoIds],
    decision: row.decision,
    actions: ACTIONS[reader].filter(([, can]) => can(row)).map(([action]) => action),
  }
}

/** What the buyer can ask for now, and what it would bring. */
export const showChoices = (order: Order, context: ReturnContext): ReturnChoice[] =>
  choicesOf(order, context).map(({ reason, lines, until }) => {
    const money = moneyOf(order, lines, reason)
    const kind = returnReasons[reason].kind === 'claim' ? 'claim' : 'return'
    return {
      kind,
      reason,
      until: until.toISOString(),
      amount: dollars(backCents(money)),
      restockingFee: dollars(money.feeCents),
      wayBack: kind === 'claim' ? null : money.wayBack,
      parts: lines.map((line) => partOf(order, line, reason)),
      shipping: dollars(money.shippingCents),
    }
  })

function partOf(order: Order, line: OrderLine, reason: ReturnReason): ReturnChoice['parts'][number] {
  const money = { ...moneyOf(order, [line], reason), shippingCents: 0 }
  return {
    listingId: line.listingId,
    amount: dollars(backCents(money)),
    restockingFee: dollars(money.feeCents),
  }
}
