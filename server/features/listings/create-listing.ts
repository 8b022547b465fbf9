import type { ListingKind, ListingText } from '#contract/listing-rules.ts'
import { withChangeSet } from '#server/features/history/with-change-set.ts'
import { attachPicture } from '#server/features/pictures/attach-picture.ts'
import { storePicture } from '#server/features/pictures/store-picture.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import type { UploadedFile } from '#server/platform/http/handler.ts'
import { checkText } from './check-text.ts'
import { chooseSlug } from './choose-slug.ts'
import { toColumns } from './listing-columns.ts'
import { findListing, type ReadListing } from './listing-queries.ts'
import { resolveLookups } from './resolve-lookups.ts'
import { generatedSlug } from './slug.ts'
import { isSlugViolation, slugTaken } from './slug-taken.ts'
import { insertListings, newListingIds } from './write-queries.ts'

export type NewListing = {
  kind: ListingKind
  text: ListingText
  picture: UploadedFile | undefined
  actor: Actor
  requestId: string
}

type Deps = { files: FileStore; now: () => Date }

/**
 * Lists a part: checks the text, stores the picture, then writes listing, search row, picture and history in one
 * transaction. The picture's file comes first, since a row without its file would be a broken page; a file without a
 * row is swept.
 * @throws AppError VALIDATION_FAILED, CONFLICT (own address taken), WRONG_TYPE (no picture), STORAGE_FULL
 */
export async function createListing(db: Db, listing: NewListing, deps: Deps): Promise<ReadListing> {
  const { kind, text, actor } = listing
  const pictureMissing = kind === 'ecommerce' && !listing.picture
  checkText(kind, text, { mode: 'create', now: deps.now(), pictureMissing })
  const lookups = await resolveLookups(db, text)
  const stored = listing.picture && (await storePicture(deps.files, listing.picture.bytes))
  const source = {
    actorKind: 'user' as const,
    actorUserId: actor.userId,
    onBehalfOf: actor.sellerId,
    requestId: listing.requestId,
    reason: `create ${kind} listing`,
  }
  try {
    return await withChangeSet(db, source, async (trx, changeSetId) => {
      const [id = ''] = await newListingIds(trx, 1)
      const columns = { ...emptyListing, ...toColumns(text), ...lookups }
      const words = [String(columns.year_from), columns.manufacturer_name, columns.model_name, columns.name]
      const slug = text.partslug ? await chooseSlug(trx, text.partslug, id) : generatedSlug(words, id)
      const row = { ...columns, id, kind, slug, seller_id: actor.sellerId }
      await insertListings(trx, [row], { changeSetId, source: `${kind} form` })
      if (stored) await attachPicture(trx, { listingId: id, stored })
      return getListing(trx, id)
    })
  } catch (error) {
    throw isSlugViolation(error) ? slugTaken() : error
  }
}

/** Columns without a default in the table; a checked text sets them. */
const emptyListing = {
  name: '',
  manufacturer_name: '',
  model_name: '',
  year_from: 0,
  year_to: 0,
  price_cents: 0,
}

async function getListing(db: Db, id: string): Promise<ReadListing> {
  const listing = await findListing(db, id)
  if (!listing) throw new Error('a listing vanished in its own transaction')
  return listing
}
