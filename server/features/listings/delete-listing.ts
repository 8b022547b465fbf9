import type { Db } from '#server/platform/database/database.ts'
import { changeOwnListing, type ListingCommand } from './change-own-listing.ts'

/** Deletes a listing; its row stays, so that the deletion can be taken back. Deleting it again changes nothing. */
export async function deleteListing(db: Db, command: ListingCommand, now: Date): Promise<void> {
  await changeOwnListing(db, command, {
    reason: 'delete listing',
    decide: (before) => (before.deleted_at ? {} : { deleted_at: now }),
  })
}
