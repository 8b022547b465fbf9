import type { BuyerOrder, SellerOrder } from '#contract/order/order-views.ts'
import type { LineKind, OrderAmount } from '#contract/order/order-quote.ts'
import type { OrderState } from '#contract/order/order-steps.ts'
import { formatPrice } from '#web/site/card/listing-words.ts'

/* What several screens say about an order. */

export const dollars = (amount: number): string => formatPrice(amount, 'USD')

export const lineLabels: Readonly<Record<LineKind, string>> = {
  part: 'Part',
  shipping: 'Shipping',
  core: 'Core charge',
  tax: 'Sales tax',
}

export const stateColors: Readonly<Record<OrderState, string>> = {
  quoting: 'sea',
  pending: 'gray',
  authorized: 'warning',
  capturing: 'sea',
  confirmed: 'sea',
  ready: 'sea',
  shipped: 'sea',
  delivered: 'good',
  closed: 'good',
  expired: 'gray',
  canceled: 'gray',
  'not-found': 'gray',
  refunded: 'gray',
}

const cents = (amount: number) => Math.round(amount * 100)

/** What can still be refunded, by line: failed refunds gave nothing back. */
export function refundable({
  lines,
  refunds,
}: Pick<SellerOrder | BuyerOrder, 'lines' | 'refunds'>): OrderAmount[] {
  const given = refunds.filter(({ state }) => state !== 'failed').flatMap((refund) => refund.lines)
  return lines.flatMap(({ kind, amount }) => {
    const back = given.filter((line) => line.kind === kind).reduce((sum, line) => sum + cents(line.amount), 0)
    const left = cents(amount) - back
    return left > 0 ? [{ kind, amount: left / 100 }] : []
  })
}

/** Of several parts, the first one and how many more. */
export function partsInWords(parts: readonly { title: string; quantity: number }[]): string {
  const [first, ...more] = parts
  if (!first) return 'Part'
  const title = first.quantity > 1 ? `${first.quantity} × ${first.title}` : first.title
  return more.length === 0 ? title : `${title} and ${more.length} more`
}
