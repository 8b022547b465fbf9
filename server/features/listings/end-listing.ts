import type { Listing } from '#contract/listings.ts'
import type { Db } from '#server/platform/database/database.ts'
import { changeOwnListing, type ListingCommand } from './change-own-listing.ts'
import type { ReadListing } from './listing-queries.ts'
import { listingDeleted } from './policy.ts'

type End = { reason: NonNullable<Listing['endedReason']>; now: Date }

/** Ends a listing (sold, scrapped, withdrawn): it leaves the public lists and its page says so. */
export function endListing(db: Db, command: ListingCommand, { reason, now }: End): Promise<ReadListing> {
  return changeOwnListing(db, command, {
    reason: 'end listing',
    decide: (before) => {
      if (before.deleted_at) throw listingDeleted()
      return before.ended_at ? { ended_reason: reason } : { ended_at: now, ended_reason: reason }
    },
  })
}
