import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import sheet from '#web/artwork/sheet.svg?url'
import { paths } from '#web/paths.ts'
import buy from '#web/screens/parts/part/buy/buy.module.css'
import { Checkout } from '#web/screens/parts/part/buy/checkout.tsx'
import { Button, ButtonLink } from '#web/site/button.tsx'
import { ListingPicture } from '#web/site/card/listing-picture.tsx'
import { formatPrice, sellerName, titleOf } from '#web/site/card/listing-words.ts'
import { type Carts, readCarts, takeOutOfCart } from '#web/site/cart.ts'
import { Head } from '#web/site/head.tsx'
import { Empty, Notice, Page } from '#web/site/page.tsx'
import classes from './cart.module.css'

/** Parts of one yard that are bought together. Another yard's cart is another order. */
export function Component() {
  const [carts, setCarts] = useState<Carts>()
  const [query] = useSearchParams()
  useEffect(() => setCarts(readCarts()), [])
  const yards = Object.keys(carts ?? {})
  const asked = query.get('yard')
  const yard = asked !== null && yards.includes(asked) ? asked : yards.at(-1)
  return (
    <Page heading="Your cart" lead="Parts of one yard are one order, with one payment and combined shipping.">
      <Head title="Your cart" noindex />
      {carts === undefined && <Opening />}
      {carts && yard === undefined && <NoParts />}
      {carts && yard !== undefined && (
        <YardCart
          key={yard}
          yard={yard}
          slugs={carts[yard] ?? []}
          onRemove={(slug) => {
            takeOutOfCart([slug])
            setCarts(readCarts())
          }}
        />
      )}
      <OtherYards yards={yards.filter((other) => other !== yard)} carts={carts} />
    </Page>
  )
}

const Opening = () => (
  <>
    <p role="status">Opening your cart…</p>
    <noscript>
      <p>The cart needs JavaScript. Without it, write to the seller on the part’s page.</p>
    </noscript>
  </>
)

const NoParts = () => (
  <Empty
    drawing={sheet}
    title="Your cart is empty"
    text="Choose “Add to cart” on a part’s page to buy several parts of one yard together."
    action={
      <ButtonLink to={paths.parts} look="filled">
        Find parts
      </ButtonLink>
    }
  />
)

function OtherYards({ yards, carts }: { yards: readonly string[]; carts: Carts | undefined }) {
  if (yards.length === 0) return null
  return (
    <section aria-labelledby="others" className={classes.others}>
      <h2 id="others">Other yards</h2>
      <ul>
        {yards.map((yard) => (
          <li key={yard}>
            <Link to={paths.cartOf(yard)}>
              {yard.replaceAll('-', ' ')}: {carts?.[yard]?.length}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A part as it is now; null if it has no page anymore, undefined while it is read. */
type Shown = Readonly<Record<string, Listing | null>>

function useListings(slugs: readonly string[]): { shown: Shown; isRead: boolean } {
  const [shown, setShown] = useState<Shown>({})
  const names = slugs.join(' ')
  useEffect(() => {
    const controller = new AbortController()
    for (const slug of names.split(' ')) {
      void readListing(slug, controller.signal).then((listing) => {
        if (!controller.signal.aborted) setShown((before) => ({ ...before, [slug]: listing }))
      })
    }
    return () => controller.abort()
  }, [names])
  return { shown, isRead: slugs.every((slug) => shown[slug] !== undefined) }
}

async function readListing(slug: string, signal: AbortSignal): Promise<Listing | null> {
  const response = await fetch(`/api/auto-part/${encodeURIComponent(slug)}`, { signal }).catch(
    () => undefined,
  )
  return response?.ok ? ((await response.json().catch(() => null)) as Listing | null) : null
}

type YardCartProps = { yard: string; slugs: readonly string[]; onRemove: (slug: string) => void }

function YardCart({ yard, slugs, onRemove }: YardCartProps) {
  const { shown, isRead } = useListings(slugs)
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({})
  const found = slugs.flatMap((slug) => shown[slug] ?? [])
  const [first, ...others] = found
  const problemOf = (slug: string): string | undefined => {
    const listing = shown[slug]
    if (listing === undefined) return undefined
    if (listing === null) return 'This part is no longer here'
    return refused[slug] ?? (listing.soldOnline ? undefined : 'This part is not sold online')
  }
  const hasGone = slugs.some((slug) => shown[slug] === null)
  return (
    <div className={buy.columns}>
      <section aria-label="Parts in your cart" className={`${buy.part} ${classes.box}`}>
        {first && <p className="second">Sold by {sellerName(first)}</p>}
        <ul className={classes.parts}>
          {slugs.map((slug) => (
            <CartPart
              key={slug}
              slug={slug}
              listing={shown[slug]}
              problem={problemOf(slug)}
              onRemove={() => {
                setRefused({})
                onRemove(slug)
              }}
            />
          ))}
        </ul>
        <p>
          <Link to={paths.seller(yard)}>Add another part of this yard</Link>
        </p>
      </section>
      {!isRead && <p role="status">Reading the parts…</p>}
      {isRead && hasGone && (
        <Notice tone="warning" role="alert" title="A part is gone">
          Remove it to go on with the others.
        </Notice>
      )}
      {isRead && !hasGone && first && <Checkout listing={first} others={others} onRefused={setRefused} />}
    </div>
  )
}

type CartPartProps = {
  slug: string
  listing: Listing | null | undefined
  problem: string | undefined
  onRemove: () => void
}

function CartPart({ slug, listing, problem, onRemove }: CartPartProps) {
  const title = listing ? titleOf(listing) : slug.replaceAll('-', ' ')
  return (
    <li className={classes.line}>
      <div className={classes.picture}>
        <ListingPicture
          src={listing?.imageUrl ?? null}
          alt=""
          group={listing?.categoryGroup ?? null}
          sizes="5rem"
        />
      </div>
      <div className={classes.facts}>
        <p className={classes.title}>{listing ? <Link to={paths.part(slug)}>{title}</Link> : title}</p>
        {listing && <p>{formatPrice(listing.partprice, listing.currency)}</p>}
        {problem !== undefined && (
          <p role="alert" className={classes.problem}>
            {problem}.
          </p>
        )}
        <Button size="small" onClick={onRemove} aria-label={`Remove ${title}`}>
          Remove
        </Button>
      </div>
    </li>
  )
}
