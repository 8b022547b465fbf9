import { IconCalendar, IconCheck, IconCopy, IconMapPin, IconPhone, IconTruck } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { Button } from '#web/site/button.tsx'
import {
  endInWords,
  fitmentOf,
  formatPrice,
  gradeInWords,
  placeOf,
  shippingInWords,
} from '#web/site/card/listing-words.ts'
import classes from './part.module.css'

export function Offer({ listing }: { listing: Listing }) {
  const ended = endInWords(listing)
  return (
    <section aria-label="Offer" className={classes.card}>
      <p className={classes.priceLine}>
        <span className={classes.price} data-ended={ended !== undefined || undefined}>
          {formatPrice(listing.partprice, listing.currency)}
        </span>
        {listing.partgrade && <span className={classes.pill}>{gradeInWords(listing.partgrade)}</span>}
      </p>
      {listing.partnum && <PartNumber number={listing.partnum} />}
      <p>
        <span className={classes.quiet}>From a</span> {fitmentOf(listing)}
      </p>
      <ul className={classes.lines}>
        <Line icon={<IconTruck size={20} aria-hidden />}>{shippingInWords(listing)}</Line>
        <Line icon={<IconCalendar size={20} aria-hidden />}>
          Listed <time dateTime={listing.createdAt}>{dayOf(listing.createdAt)}</time>
        </Line>
      </ul>
    </section>
  )
}

/** Who sells it, and where it is. */
export function Seller({ listing, path }: { listing: Listing; path?: ReactNode }) {
  const phones = [listing.dealerphone, listing.phoneb].filter(Boolean)
  const place = placeOf(listing)
  if (!listing.dealername && !place && phones.length === 0) return null
  return (
    <section aria-label="Seller" className={classes.card}>
      <div className={classes.seller}>
        <span className={classes.initial} aria-hidden="true">
          {(listing.dealername.trim() || place).charAt(0).toUpperCase()}
        </span>
        <div>
          <p className={classes.sellerName}>{listing.dealername}</p>
          {path}
        </div>
      </div>
      <ul className={classes.lines}>
        {place && <Line icon={<IconMapPin size={20} aria-hidden />}>{place}</Line>}
        {phones.map((phone) => (
          <Line key={phone} icon={<IconPhone size={20} aria-hidden />}>
            <a href={`tel:${phone}`}>{phone}</a>
          </Line>
        ))}
      </ul>
    </section>
  )
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className={classes.line}>
      {icon}
      <span>{children}</span>
    </li>
  )
}

// Of one time zone, so that the server's page and the browser's are the same.
const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const dayOf = (iso: string): string => days.format(new Date(iso))

const copiedForMs = 2000

function PartNumber({ number }: { number: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(setCopied, copiedForMs, false)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    // Where the browser refuses, the number can still be selected.
    navigator.clipboard?.writeText(number).then(
      () => setCopied(true),
      () => undefined,
    )
  }
  return (
    <p className={classes.numberLine}>
      <span className={classes.number}>
        <span className={classes.quiet}>Part #</span> {number}
      </span>
      <Button size="small" onClick={copy} aria-live="polite">
        {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </p>
  )
}
