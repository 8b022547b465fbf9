import type { Listing } from '#contract/listings.ts'
import { type ChangeSource, withChangeSet } from '#server/features/history/with-change-set.ts'
import type { Db } from '#server/platform/database.ts'
import type { Actor } from '#server/platform/http/actor.ts'
import type { ListingColumns } from './listing-columns.ts'
import { findListing, type ReadListing } from './listing-queries.ts'
import { changeListing, isSlugTaken, type ListingRecord, lockListing } from './listing-writes.ts'
import { listingDeleted, listingNotFound } from './policy.ts'
import { generatedSlug } from './slug.ts'

type Command = { id: string; actor: Actor; requestId: string }
type Decide = (before: ListingRecord, trx: Db) => Partial<ListingColumns> | Promise<Partial<ListingColumns>>

/** Deletes a listing; its row stays, so that the deletion can be taken back. Deleting it again changes nothing. */
export async function deleteListing(db: Db, command: Command, now: Date): Promise<void> {
  await changeOne(db, command, 'delete listing', (before) => (before.deleted_at ? {} : { deleted_at: now }))
}

type End = { reason: NonNullable<Listing['endedReason']>; now: Date }

/** Ends a listing (sold, scrapped, withdrawn): it leaves the public lists and its page says so. */
export async function endListing(db: Db, command: Command, { reason, now }: End): Promise<ReadListing> {
  return changeOne(db, command, 'end listing', (before) => {
    if (before.deleted_at) throw listingDeleted()
    return before.ended_at ? { ended_reason: reason } : { ended_at: now, ended_reason: reason }
  })
}

/** Takes back a deletion or an end. Where its address was given away meanwhile, the listing gets a new one. */
export async function restoreListing(db: Db, command: Command): Promise<ReadListing> {
  return changeOne(db, command, 'restore listing', async (before, trx) => {
    const isTaken = before.deleted_at !== null && (await isSlugTaken(trx, before.slug, before.id))
    const words = [String(before.year_from), before.manufacturer_name, before.model_name, before.name]
    return {
      deleted_at: null,
      ended_at: null,
      ended_reason: null,
      ...(isTaken && { slug: generatedSlug(words, before.id) }),
    }
  })
}

async function changeOne(db: Db, command: Command, reason: string, decide: Decide): Promise<ReadListing> {
  const source: ChangeSource = {
    actorKind: 'user',
    actorUserId: command.actor.userId,
    onBehalfOf: command.actor.sellerId,
    requestId: command.requestId,
    reason,
  }
  return withChangeSet(db, source, async (trx, changeSetId) => {
    const before = await lockListing(trx, command.id)
    if (!before) throw listingNotFound()
    await changeListing(trx, before, { changeSetId, columns: await decide(before, trx) })
    const after = await findListing(trx, command.id)
    if (!after) throw listingNotFound()
    return after
  })
}
