import type { Listing } from '#contract/listings.ts'
import { userSource, withChangeSet } from '#server/features/market/history/change-sets.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { ListingColumns } from './listing-columns.ts'
import { findListing, type ReadListing } from './listing-queries.ts'
import { requireNotOrdered } from './ordered-parts.ts'
import { listingDeleted, listingNotFound } from './policy.ts'
import { generatedSlug, isSlugViolation } from './slugs.ts'
import { changeListing, diffColumns, isSlugTaken, type ListingRecord, lockListing } from './write-queries.ts'

type ListingCommand = { id: string; actor: Actor; requestId: string }

type Decision = {
  reason: string
  /** Returns the columns to set, given the locked row. */
  decide: (before: ListingRecord, trx: Db) => Partial<ListingColumns> | Promise<Partial<ListingColumns>>
}

/** Changes one listing of a seller in its own transaction, with its history, and returns the result. */
async function changeOwnListing(db: Db, command: ListingCommand, decision: Decision): Promise<ReadListing> {
  const source = userSource(command, decision.reason, command.actor.sellerId)
  return withChangeSet(db, source, async (trx, changeSetId) => {
    const before = await lockListing(trx, command.id)
    if (!before) throw listingNotFound()
    const columns = await decision.decide(before, trx)
    await requireNotOrdered(trx, { before, columns: diffColumns(before, columns) })
    await changeListing(trx, before, { changeSetId, columns })
    const after = await findListing(trx, command.id)
    if (!after) throw listingNotFound()
    return after
  })
}

/** Soft-deletes a listing, so that the deletion can be undone. Deleting it again changes nothing. */
export async function deleteListing(db: Db, command: ListingCommand, now: Date): Promise<void> {
  await changeOwnListing(db, command, {
    reason: 'delete listing',
    decide: (before) => (before.deleted_at ? {} : { deleted_at: now }),
  })
}

type End = { reason: NonNullable<Listing['endedReason']>; now: Date }

/** Ends a listing (sold, scrapped, withdrawn): it leaves the public lists, and its page shows why. */
export function endListing(db: Db, command: ListingCommand, { reason, now }: End): Promise<ReadListing> {
  return changeOwnListing(db, command, {
    reason: 'end listing',
    decide: (before) => {
      if (before.deleted_at) throw listingDeleted()
      return before.ended_at ? { ended_reason: reason } : { ended_at: now, ended_reason: reason }
    },
  })
}

/**
 * Undoes the deletion of a deleted listing (one that was sold before stays sold), otherwise the end of an ended one. If its
 * slug was taken in the meantime, the listing gets a new one.
 */
export async function restoreListing(db: Db, command: ListingCommand): Promise<ReadListing> {
  try {
    return await restore(db, command, isSlugTaken)
  } catch (error) {
    // Someone took the slug between our check and our write.
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
      const words = [String(before.year_from ?? ''), before.manufacturer_name, before.model_name, before.name]
      // With the same words and id, the short slug may be the one just found to be taken.
      const short = generatedSlug(words, before.id)
      const slug = (await isTaken(trx, short, before.id)) ? generatedSlug(words, before.id, 12) : short
      return { deleted_at: null, slug }
    },
  })
}
