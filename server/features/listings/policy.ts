import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/errors.ts'

type Owned = { sellerId: string }

export function ownsListing(actor: Actor, listing: Owned): boolean {
  return actor.sellerId === listing.sellerId
}

/** Only their seller and admins see hidden listings. */
export function canSeeListing(actor: Actor | undefined, listing: Owned & { status: string }): boolean {
  if (listing.status === 'ACTIVE') return true
  return actor !== undefined && (ownsListing(actor, listing) || isAdmin(actor))
}

/** Other sellers' listings look like missing ones. */
export const listingNotFound = () => new AppError('NOT_FOUND', 'There is no such listing.')

export const listingDeleted = () => new AppError('LISTING_DELETED', 'This listing was deleted')

/** Contract, second edition: a sold part is shown for 90 days. */
export const SOLD_SHOWN_MS = 90 * 86_400_000
