import type { ListingText } from '#contract/listing-rules.ts'
import type { Listing } from '#contract/listings.ts'
import { inMinutes, whoChanged } from '#server/features/history/change-words.ts'
import { findLastChanges } from '#server/features/history/queries.ts'
import { withChangeSet } from '#server/features/history/with-change-set.ts'
import { attachPicture } from '#server/features/pictures/attach-picture.ts'
import { type StoredPicture, storePicture } from '#server/features/pictures/store-picture.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { checkText } from './check-text.ts'
import { chooseSlug } from './choose-slug.ts'
import { type ListingColumns, toColumns } from './listing-columns.ts'
import { findListing, type ReadListing } from './listing-queries.ts'
import { lookupGone } from './lookup-gone.ts'
import { listingDeleted, listingNotFound } from './policy.ts'
import { resolveLookups } from './resolve-lookups.ts'
import { isSlugViolation, slugTaken } from './slug-taken.ts'
import { staleHeading } from './stale-heading.ts'
import { changeListing, type ListingRecord, lockListing, rememberSlug } from './write-queries.ts'

export type ListingEdit = {
  listing: ReadListing
  text: ListingText
  /** The version the editor had read; undefined overwrites. */
  version: number | undefined
  /** The new picture's bytes as they came. */
  picture: Uint8Array | undefined
  /** Of an editor who may set it; undefined leaves it. */
  status?: Listing['status'] | undefined
  actor: Actor
  requestId: string
}

type Deps = { files: FileStore; now: () => Date }

/**
 * Changes a listing by any subset of its fields, its picture and its status. Whether the editor may is asked before.
 * @throws AppError VALIDATION_FAILED, CONFLICT (address taken), STALE, LISTING_DELETED
 */
export async function editListing(db: Db, edit: ListingEdit, deps: Deps): Promise<ReadListing> {
  const { listing, text } = edit
  checkText(listing.kind, text, { mode: 'edit', now: deps.now() })
  const stored = edit.picture && (await storePicture(deps.files, edit.picture))
  const source = {
    actorKind: 'user' as const,
    actorUserId: edit.actor.userId,
    onBehalfOf: listing.sellerId,
    requestId: edit.requestId,
    reason: 'edit listing',
  }
  try {
    return await withChangeSet(db, source, async (trx, changeSetId) => {
      const before = await lockExisting(trx, listing.id)
      await refuseStale(trx, before, edit)
      const picture = stored && (await replacePicture(trx, before.id, stored))
      const said = {
        ...toColumns(withoutKnownYear(text, before)),
        ...(edit.status && { status: edit.status }),
        ...(await changedLookups(trx, before, text)),
        ...(await newSlug(trx, before, text)),
      }
      const columns = { ...said, ...staleHeading(before, said) }
      if (columns.slug) await rememberSlug(trx, before.id, { old: before.slug, now: columns.slug })
      await changeListing(trx, before, { changeSetId, columns, ...(picture && { picture }) })
      const after = await findListing(trx, before.id)
      if (!after) throw listingNotFound()
      return after
    })
  } catch (error) {
    throw isSlugViolation(error) ? slugTaken() : (lookupGone(error) ?? error)
  }
}

async function lockExisting(trx: Db, id: string): Promise<ListingRecord> {
  const listing = await lockListing(trx, id)
  if (!listing) throw listingNotFound()
  if (listing.deleted_at) throw listingDeleted()
  return listing
}

/** Who knows no spans of years sends the first one back, and leaves the span as it is. */
function withoutKnownYear(text: ListingText, before: ListingRecord): ListingText {
  if (text.partyear !== String(before.year_from)) return text
  const { partyear: _, ...others } = text
  return others
}

/** The picture's content before and after; undefined where it is the same again. */
async function replacePicture(
  trx: Db,
  listingId: string,
  stored: StoredPicture,
): Promise<[string | null, string] | undefined> {
  const { replaced, sha256 } = await attachPicture(trx, { listingId, stored })
  return replaced === sha256 ? undefined : [replaced ?? null, sha256]
}

async function refuseStale(trx: Db, before: ListingRecord, { version, actor }: ListingEdit): Promise<void> {
  if (version === undefined || version === before.version) return
  const change = (await findLastChanges(trx, [before.id])).get(before.id)
  const changed = change && { by: whoChanged(change, actor), at: change.at.toISOString() }
  const how = change && changed ? `by ${changed.by} at ${inMinutes(change.at)}, after` : 'since'
  throw new AppError(
    'STALE',
    `This listing was changed ${how} you opened it. Load its current values, then make your change again.`,
    changed && { changed },
  )
}

function changedLookups(trx: Db, before: ListingRecord, text: ListingText): Promise<Partial<ListingColumns>> {
  return resolveLookups(trx, text, {
    manufacturerId: before.manufacturer_id,
    manufacturerName: before.manufacturer_name,
    modelName: before.model_name,
  })
}

async function newSlug(trx: Db, before: ListingRecord, text: ListingText): Promise<{ slug?: string }> {
  if (!text.partslug || text.partslug === before.slug) return {}
  const slug = await chooseSlug(trx, text.partslug, before.id)
  return slug === before.slug ? {} : { slug }
}
