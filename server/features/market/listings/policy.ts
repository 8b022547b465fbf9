import { SOLD_SHOWN_MS } from '#server/features/market/for-sale/for-sale.ts'
import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/errors.ts'

type Owned = { sellerId: string }

export function ownsListing(actor: Actor, listing: Owned): boolean {
  return actor.sellerId === listing.sellerId
}

type Shown = { status: string; sellerGone: 'disabled' | 'closed' | null }

/** Whether anyone may see a listing, for sale or sold. In statements: `isPublic` (`server/features/market/for-sale`). */
export const isPublicListing = ({ status, sellerGone }: Shown): boolean =>
  status === 'ACTIVE' && sellerGone === null

/** Only their seller and admins see other listings. */
export function canSeeListing(actor: Actor | undefined, listing: Owned & Shown): boolean {
  if (isPublicListing(listing)) return true
  return actor !== undefined && (ownsListing(actor, listing) || isAdmin(actor))
}

/** Other sellers' listings look like missing ones. */
export const listingNotFound = () => new AppError('NOT_FOUND', 'There is no such listing.')

export const listingDeleted = () => new AppError('LISTING_DELETED', 'This listing was deleted')

const DAY_MS = 86_400_000

/**
 * Whether the page of a part that ended is still shown. It ends with a day in UTC: kept pages are compared with the day, and
 * must not outlive it.
 */
export const isShownAfterEnd = (endedAt: Date, now: Date): boolean =>
  dayOf(now) - dayOf(endedAt) <= SOLD_SHOWN_MS / DAY_MS

const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS)
