import { type ListingColumns, toColumns } from '#server/features/listings/listing-columns.ts'
import { generatedSlug } from '#server/features/listings/slugs.ts'
import type { GeneratedListing } from './listing-generator.ts'

/** Ids of lookups by name; of models by "manufacturer/model". */
export type LookupIds = Record<'categories' | 'manufacturers' | 'models', ReadonlyMap<string, string>>

/** A yard as its listings need it: its id, and its contact lines as columns, made once (reading a phone is slow). */
export type YardColumns = { sellerId: string; contact: Partial<ListingColumns> }

/** The table's row of a generated listing. A lookup that an admin renamed in the meantime stays as text. */
export function listingRow(
  { id, kind, createdAt, category, text }: GeneratedListing,
  lookups: LookupIds,
  { sellerId, contact }: YardColumns,
): ListingColumns & { id: string } {
  const { partyear, partmanuname, partmodel, partname } = text
  return {
    price_cents: 0,
    ...contact,
    ...toColumns(text),
    id,
    kind,
    seller_id: sellerId,
    slug: generatedSlug([partyear, partmanuname, partmodel, partname], id),
    name: partname,
    year_from: Number(partyear),
    year_to: Number(partyear),
    category_id: lookups.categories.get(category) ?? null,
    manufacturer_id: lookups.manufacturers.get(partmanuname) ?? null,
    manufacturer_name: partmanuname,
    car_model_id: lookups.models.get(`${partmanuname}/${partmodel}`) ?? null,
    model_name: partmodel,
    created_at: createdAt,
    updated_at: createdAt,
  }
}
