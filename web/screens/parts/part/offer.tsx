import {
  IconCalendar,
  IconCheck,
  IconCopy,
  IconMapPin,
  IconShieldCheck,
  IconTruck,
} from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { Grade } from '#contract/listing/listing-rules.ts'
import type { Listing } from '#contract/listings.ts'
import type { AroundPart } from '#contract/pages/part-page.ts'
import { phoneLink } from '#contract/text/phone-parts.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/site/button.tsx'
import { BuyerTool } from '#web/site/buyer-tool.tsx'
import {
  endInWords,
  fitmentOf,
  formatPrice,
  gradeInWords,
  placeOf,
  shippedPrice,
  shippingAdded,
  shippingInWords,
} from '#web/site/card/listing-words.ts'
import { useSiteFacts } from '#web/site/head.tsx'
import { HowFar } from '#web/site/seller/how-far.tsx'
import { BuyBox } from './buy-box/buy-box.tsx'
import { canBuy } from './buy-box/can-buy.ts'
import { CONTACT, contactMode } from './contact.tsx'
import classes from './part.module.css'

type OfferProps = {
  listing: Listing
  around: AroundPart | undefined
  /** Until a buyer's hold ends, when the page was read. */
  heldMinutes: number | undefined
}

export function Offer({ listing, around, heldMinutes }: OfferProps) {
  const fits = around?.fits
  const ended = endInWords(listing)
  return (
    <section aria-label="Offer" className={classes.card}>
      <p className={classes.priceLine}>
        <span className={classes.price} data-ended={ended !== undefined || undefined}>
          {formatPrice(listing.partprice, listing.currency)}
        </span>
        {listing.partgrade && <span className={classes.pill}>{gradeInWords(listing.partgrade)}</span>}
      </p>
      {isExplained(listing.partgrade) && (
        <p className={`second ${classes.grade}`}>
          {gradeMeanings[listing.partgrade]} <Link to={paths.helpArticle('grades')}>What grades mean</Link>
        </p>
      )}
      <BuyBox listing={listing} yard={around?.seller.slug} heldMinutes={heldMinutes} />
      {listing.partnum && <PartNumber number={listing.partnum} />}
      <p>
        <span className={classes.quiet}>From a</span> {fitmentOf(listing)}
      </p>
      {fits && ended === undefined && (
        <BuyerTool name="FitsVehicles" fits={fits} className={classes.own}>
          <a href="#fits">See what it fits</a>
        </BuyerTool>
      )}
      <ul className={classes.lines}>
        <Line icon={<IconTruck size={20} aria-hidden />}>
          <Shipping listing={listing} />
        </Line>
        <Place listing={listing} />
        {listing.termsInWords.map((line) => (
          <Line key={line} icon={<IconShieldCheck size={20} aria-hidden />}>
            {line}
          </Line>
        ))}
        <Line icon={<IconCalendar size={20} aria-hidden />}>
          Listed <time dateTime={listing.createdAt}>{dayOf(listing.createdAt)}</time>
        </Line>
      </ul>
    </section>
  )
}

/** What a buyer can expect; the help article says the same to sellers. */
const gradeMeanings: Record<Grade, string> = {
  A: 'Works like new. Any marks clean off.',
  B: 'Works perfectly, with normal wear such as small scratches.',
  C: 'Works, with damage that the seller describes.',
  D: 'For repair or parts.',
}

const isExplained = (grade: string | null): grade is Grade =>
  grade !== null && Object.hasOwn(gradeMeanings, grade)

export function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className={classes.line}>
      {icon}
      <span>{children}</span>
    </li>
  )
}

/** What comes on top of the price, and the total in bold. */
function Shipping({ listing }: { listing: Listing }) {
  const total = shippedPrice(listing)
  if (!total) return shippingAdded(listing)
  return (
    <>
      + {shippingInWords(listing)} = <strong>{total}</strong>
    </>
  )
}

function Place({ listing }: { listing: Listing }) {
  const where = placeOf(listing)
  if (!where) return null
  const isForSale = listing.status === 'ACTIVE' && listing.endedAt === null
  return (
    <Line icon={<IconMapPin size={20} aria-hidden />}>
      {listing.shippingKind === 'pickup' ? `Pickup in ${where}` : `In ${where}`}
      {isForSale && <HowFar of={`/parts/${encodeURIComponent(listing.partslug)}`} />}
    </Line>
  )
}

// A fixed time zone, so that the server and the browser render the same date.
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
    // If the browser refuses, the number can still be selected.
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
      <Button size="small" className={classes.scripted} onClick={copy} aria-live="polite">
        {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        {copied ? 'Copied' : 'Copy'}
        <span className="unseen">part number</span>
      </Button>
    </p>
  )
}

/**
 * On a phone, the price and a link to the contact form, at the bottom of the window until the form comes into view; from then
 * on the bar stays above the form.
 */
export function ContactBar({ listing }: { listing: Listing }) {
  const mode = contactMode(listing)
  const sells = useSiteFacts().orders
  if (mode === 'none' || mode === 'own') return null
  const isFirst = mode === 'write-first' && !(sells && canBuy(listing))
  return (
    <div className={classes.bar}>
      <strong>{formatPrice(listing.partprice, listing.currency)}</strong>
      <MainAction listing={listing} mode={mode} />
      <a href={`#${CONTACT}`} className={isFirst ? classes.barAction : classes.barOther}>
        {isFirst ? 'Contact seller' : 'Write'}
      </a>
    </div>
  )
}

/** What comes before writing: buying, or calling a seller who prefers that. */
function MainAction({ listing, mode }: { listing: Listing; mode: ReturnType<typeof contactMode> }) {
  const sells = useSiteFacts().orders
  if (sells && canBuy(listing)) {
    return (
      <Link to={paths.buy(listing.partslug)} className={classes.barAction}>
        {listing.shippingKind === 'quote' ? 'Get a quote' : 'Buy'}
      </Link>
    )
  }
  return (
    mode === 'call-first' && (
      <a href={phoneLink(listing.dealerphone)} className={classes.barAction}>
        Call seller
      </a>
    )
  )
}
