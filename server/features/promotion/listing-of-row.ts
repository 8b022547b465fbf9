import type { ImportField } from '#contract/import-fields.ts'
import { type ListingColumns, toColumns } from '#server/features/listings/listing-columns.ts'
import type { LookupNames } from '#server/features/lookups/lookup-names.ts'
import type { StagedRecord } from '#server/features/staging/staged-record.ts'
import type { StagedText } from './staged-text.ts'

/** What a row of a file says about its listing; columns of fields that the file does not have are absent. */
export type RowListing = {
  readonly columns: Partial<ListingColumns>
  /** Null where the file has pictures but the row has none, undefined where the file has none at all. */
  readonly imageUrl: string | null | undefined
}

// As the rule for a listing's quantity.
const MOST_QUANTITY = 1_000_000

/** The text of a row in the fields that its file has; what is empty in the row is ''. */
export function textOfRow({ fields }: StagedRecord, ofFile: readonly ImportField[]): StagedText {
  const text: StagedText = {}
  for (const field of ofFile) {
    const value = fields[field]
    text[field] = value === undefined || value === null ? '' : String(value).trim()
  }
  return text
}

/**
 * The columns that a row sets. Names that no lookup has (any more) stay as text; equal rows of which there are several
 * add up to a quantity.
 */
export function listingOfRow(text: StagedText, copies: number, names: LookupNames): RowListing {
  const { imageUrl, partcategory, partmanu, partmodel, partstate, partshipping, dealerphone, ...plain } = text
  const columns: Partial<ListingColumns> = {
    ...toColumns(plain),
    ...(partstate !== undefined && columnsOf('partstate', partstate)),
    ...(partshipping !== undefined && columnsOf('partshipping', partshipping)),
    ...(dealerphone !== undefined && columnsOf('dealerphone', dealerphone)),
    ...vehicleColumns(partmanu, partmodel, names),
  }
  if (partcategory !== undefined) columns.category_id = names.category(partcategory)?.id ?? null
  if (typeof columns.quantity === 'number') {
    columns.quantity = Math.min(columns.quantity * copies, MOST_QUANTITY)
  }
  return { columns, imageUrl: imageUrl === undefined ? undefined : fetchable(imageUrl) }
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

// A yard has a few phones, states and shipping costs in a million rows, and reading a phone takes 10 µs.
const MOST_REMEMBERED = 5_000
const remembered = new Map<string, Partial<ListingColumns>>()

function columnsOf(
  field: 'partstate' | 'partshipping' | 'dealerphone',
  text: string,
): Partial<ListingColumns> {
  const key = `${field} ${text}`
  let columns = remembered.get(key)
  if (!columns) {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    columns = toColumns({ [field]: text })
    remembered.set(key, columns)
  }
  return columns
}
