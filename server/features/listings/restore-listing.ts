import type { Db } from '#server/platform/database.ts'
import { changeOwnListing, type ListingCommand } from './change-own-listing.ts'
import type { ReadListing } from './listing-queries.ts'
import { generatedSlug } from './slug.ts'
import { isSlugTaken } from './write-queries.ts'

/** Takes back a deletion or an end. Where its address was given away meanwhile, the listing gets a new one. */
export function restoreListing(db: Db, command: ListingCommand): Promise<ReadListing> {
  return changeOwnListing(db, command, {
    reason: 'restore listing',
    decide: async (before, trx) => {
      const isTaken = before.deleted_at !== null && (await isSlugTaken(trx, before.slug, before.id))
      const words = [String(before.year_from), before.manufacturer_name, before.model_name, before.name]
      return {
        deleted_at: null,
        ended_at: null,
        ended_reason: null,
        ...(isTaken && { slug: generatedSlug(words, before.id) }),
      }
    },
  })
}
