import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import {
  copyListings,
  draftListings,
  type NewListingRow,
} from '#server/features/market/listings/copy-listings.ts'
import { loadSearchNames } from '#server/features/market/listings/search-row/search-rows.ts'
import { newListingIds } from '#server/features/market/listings/write-queries.ts'
import type { Db } from '#server/platform/database/database.ts'

const ROWS_AT_ONCE = 5_000

/** Lists many parts of a seller as an import does; answers their ids, oldest first. */
export async function makeStock(
  db: Db,
  { sellerId, parts }: { sellerId: string; parts: number },
  columnsOf: (at: number) => Partial<NewListingRow> = () => ({}),
): Promise<string[]> {
  const names = await loadSearchNames(db)
  const ids: string[] = []
  while (ids.length < parts) {
    const next = await newListingIds(db, Math.min(ROWS_AT_ONCE, parts - ids.length))
    const rows = next.map((id, at) => ({
      id,
      seller_id: sellerId,
      kind: 'ecommerce',
      slug: `part-${id}`,
      name: 'Part',
      manufacturer_name: 'Ford',
      model_name: 'F-150',
      year_from: 2014,
      year_to: 2014,
      price_cents: 1_000,
      ...columnsOf(ids.length + at),
    }))
    const draft = await draftListings(db, rows, names)
    await withChangeSet(db, { actorKind: 'system', reason: 'make stock' }, (trx) => copyListings(trx, draft))
    ids.push(...next)
  }
  return ids
}
