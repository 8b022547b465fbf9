import { withChangeSet } from '#server/features/history/with-change-set.ts'
import { attachPicture } from '#server/features/pictures/attach-picture.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { chooseSlug } from './choose-slug.ts'
import { findListing, type ReadListing } from './listing-queries.ts'
import { lookupGone } from './lookup-gone.ts'
import type { PreparedListing } from './prepare-listing.ts'
import { generatedSlug } from './slug.ts'
import { isSlugViolation, slugTaken } from './slug-taken.ts'
import { insertListings, newListingIds } from './write-queries.ts'

type Creator = { actor: Actor; requestId: string }

/**
 * Writes a prepared listing with its search row, picture, history and picture job, in one transaction.
 * @throws AppError CONFLICT where the seller's own address is taken
 */
export async function createListing(
  db: Db,
  { kind, columns, ownSlug, picture }: PreparedListing,
  { actor, requestId }: Creator,
): Promise<ReadListing> {
  const source = {
    actorKind: 'user' as const,
    actorUserId: actor.userId,
    onBehalfOf: actor.sellerId,
    requestId,
    reason: `create ${kind} listing`,
  }
  try {
    return await withChangeSet(db, source, async (trx, changeSetId) => {
      const [id = ''] = await newListingIds(trx, 1)
      const words = [String(columns.year_from), columns.manufacturer_name, columns.model_name, columns.name]
      const slug = ownSlug ? await chooseSlug(trx, ownSlug, id) : generatedSlug(words, id)
      const row = { ...columns, id, kind, slug, seller_id: actor.sellerId }
      await insertListings(trx, [row], { changeSetId, source: `${kind} form` })
      if (picture) await attachPicture(trx, { listingId: id, stored: picture })
      const listing = await findListing(trx, id)
      if (!listing) throw new Error('a listing vanished in its own transaction')
      return listing
    })
  } catch (error) {
    throw isSlugViolation(error) ? slugTaken() : (lookupGone(error) ?? error)
  }
}
