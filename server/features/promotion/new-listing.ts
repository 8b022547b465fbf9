import type { NewListingRow } from '#server/features/listings/listing-draft.ts'
import { generatedSlug } from '#server/features/listings/slug.ts'
import type { Ingest, PageRow } from './ingest.ts'
import type { RowListing } from './listing-of-row.ts'

/** What no row of a file says of a listing. */
export const unsetColumns = [
  'status',
  'currency',
  'version',
  'created_at',
  'updated_at',
  'ended_at',
  'ended_reason',
  'deleted_at',
] as const

/** The listing that a row of a file becomes where its seller has none of it. */
export function newListing(
  { promotion, slugTail }: Ingest,
  { action, newId }: Pick<PageRow, 'action' | 'newId'>,
  { columns }: RowListing,
): NewListingRow {
  const { year_from = 0, manufacturer_name = '', model_name = '', name = '' } = columns
  const words = [String(year_from), manufacturer_name, model_name, name]
  // What is copied first is copied as it lies in memory.
  return {
    ...columns,
    id: newId,
    kind: 'ecommerce',
    seller_id: promotion.sellerId,
    slug: generatedSlug(words, newId, slugTail),
    year_from,
    year_to: columns.year_to ?? year_from,
    manufacturer_name,
    model_name,
    name,
    quantity: columns.quantity ?? action.copies,
    price_cents: columns.price_cents ?? 0,
  }
}
