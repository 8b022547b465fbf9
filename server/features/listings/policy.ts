import type { Actor } from '#server/platform/actor.ts'
import { isAdmin } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/errors.ts'

type Owned = { sellerId: string }

/** A seller works on their own listings alone. */
export function ownsListing(actor: Actor, listing: Owned): boolean {
  return actor.sellerId === listing.sellerId
}

/** Hidden listings are seen by their seller and by admins. */
export function canSeeListing(actor: Actor | undefined, listing: Owned & { status: string }): boolean {
  if (listing.status === 'ACTIVE') return true
  return actor !== undefined && (ownsListing(actor, listing) || isAdmin(actor))
}

/** What is not yours is answered like what does not exist. */
export const listingNotFound = () => new AppError('NOT_FOUND', 'There is no such listing.')

export const listingDeleted = () => new AppError('LISTING_DELETED', 'This listing was deleted')
