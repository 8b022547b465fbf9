import { useState } from 'react'
import { Link } from 'react-router'
import type { BoughtPart, BuyerOrder, OrderRefund } from '#contract/order/order-views.ts'
import { type OrderKey, readInvoice } from '#web/api/orders/order-calls.ts'
import { saveFile } from '#web/components/save-file.ts'
import { zonedMomentWords } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import { PriceLines } from '#web/screens/parts/part/buy-box/quote.tsx'
import { Button } from '#web/site/button.tsx'
import { ListingPicture } from '#web/site/card/listing-picture.tsx'
import { formatPrice, gradeInWords } from '#web/site/card/listing-words.ts'
import { Notice } from '#web/site/page.tsx'
import classes from './order.module.css'

/* What was bought, what it cost, and what happened. */

const dollars = (amount: number) => formatPrice(amount, 'USD')

type OrderProps = { order: BuyerOrder }

export function Parts({ order }: OrderProps) {
  const { parts, yard, vin, vinConfirmed } = order
  return (
    <section aria-labelledby="part" className={classes.card}>
      <h2 id="part">{parts.length > 1 ? 'The parts' : 'The part'}</h2>
      {parts.map((part) => (
        <Part key={part.id} part={part} isOnly={parts.length === 1} />
      ))}
      <p>Sold by {yard.slug === null ? yard.name : <Link to={paths.seller(yard.slug)}>{yard.name}</Link>}</p>
      {vin !== null && (
        <p>
          Your vehicle: {vin}
          {vinConfirmed &&
            ` · ${yard.name} confirmed that ${parts.length > 1 ? 'the parts fit' : 'the part fits'}`}
        </p>
      )}
    </section>
  )
}

function Part({ part, isOnly }: { part: BoughtPart; isOnly: boolean }) {
  const { title, slug, imageUrl, categoryGroup, terms, restricted, fits } = part
  return (
    <>
      <div className={classes.part}>
        <div className={classes.picture}>
          <ListingPicture src={imageUrl} alt="" group={categoryGroup} sizes="6rem" />
        </div>
        <div>
          <p className={classes.title}>
            {slug === null ? title : <Link to={paths.part(slug)}>{title}</Link>}
          </p>
          <p className="second">{factsOf(part).join(' · ')}</p>
          {!isOnly && <p>{part.state === 'not-found' ? 'Not found' : dollars(part.price * part.quantity)}</p>}
        </div>
      </div>
      {[fits, restricted].map((text) => text && <p key={text}>{text}</p>)}
      {terms.length > 0 && (
        <ul className={classes.terms} aria-label="Terms">
          {terms.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </>
  )
}

const factsOf = ({ quantity, grade, partNumber, stockNumber, donorVin, miles }: BoughtPart): string[] =>
  [
    quantity > 1 && `${quantity} pieces`,
    grade ? `Used, ${gradeInWords(grade).replace('Grade', 'grade')}` : 'Used',
    partNumber && `Part # ${partNumber}`,
    stockNumber && `Stock # ${stockNumber}`,
    miles !== null && `${miles.toLocaleString('en-US')} miles`,
    donorVin && `From VIN ${donorVin}`,
  ].filter((fact): fact is string => Boolean(fact))

/** The amounts, what was taken and given back, and the invoice. */
export function Money({ order, orderKey }: OrderProps & { orderKey: OrderKey }) {
  const { lines, total, taxAdded, money, refunds, parts } = order
  return (
    <section aria-labelledby="money" className={classes.card}>
      <h2 id="money">Money</h2>
      {total === null ? (
        <p>You see the total once the yard has named the shipping price.</p>
      ) : (
        <PriceLines lines={lines} total={total} taxAdded={taxAdded} isSeveral={parts.length > 1} />
      )}
      {money.captured > 0 && (
        <p>
          Paid: <strong>{dollars(money.captured)}</strong>
          {money.refunded > 0 && ` · Back to you: ${dollars(money.refunded)}`}
        </p>
      )}
      {refunds.length > 0 && (
        <ul className={classes.plain} aria-label="Refunds">
          {refunds.map((refund) => (
            <li key={refund.id}>{refundWords(refund)}</li>
          ))}
        </ul>
      )}
      {money.captured > 0 && <Invoice order={order} orderKey={orderKey} />}
    </section>
  )
}

/** "Refund of $20.00: on its way, 5 to 10 days. Bracket missing" */
function refundWords({ amount, state, reason }: Pick<OrderRefund, 'amount' | 'state' | 'reason'>): string {
  const words = {
    requested: 'asked for',
    pending: 'on its way. Your bank may need 5 to 10 days',
    succeeded: 'back on your card',
    failed: 'did not go through. We are working on it',
  }[state]
  return `Refund of ${dollars(amount)}: ${words}.${reason && ` ${reason}`}`
}

function Invoice({ order: { number }, orderKey }: OrderProps & { orderKey: OrderKey }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const download = async () => {
    if (busy) return
    setBusy(true)
    const outcome = await readInvoice(orderKey)
    setBusy(false)
    setProblem('refusal' in outcome ? outcome.refusal.error : undefined)
    if ('done' in outcome) saveFile(outcome.done, `invoice-${number}.pdf`)
  }
  return (
    <>
      <div>
        <Button busy={busy} onClick={() => void download()}>
          Download invoice
        </Button>
      </div>
      {problem !== undefined && (
        <Notice tone="bad" role="alert">
          {problem}
        </Notice>
      )}
    </>
  )
}

export function Timeline({ order: { timeline } }: OrderProps) {
  return (
    <section aria-labelledby="timeline" className={classes.card}>
      <h2 id="timeline">What happened</h2>
      <ol className={classes.timeline}>
        {timeline.map(({ at, kind, text }) => (
          <li key={`${at} ${kind}`}>
            {text} <time dateTime={at}>{zonedMomentWords(at)}</time>
          </li>
        ))}
      </ol>
    </section>
  )
}
