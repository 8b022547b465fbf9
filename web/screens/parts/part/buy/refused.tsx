import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { findOwnUnpaid, type Refusal } from '#web/api/orders/order-calls.ts'
import { partsSearch, paths } from '#web/paths.ts'
import { Button } from '#web/site/button.tsx'
import { formatPrice, titleOf } from '#web/site/card/listing-words.ts'
import { Notice } from '#web/site/page.tsx'

type RefusedProps = {
  listing: Listing
  refusal: Refusal
  /** The total that was sent. */
  expected: number | null
  onAgain: () => void
}

/** Parts of several that cannot be bought are named among the parts, not at a field. */
const isPartName = (name: string) => name.startsWith('items.')
export const isOfParts = (fields: Refusal['fields']): boolean => Object.keys(fields ?? {}).some(isPartName)
export const REMOVE_PARTS =
  'A part can’t be bought right now. Remove what is marked in your cart, and buy the others.'

/** Why the part was not bought, and what the buyer can do. Problems of fields are shown there. */
export function Refused({ listing, refusal, expected, onAgain }: RefusedProps) {
  const place = useRef<HTMLDivElement>(null)
  const isOfFields = Object.keys(refusal.fields ?? {}).some((name) => !isPartName(name))
  useEffect(() => {
    if (!isOfFields) place.current?.focus()
  }, [isOfFields])
  if (isOfFields) return null
  return (
    <div ref={place} tabIndex={-1}>
      <Notice tone={refusal.code === 'PRICE_CHANGED' ? 'warning' : 'bad'} role="alert">
        <Advice listing={listing} refusal={refusal} expected={expected} onAgain={onAgain} />
      </Notice>
    </div>
  )
}

function Advice({ listing, refusal, expected, onAgain }: RefusedProps) {
  const { code, error, quote, fields } = refusal
  if (isOfParts(fields)) return <p>{REMOVE_PARTS}</p>
  switch (code) {
    case 'PRICE_CHANGED':
      return <NewPrice before={expected} now={quote?.total ?? null} onAgain={onAgain} />
    case 'PART_TAKEN':
      return <Taken listing={listing} error={error} />
    case 'HOLD_LIMIT':
      return (
        <p>
          {error} <Link to={paths.orders}>See your orders</Link>
        </p>
      )
    case 'NOT_SOLD_ONLINE':
      return (
        <p>
          {error} <Link to={paths.part(listing.partslug)}>Write to the seller</Link>
        </p>
      )
    case 'PAYMENTS_UNREACHABLE':
    case undefined:
      return (
        <>
          <p>{error} You have not paid anything.</p>
          <Button size="small" onClick={onAgain}>
            Try again
          </Button>
        </>
      )
    default:
      return <p>{error}</p>
  }
}

type NewPriceProps = { before: number | null; now: number | null; onAgain: () => void }

function NewPrice({ before, now, onAgain }: NewPriceProps) {
  if (now === null) return <p>The yard now names a shipping price first. Press the button below to ask.</p>
  return (
    <>
      <p>
        The price has changed.{' '}
        {before !== null && (
          <>
            You saw <s>{formatPrice(before, 'USD')}</s>.{' '}
          </>
        )}
        The total is now <strong>{formatPrice(now, 'USD')}</strong>.
      </p>
      <Button size="small" onClick={onAgain}>
        Buy for {formatPrice(now, 'USD')}
      </Button>
    </>
  )
}

function Taken({ listing, error }: { listing: Listing; error: string }) {
  const [own, setOwn] = useState<string>()
  useEffect(() => {
    void findOwnUnpaid(listing.partslug).then(setOwn)
  }, [listing.partslug])
  if (own !== undefined) {
    return (
      <p>
        You already started to buy this part. <Link to={paths.order(own)}>Continue with your order</Link>
      </p>
    )
  }
  return (
    <p>
      {error} <Link to={paths.part(listing.partslug)}>Tell me if it comes back</Link> or{' '}
      <Link to={partsSearch(titleOf(listing))}>find parts like it</Link>.
    </p>
  )
}
