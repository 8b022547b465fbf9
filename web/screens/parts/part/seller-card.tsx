import { IconPhone } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import type { PublicSeller } from '#contract/pages/sellers.ts'
import { phoneLink } from '#contract/text/phone-parts.ts'
import { paths } from '#web/paths.ts'
import { placeOf } from '#web/site/card/listing-words.ts'
import { PolicyTexts, waitOf } from '#web/site/seller/seller-facts.tsx'
import { Standing } from '#web/site/seller/standing.tsx'
import { Line } from './offer.tsx'
import classes from './part.module.css'

type SellerCardProps = { listing: Listing; seller: PublicSeller | undefined }

/** The seller, since when they have been selling here, how fast they reply, and their other parts. */
export function SellerCard({ listing, seller }: SellerCardProps) {
  const name = listing.dealername.trim() || seller?.name
  const place = (seller && [seller.city, seller.state].filter(Boolean).join(', ')) || placeOf(listing)
  const phones = [listing.dealerphone, listing.phoneb].filter(Boolean)
  if (!name && !place && phones.length === 0) return null
  return (
    <section aria-labelledby="seller" className={classes.card}>
      <div className={classes.seller}>
        <span className={classes.initial} aria-hidden="true">
          {(name || place).charAt(0).toUpperCase()}
        </span>
        <div>
          <h2 id="seller" className={classes.sellerName}>
            <span className="unseen">Seller: </span>
            {seller ? <Link to={paths.seller(seller.slug)}>{name}</Link> : name}
          </h2>
          <p className="second">
            {[place, seller && `Member since ${new Date(seller.since).getUTCFullYear()}`]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
      </div>
      <ul className={classes.lines}>
        {seller && <Standing seller={seller} />}
        {typeof seller?.answersWithinHours === 'number' && (
          <li>Usually replies within {waitOf(seller.answersWithinHours)}</li>
        )}
        {seller && seller.parts > 0 && (
          <li className={classes.line}>
            <Link to={paths.seller(seller.slug)}>
              {seller.parts.toLocaleString('en-US')} {seller.parts === 1 ? 'part' : 'parts'} for sale
            </Link>
          </li>
        )}
        {phones.map((phone) => (
          <Line key={phone} icon={<IconPhone size={20} aria-hidden />}>
            <a href={phoneLink(phone)}>{phone}</a>
          </Line>
        ))}
      </ul>
      {seller && <PolicyTexts policy={seller.policy} className={classes.policy} />}
    </section>
  )
}
