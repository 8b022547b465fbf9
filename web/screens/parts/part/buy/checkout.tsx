import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import type { Delivery } from '#contract/order/order-steps.ts'
import { keepOrderToken, type Purchase, placeOrder, type Refusal } from '#web/api/orders/order-calls.ts'
import { useSession } from '#web/api/session.ts'
import { paths } from '#web/paths.ts'
import { keepZip, readZip } from '#web/site/visitor-zip.ts'
import classes from './buy.module.css'
import { AddressFields, BuyerFields, HowFields, MissingFields, QuantityField } from './fields.tsx'
import { problemsIn, purchaseOf } from './purchase.ts'
import { Refused } from './refused.tsx'
import { Summary } from './summary.tsx'
import { useQuote } from './use-quote.ts'

type CheckoutProps = {
  listing: Listing
  /** Parts of the same yard that are bought with it. */
  others?: readonly Listing[]
  /** Says why parts of several cannot be bought, by their slugs. */
  onRefused?: (problems: Readonly<Record<string, string>>) => void
  /** What is below the choice of how to get it. */
  children?: ReactNode
}

const NONE: readonly Listing[] = []

/** The form of one purchase. It works for guests; what they typed stays in the page after every refusal. */
export function Checkout({ listing, others = NONE, onRefused, children }: CheckoutProps) {
  const { user } = useSession()
  const listings = [listing, ...others]
  const [delivery, setDelivery] = useFirstDelivery(listings)
  const [zip, setZip] = useState('')
  const [quantity, setQuantity] = useState(1)
  const offer = usePaidOffer()
  const slugs = listings.map(({ partslug }) => partslug)
  const price = useQuote(slugs, { delivery, zip, quantity, accepted: offer?.accepted })
  const form = useRef<HTMLFormElement>(null)
  const buying = useBuying(slugs, price.replace)
  const { problems } = buying

  // The device's ZIP code is not known to the server, whose page comes first; what was typed into that page stays.
  useEffect(() => {
    const field = form.current?.elements.namedItem('address.zip')
    const typed = field instanceof HTMLInputElement ? field.value.trim() : ''
    setZip((zip) => zip || typed || (readZip() ?? ''))
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each refusal
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [buying.refusal, buying.tries])

  const fields = buying.refusal?.fields ?? price.refusal?.fields
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each reply
  useEffect(() => onRefused?.(problemsOfParts(slugs, fields)), [fields])
  // A link may ask for pickup at a yard without a counter.
  const isElsewise = price.refusal?.code === 'DELIVERY' && delivery === 'pickup'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each reply
  useEffect(() => {
    if (isElsewise) setDelivery('ship')
  }, [isElsewise])

  const buy = (event?: FormEvent) => {
    event?.preventDefault()
    if (!form.current || price.busy) return
    const total = price.quote?.total ?? null
    const conversation = offer?.conversation
    const purchase = purchaseOf(form.current, { delivery, quantity, total, conversation })
    void buying.buy(form.current, purchase)
  }

  return (
    <form
      // A signed-in buyer's name is known only after hydration.
      key={user?.id ?? 'guest'}
      ref={form}
      noValidate
      aria-label="Buy this part"
      className={classes.stack}
      onSubmit={buy}
      onInput={({ target }) => buying.mend((target as HTMLInputElement).name)}
    >
      <noscript>
        <p>Buying needs JavaScript. Without it, go back to the part and write to the seller.</p>
      </noscript>
      <HowFields
        listing={listing}
        choices={price.quote?.delivery ?? [delivery]}
        chosen={delivery}
        onChoose={setDelivery}
      >
        {listing.partquantity > 1 && !offer && others.length === 0 && (
          <QuantityField most={listing.partquantity} value={quantity} onChange={setQuantity} />
        )}
        {children}
      </HowFields>
      {others.length > 0 && <MissingFields problems={problems} isTaxed={price.quote?.taxAdded === true} />}
      {delivery === 'ship' && (
        <AddressFields
          problems={problems}
          zip={zip}
          onZip={(typed) => {
            setZip(typed)
            if (/^\d{5}$/.test(typed)) keepZip(typed)
          }}
        />
      )}
      <BuyerFields problems={problems} name={user?.name} email={user?.email} listing={listing} />
      <Summary
        listing={listing}
        isSeveral={others.length > 0}
        delivery={delivery}
        price={price}
        busy={buying.busy}
        refused={
          buying.refusal && (
            <Refused
              listing={listing}
              refusal={buying.refusal}
              expected={buying.expected}
              onAgain={() => buy()}
            />
          )
        }
      />
    </form>
  )
}

/** As a link asks for, or shipped if all parts can be. */
function useFirstDelivery(listings: readonly Listing[]) {
  const [query] = useSearchParams()
  const isFetched =
    query.get('delivery') === 'pickup' || listings.some(({ shippingKind }) => shippingKind === 'pickup')
  return useState<Delivery>(isFetched ? 'pickup' : 'ship')
}

/** Sentences about parts by slug; the server names parts by their places. */
const problemsOfParts = (
  slugs: readonly string[],
  fields: Readonly<Record<string, string>> = {},
): Record<string, string> =>
  Object.fromEntries(
    slugs.flatMap((slug, at) => {
      const problem = fields[`items.${at}`]
      return problem === undefined ? [] : [[slug, problem.replace(/\.$/, '')]]
    }),
  )

/** The accepted offer of the conversation that led here, whose link is no part of the address. */
export function usePaidOffer(): PaidOffer | undefined {
  const { state } = useLocation()
  const [offer, setOffer] = useState<PaidOffer>()
  useEffect(() => setOffer((state as { offer?: PaidOffer } | null)?.offer), [state])
  return offer
}

/** The token of the conversation, the id of the acceptance in it, and the price, "$80.00". */
export type PaidOffer = { conversation: string; accepted: string; price: string }

/** Sends the purchase, one at a time, and goes on to the payment page. */
function useBuying(slugs: readonly string[], onNewPrice: ReturnType<typeof useQuote>['replace']) {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [expected, setExpected] = useState<number | null>(null)
  const [tries, setTries] = useState(0)
  const names = slugs.join(' ')

  useEffect(() => {
    // A browser that goes back shows the page as it was left.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && setBusy(false)
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])

  // Without the part that was refused, the others may be bought.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the parts change
  useEffect(() => setRefusal(undefined), [names])

  const buy = async (form: HTMLFormElement, purchase: Purchase) => {
    if (busy) return
    const found = problemsIn(form)
    setProblems(found)
    setTries(tries + 1)
    setRefusal(undefined)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    const outcome = await placeOrder(slugs, purchase)
    if ('done' in outcome) {
      const { order, token, url } = outcome.done
      keepOrderToken(order.id, token)
      // Stays busy until the payment page is there.
      if (url === undefined) await navigate(paths.order(order.id))
      else window.location.assign(url)
      return
    }
    setBusy(false)
    setExpected(purchase.expectedTotal ?? null)
    if (outcome.refusal.quote) onNewPrice(outcome.refusal.quote)
    setProblems(outcome.refusal.fields ?? {})
    setRefusal(outcome.refusal)
  }
  const mend = (name: string) =>
    setProblems(({ [name]: mended, ...others }) => (mended === undefined ? { ...others } : others))
  return { busy, refusal, problems, expected, tries, buy, mend }
}
