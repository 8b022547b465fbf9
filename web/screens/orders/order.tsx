import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { DAY_MS, isEnded, isPaid, orderStateLabel } from '#contract/order/order-steps.ts'
import type { BuyerOrder } from '#contract/order/order-views.ts'
import { dayInWords } from '#contract/order/order-words.ts'
import { NOT_ARRIVED_FROM_DAYS } from '#contract/order/returns/return-steps.ts'
import { phoneLink } from '#contract/text/phone-parts.ts'
import type { OrderKey } from '#web/api/orders/order-calls.ts'
import { useSession } from '#web/api/session.ts'
import { nextId } from '#web/components/orders/keep-place.ts'
import { zonedMomentWords } from '#web/components/time-words.ts'
import { paths, registerToBuy } from '#web/paths.ts'
import { takeOutOfCart } from '#web/site/cart.ts'
import { Notice, Page } from '#web/site/page.tsx'
import { AfterSale } from './after-sale.tsx'
import classes from './order.module.css'
import { Actions, Disown } from './order-actions.tsx'
import { Money, Parts, Timeline } from './order-parts.tsx'
import { timeLeft, useNow } from './time-left.ts'

type OrderViewProps = {
  order: BuyerOrder
  orderKey: OrderKey
  /** A payment that the buyer made and the server has not heard of. */
  payment: 'checking' | 'late' | undefined
  /** The buyer turned back from the payment page. */
  hasLeft: boolean
  /** Why the order could not be read again. */
  problem: string | undefined
  onChange: (order: BuyerOrder) => void
  trail?: ReactNode
}

/** An order as its buyer sees it: what happens next, until when, what can be done, and what was bought. */
export function OrderView(props: OrderViewProps) {
  const { order, orderKey, payment, hasLeft, problem, onChange, trail } = props
  const [disowned, setDisowned] = useState(false)
  useEmptyCart(order)
  if (disowned) return <Disowned />
  return (
    <Page
      heading={`Order ${order.number}`}
      aside={
        <span className={classes.pill} data-tone={toneOf(order)}>
          {payment === 'checking' ? 'Checking payment' : orderStateLabel(order)}
        </span>
      }
      trail={trail}
      width="text"
    >
      <div className={classes.stack}>
        <State order={order} payment={payment} />
        {problem !== undefined && (
          <Notice tone="warning" role="alert">
            {problem} This is how the order was a moment ago.
          </Notice>
        )}
        <Ending order={order} hasLeft={hasLeft} />
        <Actions order={order} orderKey={orderKey} isChecking={payment === 'checking'} onChange={onChange} />
        <Pickup order={order} />
        <AfterSale order={order} orderKey={orderKey} onChange={onChange} />
        <Shipment order={order} />
        <Parts order={order} />
        <Money order={order} orderKey={orderKey} />
        <Timeline order={order} />
        <OpenAccount order={order} />
        {'token' in orderKey && <Disown token={orderKey.token} onDone={() => setDisowned(true)} />}
      </div>
    </Page>
  )
}

function toneOf({ state }: BuyerOrder): 'good' | 'warning' | 'information' {
  if (isEnded(state)) return 'warning'
  return state === 'quoting' || state === 'pending' || state === 'authorized' ? 'information' : 'good'
}

const COUNT_EVERY_MS = 30_000

/** What is ordered and paid for waits in no cart; an order that was left can be placed again from there. */
function useEmptyCart({ state, parts }: BuyerOrder) {
  const slugs = state === 'pending' || isEnded(state) ? '' : parts.map(({ slug }) => slug ?? '').join(' ')
  useEffect(() => {
    if (slugs !== '') takeOutOfCart(slugs.split(' '))
  }, [slugs])
}

/** What happens next, read out when it changes. The countdown beside it is not. */
function State({ order, payment }: Pick<OrderViewProps, 'order' | 'payment'>) {
  const now = useNow(COUNT_EVERY_MS)
  const { deadline } = order
  const leftMs = deadline && now !== undefined ? Date.parse(deadline.at) - now : 0
  return (
    <section id={nextId} tabIndex={-1} aria-label="What happens next" className={classes.card}>
      <p role="status" className={classes.sentence}>
        {payment === undefined ? order.sentence : paymentWords[payment]}
      </p>
      {payment !== 'checking' && !order.held && deadline && leftMs > 0 && (
        <p className="second">
          <time dateTime={deadline.at} title={zonedMomentWords(deadline.at)}>
            {timeLeft(leftMs)} left
          </time>
        </p>
      )}
    </section>
  )
}

const paymentWords = {
  checking: 'Checking your payment…',
  late: 'We haven’t heard about your payment yet. This page keeps checking, and we email you. You can close it.',
} as const

/** Where to go from an order that ended without a sale. */
function Ending({ order: { state, parts }, hasLeft }: Pick<OrderViewProps, 'order' | 'hasLeft'>) {
  const slug = parts[0]?.slug
  if (!isEnded(state) || state === 'refunded' || !slug) return null
  const title = {
    expired: 'The time to pay is over',
    canceled: hasLeft ? 'You left the payment page' : undefined,
  }[state as string]
  return (
    <Notice tone="information" {...(title !== undefined && { title })}>
      {hasLeft &&
        state === 'canceled' &&
        `Nothing was paid, and the ${parts.length > 1 ? 'parts are' : 'part is'} back on sale. `}
      {parts.length > 1 ? (
        <Link to={paths.cart}>Back to your cart</Link>
      ) : (
        <Link to={paths.part(slug)}>Back to the part</Link>
      )}
    </Notice>
  )
}

function Pickup({ order }: Pick<OrderViewProps, 'order'>) {
  const { delivery, yard, pickupCode, state, parts } = order
  if (delivery !== 'pickup' || isEnded(state)) return null
  if (!yard.pickup) {
    return (
      <section aria-labelledby="pickup" className={classes.card}>
        <h2 id="pickup">Pickup</h2>
        <p>
          You pick {parts.length > 1 ? 'them' : 'it'} up at {yard.name}.{' '}
          {isPaid(state)
            ? 'It has not named its address here: ask where to come.'
            : 'The address appears here once your order is confirmed, and your pickup code once it is ready.'}
        </p>
        {pickupCode !== null && <PickupCode code={pickupCode} />}
        {yard.phone && <Phone phone={yard.phone} />}
      </section>
    )
  }
  const { address, hours } = yard.pickup
  return (
    <section aria-labelledby="pickup" className={classes.card}>
      <h2 id="pickup">Pickup</h2>
      {pickupCode !== null && <PickupCode code={pickupCode} />}
      <p>
        {yard.name}, {address}
      </p>
      {yard.phone && <Phone phone={yard.phone} />}
      {hours.length > 0 && (
        <ul className={classes.plain} aria-label="Opening hours">
          {hours.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** "123 456" */
const inThrees = (code: string): string => code.replace(/^(\d{3})(\d{3})$/, '$1 $2')

const PickupCode = ({ code }: { code: string }) => (
  <p>
    Your pickup code: <strong className={classes.code}>{inThrees(code)}</strong>
  </p>
)

const Phone = ({ phone }: { phone: string }) => (
  <p>
    <a href={phoneLink(phone)}>{phone}</a>
  </p>
)

function Shipment({ order }: Pick<OrderViewProps, 'order'>) {
  const { shipment, address, name, delivery, yard } = order
  if (delivery !== 'ship') return null
  return (
    <section aria-labelledby="shipping" className={classes.card}>
      <h2 id="shipping">Shipping</h2>
      {shipment && (
        <p>
          {shipment.carrierName}
          {shipment.tracking && (
            <>
              {' '}
              {shipment.url ? (
                <a href={shipment.url} rel="noopener noreferrer">
                  Track {shipment.tracking}
                </a>
              ) : (
                shipment.tracking
              )}
            </>
          )}
        </p>
      )}
      <NotYet order={order} />
      {address && (
        <address className={classes.address}>
          {[
            name,
            [address.line1, address.line2].filter(Boolean).join(', '),
            `${address.city}, ${address.state} ${address.zip}`,
          ].map((line) => (
            <span key={line}>{line}</span>
          ))}
        </address>
      )}
      {yard.phone && (
        <p>
          Questions? Call {yard.name}: <a href={phoneLink(yard.phone)}>{yard.phone}</a>
        </p>
      )}
    </section>
  )
}

/** From when a parcel that has not come can be reported; before that, it may still be on its way. */
function NotYet({
  order: { state, shipment, deadline, returnChoices, returns },
}: Pick<OrderViewProps, 'order'>) {
  if (state !== 'shipped' || !shipment || !deadline || returnChoices.length > 0 || returns.length > 0)
    return null
  const from = new Date(Date.parse(shipment.shippedAt) + NOT_ARRIVED_FROM_DAYS * DAY_MS).toISOString()
  return (
    <p className="second">
      If it has not arrived by {dayInWords(from, deadline.zone)}, report it here. The money stays with us
      until that is settled.
    </p>
  )
}

/** A guest can keep all orders in one place. */
function OpenAccount({ order: { name, email, state } }: Pick<OrderViewProps, 'order'>) {
  const isSignedIn = useSession().token !== undefined
  if (isSignedIn || isEnded(state)) return null
  return (
    <Notice tone="information" title="Keep your orders in one place">
      <Link to={registerToBuy(paths.account)} state={{ name, email }}>
        Create an account
      </Link>{' '}
      for {email}, and this order is there on every device.
    </Notice>
  )
}

function Disowned() {
  const heading = useRef<HTMLDivElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Page heading="Thank you" width="text">
      <div ref={heading} tabIndex={-1} className={classes.plainFocus}>
        <p>The links of this order no longer work, and you won’t get more emails about it.</p>
      </div>
    </Page>
  )
}
