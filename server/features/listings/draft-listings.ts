import type { Db } from '#server/platform/database/database.ts'
import { inTurns } from '#server/platform/processes/concurrency.ts'
import { ListingDraft, type NewListingRow } from './listing-draft.ts'
import type { SearchNames } from './search-name-queries.ts'

// About a millisecond of work.
const ROWS_A_TURN = 20

/** Drafts a few thousand listings that are all there. */
export async function draftListings(
  db: Db,
  rows: readonly NewListingRow[],
  names: SearchNames,
): Promise<ListingDraft> {
  const draft = new ListingDraft()
  for await (const some of inTurns(rows, ROWS_A_TURN)) await draft.add(db, some, names)
  return draft
}
