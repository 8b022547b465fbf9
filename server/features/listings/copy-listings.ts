import { copyLines } from '#server/platform/database/copy-rows.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { ListingDraft } from './listing-draft.ts'

const searchColumns = [
  'listing_id',
  'seller_id',
  'category_id',
  'manufacturer_id',
  'car_model_id',
  'live',
  'hidden',
  'document',
]

/**
 * Writes drafted listings and their search rows by COPY, in the caller's transaction under its change set: all of them, or
 * of these ids those that are drafted. No history is written: where a listing came from stands in its source, and the
 * first change of it will say what it was.
 */
export async function copyListings(
  trx: Db,
  draft: ListingDraft,
  ids: Iterable<string> = draft.listings.keys(),
): Promise<void> {
  const chosen = [...ids].filter((id) => draft.listings.has(id))
  if (chosen.length === 0) return
  await copyLines(trx, { table: 'listing', columns: draft.columns }, linesOf(draft.listings, chosen))
  await copyLines(trx, { table: 'listing_search', columns: searchColumns }, linesOf(draft.searches, chosen))
}

/** Deleted listings have no search row. */
function* linesOf(lines: ReadonlyMap<string, string>, ids: readonly string[]): Generator<string> {
  for (const id of ids) {
    const line = lines.get(id)
    if (line !== undefined) yield line
  }
}
