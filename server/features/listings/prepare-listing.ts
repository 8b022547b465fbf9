import type { ListingKind, ListingText } from '#contract/listing-rules.ts'
import type { StoredPicture } from '#server/features/pictures/store-picture.ts'
import { storePicture } from '#server/features/pictures/store-picture.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { checkText } from './check-text.ts'
import { type ListingColumns, toColumns } from './listing-columns.ts'
import { resolveLookups } from './resolve-lookups.ts'

export type NewListing = {
  kind: ListingKind
  text: ListingText
  /** The picture's bytes as they came. */
  picture: Uint8Array | undefined
}

/** A listing checked and ready to be written. */
export type PreparedListing = {
  kind: ListingKind
  columns: Omit<ListingColumns, 'kind' | 'slug' | 'seller_id'>
  /** The address that the seller chose, as typed. */
  ownSlug: string | undefined
  picture: StoredPicture | undefined
}

/**
 * Checks a new listing's text and stores its picture: everything slow, before the transaction that writes it. The
 * picture's file comes first, since a row without its file would be a broken page; a file without a row is swept.
 * @throws AppError VALIDATION_FAILED, WRONG_TYPE (no picture), STORAGE_FULL
 */
export async function prepareListing(
  db: Db,
  { kind, text, picture }: NewListing,
  deps: { files: FileStore; now: () => Date },
): Promise<PreparedListing> {
  const pictureMissing = kind === 'ecommerce' && !picture
  checkText(kind, text, { mode: 'create', now: deps.now(), pictureMissing })
  const columns = { ...emptyListing, ...toColumns(text), ...(await resolveLookups(db, text)) }
  const stored = picture && (await storePicture(deps.files, picture))
  return { kind, columns, ownSlug: text.partslug || undefined, picture: stored }
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
