import type { ImportField } from '#contract/import-fields.ts'
import type { ListingField, ListingText } from '#contract/listing-rules.ts'
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
  const columns = plainColumns(text)
  for (const field of repeating) {
    const value = text[field]
    if (value !== undefined) Object.assign(columns, columnsOf(field, value))
  }
  Object.assign(columns, vehicleColumns(text.partmanu, text.partmodel, names))
  if (text.partcategory !== undefined) columns.category_id = names.category(text.partcategory)?.id ?? null
  if (typeof columns.quantity === 'number') {
    columns.quantity = Math.min(columns.quantity * copies, MOST_QUANTITY)
  }
  return { columns, imageUrl: text.imageUrl === undefined ? undefined : fetchable(text.imageUrl) }
}

// A yard has a few phones, states and shipping costs in a million rows, and reading a phone takes 10 µs.
const repeating = ['partstate', 'partshipping', 'dealerphone'] as const
const ofOwnKind = new Set<ImportField>([
  ...repeating,
  'imageUrl',
  'partcategory',
  'partmanu',
  'partmodel',
  'listingid',
])

function plainColumns(text: StagedText): Partial<ListingColumns> {
  const plain: ListingText = {}
  for (const [field, value] of Object.entries(text) as [ImportField, string][]) {
    if (!ofOwnKind.has(field)) plain[field as ListingField] = value
  }
  return toColumns(plain)
}

function vehicleColumns(
  partmanu: string | undefined,
  partmodel: string | undefined,
  names: LookupNames,
): Partial<ListingColumns> | undefined {
  if (partmanu === undefined || partmodel === undefined) return undefined
  const manufacturer = names.manufacturer(partmanu)
  const model = manufacturer && names.model(manufacturer.id, partmodel)
  return {
    manufacturer_id: manufacturer?.id ?? null,
    manufacturer_name: manufacturer?.name ?? partmanu,
    car_model_id: model?.id ?? null,
    model_name: model?.name ?? partmodel,
  }
}

const fetchable = (url: string) => (/^https?:\/\//i.test(url) && url.length <= 2_000 ? url : null)

const MOST_REMEMBERED = 5_000
const remembered = new Map<string, Partial<ListingColumns>>()

function columnsOf(field: (typeof repeating)[number], text: string): Partial<ListingColumns> {
  const key = `${field} ${text}`
  let columns = remembered.get(key)
  if (!columns) {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    columns = toColumns({ [field]: text })
    remembered.set(key, columns)
  }
  return columns
}
