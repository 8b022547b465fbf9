import { useEffect, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { readText } from '#web/api/browser-storage.ts'
import { paths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/site/button.tsx'
import { useSiteFacts } from '#web/site/head.tsx'
import { useLazily } from '#web/site/use-lazily.ts'
import { readZip } from '#web/site/visitor-zip.ts'
import classes from './buy-box.module.css'
import { canBuy } from './can-buy.ts'
import { CartLink } from './cart-link.tsx'

type BuyBoxProps = { listing: Listing; yard: string | undefined; heldMinutes: number | undefined }

/** Buying the part, or that another buyer has it in a cart. Nothing for parts that are not sold online. */
export function BuyBox({ listing, yard, heldMinutes }: BuyBoxProps) {
  const { orders } = useSiteFacts()
  const { availability, partslug, shippingKind, endedAt, status, mine } = listing
  if (endedAt !== null || status !== 'ACTIVE') return null
  if (availability === 'in-cart' || availability === 'pending') {
    return <Held listing={listing} heldMinutes={heldMinutes} canWatch={!mine} />
  }
  if (!orders || !canBuy(listing)) return null
  const isByQuote = shippingKind === 'quote'
  return (
    <div className={classes.box}>
      <ButtonLink to={paths.buy(partslug)} look="filled" size="large">
        {isByQuote ? 'Ask for a shipping price' : 'Buy'}
      </ButtonLink>
      {isByQuote ? (
        <p>
          <Link to={`${paths.buy(partslug)}?delivery=pickup`}>Pick it up instead, at its price</Link>
        </p>
      ) : (
        <Total slug={partslug} isPickup={shippingKind === 'pickup'} />
      )}
      {yard !== undefined && <CartLink slug={partslug} yard={yard} />}
    </div>
  )
}

/** The total to the visitor's ZIP code. Its code loads at once if the device knows one, otherwise on demand. */
function Total({ slug, isPickup }: { slug: string; isPickup: boolean }) {
  const [total, load] = useLazily(() => import('./total-to-zip.tsx'))
  const [isAsked, setAsked] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    if (readZip() !== null || isPickup) void load()
  }, [])
  if (total) return <total.TotalToZip slug={slug} isPickup={isPickup} isAsked={isAsked} />
  return (
    <button
      type="button"
      className={classes.link}
      onClick={() => {
        setAsked(true)
        void load()
      }}
    >
      Show the total to my ZIP code
    </button>
  )
}

const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })
const day = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  hour: 'numeric',
  minute: '2-digit',
})
const DAY_MS = 24 * 60 * 60_000

/** "3:40 PM", or with the weekday if it is more than a day away. */
const untilWords = (at: string): string =>
  (Date.parse(at) - Date.now() > DAY_MS ? day : clock).format(new Date(at))

type HeldProps = Omit<BuyBoxProps, 'yard'> & { canWatch: boolean }

/** The part is another buyer's for now, or this browser's own. */
function Held({ listing: { partslug, availability, heldUntil }, heldMinutes, canWatch }: HeldProps) {
  const until = useHoldEnd(heldUntil)
  const own = useOwnOrder(partslug)
  const [watch, load] = useLazily(() => import('./watch-part.tsx'))
  return (
    <div className={classes.box}>
      <p className={classes.held}>
        {availability === 'pending' ? 'Sale pending' : `In ${own === undefined ? 'someone’s' : 'your'} cart`}
        {availability === 'in-cart' && until !== undefined && ` until ${until}`}
        {availability === 'in-cart' &&
          until === undefined &&
          heldMinutes !== undefined &&
          minutesWords(heldMinutes)}
      </p>
      {own !== undefined && (
        <p>
          <Link to={paths.order(own)}>Continue with your order</Link>
        </p>
      )}
      {canWatch && own === undefined && (
        <div className={classes.scripted}>
          {watch ? (
            <watch.WatchPart slug={partslug} />
          ) : (
            <Button onClick={() => void load()}>Tell me if it comes back</Button>
          )}
        </div>
      )}
    </div>
  )
}

const minutesWords = (minutes: number) => ` for ${minutes} more ${minutes === 1 ? 'minute' : 'minutes'}`

const AFTER_END_MS = 3_000
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** When the hold ends, on the visitor's clock, once hydrated. The page is read again then. */
function useHoldEnd(heldUntil: string | null): string | undefined {
  const [until, setUntil] = useState<string>()
  const { revalidate } = useRevalidator()
  useEffect(() => {
    setUntil(heldUntil === null ? undefined : untilWords(heldUntil))
    const leftMs = heldUntil === null ? 0 : Date.parse(heldUntil) - Date.now()
    if (leftMs <= 0 || leftMs > LONGEST_TIMER_MS) return
    const timer = setTimeout(() => void revalidate(), leftMs + AFTER_END_MS)
    return () => clearTimeout(timer)
  }, [heldUntil, revalidate])
  return until
}

/** This browser's own unpaid order of the part. Its code loads only where something was ordered. */
function useOwnOrder(slug: string): string | undefined {
  const [own, setOwn] = useState<string>()
  useEffect(() => {
    if (readText('orders') === null) return
    import('#web/api/orders/order-calls.ts').then(
      async ({ findOwnUnpaid }) => setOwn(await findOwnUnpaid(slug)),
      () => undefined,
    )
  }, [slug])
  return own
}
