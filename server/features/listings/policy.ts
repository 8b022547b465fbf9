import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/errors.ts'

type Owned = { sellerId: string }

export function ownsListing(actor: Actor, listing: Owned): boolean {
  return actor.sellerId === listing.sellerId
}

type Shown = { status: string; sellerGone: 'disabled' | 'closed' | null }

/** Whether anyone may see a listing, for sale or sold. In statements: `isPublic` (`server/features/for-sale`). */
export const isPublicListing = ({ status, sellerGone }: Shown): boolean =>
  status === 'ACTIVE' && sellerGone === null

/** Only their seller and admins see other listings. */
export function canSeeListing(actor: Actor | undefined, listing: Owned & Shown): boolean {
  if (isPublicListing(listing)) return true
  return actor !== undefined && (ownsListing(actor, listing) || isAdmin(actor))
}

/** For a listing or a seller's page. */
export const sellerClosed = () =>
  new AppError('SELLER_CLOSED', 'This seller no longer sells here. Search all parts instead.')

/** Other sellers' listings look like missing ones. */
export const listingNotFound = () => new AppError('NOT_FOUND', 'There is no such listing.')

export const listingDeleted = () => new AppError('LISTING_DELETED', 'This listing was deleted')
