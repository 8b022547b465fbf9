import { hasLink } from '#contract/text/links.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import { isPublicListing } from '#server/features/market/listings/policy.ts'
import { whyNoLinks } from '#server/features/people/accounts/email/confirmed-email.ts'
import type { Actor } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/errors.ts'

type Offered = Parameters<typeof isPublicListing>[0] & { endedAt: Date | null }

/** Buyers can only ask about parts that are for sale. */
export function canBeAskedAfter(listing: Offered): boolean {
  return isPublicListing(listing) && listing.endedAt === null
}

export function ownsLead(actor: Actor, lead: { sellerId: string }): boolean {
  return actor.sellerId === lead.sellerId
}

/** Other sellers' messages look like missing ones. */
export const leadNotFound = () => new AppError('NOT_FOUND', 'There is no such message.')

export const ownListing = () =>
  new AppError('CONFLICT', 'This is your own listing: messages about it come to you.')

export const sellerGone = () =>
  new AppError('CONFLICT', 'This seller no longer sells here, so nobody would read your message.')

type BuyerContact = { name: string; phone: string | null }

export const noEmailAddress = ({ name, phone }: BuyerContact) =>
  new AppError('CONFLICT', `${name} left no email address. Call them at ${phone}.`)

export const emailsStopped = ({ name, phone }: BuyerContact) =>
  new AppError(
    'CONFLICT',
    `${name} stopped the emails of this conversation.${phone === null ? '' : ` Call them at ${phone}.`}`,
  )

const notAt = (field: string, reason: string) =>
  new AppError('VALIDATION_FAILED', reason, { fields: { [field]: reason } })

export const noOffers = () => notAt('offer', 'This seller does not take offers.')

/** @throws AppError VALIDATION_FAILED on the field for a price above the asking price */
export function requireFairPrice(
  { price, field }: { price: number; field: 'offer' | 'price' },
  { priceCents, currency }: { priceCents: number; currency: string },
): void {
  if (price <= priceCents) return
  throw notAt(field, `The asking price is ${moneyInWords(priceCents, currency)}. Offer that or less.`)
}

/** @throws AppError VALIDATION_FAILED for a seller's price that is not above the buyer's open offer */
export function requireMore(
  price: number,
  { priceCents, currency }: { priceCents: number | null; currency: string | null },
): void {
  if (priceCents === null || currency === null || price > priceCents) return
  const offered = moneyInWords(priceCents, currency)
  throw notAt('price', `The buyer already offers ${offered}. Accept it, or ask for more.`)
}

/**
 * Rejects links in text sent to someone else, unless the account is old enough.
 * @throws AppError VALIDATION_FAILED on the field
 */
export function refuseLinks(
  texts: Readonly<Record<string, string>>,
  { actor, now }: { actor: Actor | undefined; now: Date },
): void {
  const field = Object.keys(texts).find((name) => hasLink(texts[name] ?? ''))
  const reason = field && whyNoLinks(actor, now)
  if (reason) throw notAt(field, reason)
}
