import { useEffect, useState } from 'react'
import type { Quote } from '#contract/order/order-quote.ts'
import { callOrder, type Outcome, type Refusal } from '#web/api/orders/order-calls.ts'
import { type QuoteQuery, readQuote } from '#web/screens/parts/part/buy-box/quote.tsx'

type QuoteState = {
  /** The last one that was read; while another is read it stays. */
  quote: Quote | undefined
  refusal: Refusal | undefined
  busy: boolean
}

/** Of several parts of one yard, a piece of each. */
const readQuoteOfParts = (
  slugs: readonly string[],
  { zip, delivery }: QuoteQuery,
  signal: AbortSignal,
): Promise<Outcome<Quote>> =>
  callOrder<Quote>(
    '/orders/quote',
    { items: slugs.map((slug) => ({ slug })), delivery, ...(zip && { zip }) },
    signal,
  )

/** The price for this choice, read again when the choice changes. A ZIP code counts once it has five digits. */
export function useQuote(slugs: readonly string[], { zip: typed, delivery, quantity, accepted }: QuoteQuery) {
  const names = slugs.join(' ')
  const zip = delivery === 'ship' && /^\d{5}/.test(typed) ? typed.slice(0, 5) : ''
  const [state, setState] = useState<QuoteState>({ quote: undefined, refusal: undefined, busy: true })
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try reads again
  useEffect(() => {
    const controller = new AbortController()
    setState((before) => ({ ...before, busy: true }))
    const asked = { zip, delivery, quantity, accepted }
    const [slug = '', ...others] = names.split(' ')
    const reading =
      others.length > 0
        ? readQuoteOfParts([slug, ...others], asked, controller.signal)
        : readQuote(slug, asked, controller.signal)
    void reading.then((outcome) => {
      if (controller.signal.aborted) return
      const isRead = 'done' in outcome
      setState({
        quote: isRead ? outcome.done : undefined,
        refusal: isRead ? undefined : outcome.refusal,
        busy: false,
      })
    })
    return () => controller.abort()
  }, [names, zip, delivery, quantity, accepted, tries])
  return {
    ...state,
    /** The server's newer price, from a refused purchase. */
    replace: (quote: Quote) => setState({ quote, refusal: undefined, busy: false }),
    readAgain: () => setTries(tries + 1),
  }
}
