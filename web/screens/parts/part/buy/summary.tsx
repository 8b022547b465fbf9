import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import type { Quote } from '#contract/order/order-quote.ts'
import type { Delivery } from '#contract/order/order-steps.ts'
import { paths } from '#web/paths.ts'
import { PriceLines } from '#web/screens/parts/part/buy-box/quote.tsx'
import { Button } from '#web/site/button.tsx'
import { formatPrice, sellerName } from '#web/site/card/listing-words.ts'
import { Notice } from '#web/site/page.tsx'
import classes from './buy.module.css'
import { isOfParts, REMOVE_PARTS } from './refused.tsx'
import type { useQuote } from './use-quote.ts'

type SummaryProps = {
  listing: Listing
  isSeveral: boolean
  delivery: Delivery
  price: ReturnType<typeof useQuote>
  busy: boolean
  /** Why the purchase was refused; it takes the place of the button if that would not help. */
  refused: ReactNode
}

/** What it costs, what happens next, and the button. */
export function Summary({ listing, isSeveral, delivery, price, busy, refused }: SummaryProps) {
  const { quote } = price
  return (
    <section aria-labelledby="total" className={classes.step}>
      <h2 id="total">What you pay</h2>
      <div aria-live="polite" aria-busy={price.busy}>
        {quote ? <Amounts quote={quote} isSeveral={isSeveral} /> : <NoPrice price={price} />}
      </div>
      {quote && quote.terms.length > 0 && (
        <ul className={classes.terms} aria-label="Terms in your state">
          {quote.terms.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {quote?.restricted !== undefined && (
        <Notice tone="bad" title="This part can’t be sold to your state">
          {quote.restricted}
        </Notice>
      )}
      {quote && quote.restricted === undefined && (
        <NextSteps quote={quote} delivery={delivery} yard={sellerName(listing)} isSeveral={isSeveral} />
      )}
      {refused}
      {quote && quote.restricted === undefined && (
        <>
          <Button type="submit" look="filled" size="large" busy={busy}>
            {quote.needsQuote ? 'Ask for a shipping price' : 'Continue to payment'}
          </Button>
          <p className={classes.small}>
            {quote.needsQuote ? 'Asking costs nothing.' : 'You enter your card on the next page.'} By{' '}
            {quote.needsQuote ? 'asking' : 'buying'} you agree to the <Link to={paths.terms}>terms</Link> and
            the <Link to={paths.privacy}>privacy policy</Link>.
          </p>
        </>
      )}
    </section>
  )
}

type AmountsProps = { quote: Quote; isSeveral: boolean }

function Amounts({ quote: { lines, total, needsQuote, taxAdded }, isSeveral }: AmountsProps) {
  if (needsQuote || total === null) {
    return <p>The yard names a shipping price first. You see the total before you pay.</p>
  }
  return (
    <>
      <PriceLines lines={lines} total={total} taxAdded={taxAdded} isSeveral={isSeveral} />
      {taxAdded && <p className={classes.small}>Sales tax is added on the payment page.</p>}
      {lines.some(({ kind }) => kind === 'core') && (
        <p className={classes.small}>You get the core charge back when you return your old part.</p>
      )}
    </>
  )
}

function NoPrice({ price: { refusal, readAgain } }: { price: ReturnType<typeof useQuote> }) {
  if (!refusal) return <p>Adding it up…</p>
  return (
    <Notice tone="bad" role="alert">
      <p>{isOfParts(refusal.fields) ? REMOVE_PARTS : refusal.error}</p>
      <Button size="small" onClick={readAgain}>
        Try again
      </Button>
    </Notice>
  )
}

const day = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'short', day: 'numeric' })

type NextProps = { quote: Quote; delivery: Delivery; yard: string; isSeveral: boolean }

function NextSteps(props: NextProps) {
  return (
    <>
      <h3 id="next">What happens next</h3>
      <ol className={classes.next} aria-labelledby="next">
        {nextSteps(props).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </>
  )
}

const IF_MISSING = {
  cancel: 'If a part can’t be found, you get all of it back.',
  choice: 'If a part can’t be found, you get its money back, or all of it: as you choose above.',
} as const

/** What a buyer can expect after the button, in order. */
function nextSteps({ quote, delivery, yard, isSeveral }: NextProps): string[] {
  const { needsQuote, mode, total, taxAdded } = quote
  const [it, is, part] = isSeveral ? ['them', 'they’re', 'parts'] : ['it', 'it’s', 'part']
  if (needsQuote) {
    return [
      `${yard} has 72 hours to name a shipping price. We email it to you.`,
      'You have 48 hours to pay it, or to leave it. Until then nothing is held and you owe nothing.',
    ]
  }
  const price = `${formatPrice(total ?? 0, 'USD')}${taxAdded ? ' plus sales tax' : ''}`
  const end =
    delivery === 'ship'
      ? `${yard} ships ${it} by ${day.format(new Date(quote.shipsBy))}, and you get the tracking number.`
      : `When ${is} ready, you get the address, the hours and a pickup code. That is by ${day.format(new Date(quote.shipsBy))}.`
  if (mode === 'instant') {
    return [
      `You pay ${price}. The ${part} ${isSeveral ? 'are' : 'is'} yours.`,
      end,
      isSeveral
        ? IF_MISSING[taxAdded ? 'cancel' : 'choice']
        : 'If the part can’t be found, you get all of it back.',
    ]
  }
  return [
    `You enter your card. Your bank may show ${price} as pending; we don’t take it yet.`,
    `${yard} has 72 hours to find your ${part}. If not, you pay nothing.`,
    `Once ${is} found, we take the payment. ${end}`,
  ]
}
