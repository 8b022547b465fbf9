import { type ListingColumns, toColumns } from '#server/features/listings/listing-columns.ts'
import type { LookupNames } from '#server/features/lookups/lookup-names.ts'
import type { StagedText } from './row-text.ts'

/** What a row of a file says about its listing; columns of fields that the file does not have are absent. */
export type RowListing = {
  readonly columns: Partial<ListingColumns>
  /** Null where the file has pictures but the row has none, undefined where the file has none at all. */
  readonly imageUrl: string | null | undefined
}

// As the rule for a listing's quantity.
const MOST_QUANTITY = 1_000_000

/**
 * The columns that a row sets. Names that no lookup has (any more) stay as text; equal rows of which there are several
 * add up to a quantity.
 */
export function listingOfRow(text: StagedText, copies: number, names: LookupNames): RowListing {
  const columns = toColumns(text)
  setVehicle(columns, text, names)
  if (text.partcategory !== undefined) columns.category_id = names.category(text.partcategory)?.id ?? null
  if (typeof columns.quantity === 'number') {
    columns.quantity = Math.min(columns.quantity * copies, MOST_QUANTITY)
  }
  return { columns, imageUrl: pictureOf(text) }
}

function setVehicle(
  columns: Partial<ListingColumns>,
  { partmanu, partmodel }: StagedText,
  names: LookupNames,
): void {
  if (partmanu === undefined || partmodel === undefined) return
  const manufacturer = names.manufacturer(partmanu)
  const model = manufacturer && names.model(manufacturer.id, partmodel)
  columns.manufacturer_id = manufacturer?.id ?? null
  columns.manufacturer_name = manufacturer?.name ?? partmanu
  columns.car_model_id = model?.id ?? null
  columns.model_name = model?.name ?? partmodel
}

function pictureOf({ imageUrl }: StagedText): RowListing['imageUrl'] {
  if (imageUrl === undefined) return undefined
  return /^https?:\/\//i.test(imageUrl) && imageUrl.length <= 2_000 ? imageUrl : null
}
