import type { LineKind, OrderAmount } from '#contract/order/order-quote.ts'
import type { OrderState } from '#contract/order/order-steps.ts'
import type { BoughtPart, BuyerOrder, SellerOrder } from '#contract/order/order-views.ts'
import { titlesInWords } from '#contract/order/several-words.ts'
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

export type Refundable = OrderAmount & {
  /** One of several parts. */
  part?: { id: string; title: string }
}

type Paid = Pick<SellerOrder | BuyerOrder, 'lines' | 'refunds'> & {
  parts?: readonly Pick<BoughtPart, 'id' | 'title' | 'quantity' | 'price' | 'core'>[]
}

/** What can still be refunded, by line, and by part if there are several: failed refunds gave nothing back. */
export function refundable({ lines, refunds, parts = [] }: Paid): Refundable[] {
  const given = refunds.filter(({ state }) => state !== 'failed').flatMap((refund) => refund.lines)
  return lines.flatMap(({ kind, amount }) => {
    const back = given.filter((line) => line.kind === kind)
    const sum = (some: readonly OrderAmount[]) => some.reduce((all, line) => all + cents(line.amount), 0)
    let left = cents(amount) - sum(back)
    if (parts.length < 2 || (kind !== 'part' && kind !== 'core')) {
      return left > 0 ? [{ kind, amount: left / 100 }] : []
    }
    return parts.flatMap(({ id, title, quantity, price, core }) => {
      const cost = cents((kind === 'part' ? price : core) * quantity)
      const most = Math.min(left, cost - sum(back.filter(({ line }) => line === id)))
      if (most <= 0) return []
      left -= most
      return [{ kind, amount: most / 100, part: { id, title } }]
    })
  })
}

/** Of several parts, the first one and how many more. */
export const partsInWords = (parts: readonly { title: string; quantity: number }[]): string =>
  titlesInWords(parts.map(({ title, quantity }) => (quantity > 1 ? `${quantity} × ${title}` : title))) ||
  'Part'
