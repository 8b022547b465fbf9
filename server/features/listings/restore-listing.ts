import type { Db } from '#server/platform/database/database.ts'
import { changeOwnListing, type ListingCommand } from './change-own-listing.ts'
import type { ReadListing } from './listing-queries.ts'
import { generatedSlug } from './slug.ts'
import { isSlugViolation } from './slug-taken.ts'
import { isSlugTaken } from './write-queries.ts'

/**
 * Takes back the last of two steps: the deletion of a deleted listing (one that was sold before stays sold), else the end
 * of an ended one. Where its address was given away meanwhile, the listing gets a new one.
 */
export async function restoreListing(db: Db, command: ListingCommand): Promise<ReadListing> {
  try {
    return await restore(db, command, isSlugTaken)
  } catch (error) {
    // Somebody took the address between our look and our write.
    if (!isSlugViolation(error)) throw error
    return restore(db, command, async () => true)
  }
}

function restore(db: Db, command: ListingCommand, isTaken: typeof isSlugTaken): Promise<ReadListing> {
  return changeOwnListing(db, command, {
    reason: 'restore listing',
    decide: async (before, trx) => {
      if (before.deleted_at === null) return { ended_at: null, ended_reason: null }
      if (!(await isTaken(trx, before.slug, before.id))) return { deleted_at: null }
      const words = [String(before.year_from), before.manufacturer_name, before.model_name, before.name]
      return { deleted_at: null, slug: generatedSlug(words, before.id) }
    },
  })
}
