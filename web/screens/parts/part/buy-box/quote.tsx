import type { OrderAmount, Quote } from '#contract/order/order-quote.ts'
import type { Delivery } from '#contract/order/order-steps.ts'
import type { Outcome } from '#web/api/orders/order-calls.ts'
import { formatPrice } from '#web/site/card/listing-words.ts'
import classes from './quote.module.css'

export type QuoteQuery = {
  zip: string
  delivery: Delivery
  quantity: number
  /** The id of an acceptance, whose price counts. */
  accepted?: string | undefined
}

/** What a part costs with shipping and core charge; no personal data is sent for it. */
export async function readQuote(
  slug: string,
  { zip, delivery, quantity, accepted }: QuoteQuery,
  signal: AbortSignal,
): Promise<Outcome<Quote>> {
  const query = new URLSearchParams({
    delivery,
    quantity: String(quantity),
    ...(zip && { zip }),
    ...(accepted && { accepted }),
  })
  const response = await fetch(`/api/parts/${encodeURIComponent(slug)}/quote?${query}`, { signal }).catch(
    () => undefined,
  )
  const reply = await response?.json().catch(() => undefined)
  if (response?.ok && reply) return { done: reply as Quote }
  return { refusal: { ...reply, error: reply?.error || 'The total could not be read. Please try again.' } }
}

const lineNames = { part: 'Part', shipping: 'Shipping', core: 'Core charge', tax: 'Sales tax' } as const

/** What is paid, line by line, with the total. */
export function PriceLines({
  lines,
  total,
  taxAdded = false,
  isSeveral = false,
}: {
  lines: readonly OrderAmount[]
  total: number
  taxAdded?: boolean
  isSeveral?: boolean
}) {
  return (
    <table className={classes.lines}>
      <caption className="unseen">What you pay</caption>
      <tbody>
        {lines.map(({ kind, amount }) => (
          <tr key={kind}>
            <th scope="row">{kind === 'part' && isSeveral ? 'Parts' : lineNames[kind]}</th>
            <td>{kind === 'shipping' && amount === 0 ? 'Free' : formatPrice(amount, 'USD')}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{taxAdded ? 'Total before sales tax' : 'Total'}</th>
          <td>{formatPrice(total, 'USD')}</td>
        </tr>
      </tfoot>
    </table>
  )
}
