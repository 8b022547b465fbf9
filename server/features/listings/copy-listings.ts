import { type CopyValue, copyRows } from '#server/platform/copy-rows.ts'
import type { Db } from '#server/platform/database.ts'
import type { ListingColumns } from './listing-columns.ts'
import { type SearchedText, searchDocuments } from './search-documents.ts'
import type { SearchNames } from './search-name-queries.ts'

export type NewListingRow = ListingColumns & { id: string }

type Column = keyof NewListingRow

/** What the table fills in by itself where a column is left out; a COPY leaves it out of all rows or of none. */
const defaults: Partial<Record<Column, CopyValue>> = {
  status: 'ACTIVE',
  description: '',
  currency: 'USD',
  quantity: 1,
  shipping_kind: 'quote',
  city: '',
  state: '',
  dealer_name: '',
  version: 1,
}

/**
 * Writes new listings and their search rows by COPY, in the caller's transaction under its change set. Made for imports,
 * a few thousand rows a call. No history is written: where a listing came from stands in its source, and the
 * first change of it will say what it was.
 * @param names words of all categories and manufacturers that the rows may have (`loadSearchNames`)
 */
export async function copyListings(
  trx: Db,
  rows: readonly NewListingRow[],
  names: SearchNames,
): Promise<void> {
  if (rows.length === 0) return
  const columns = columnsOf(rows)
  await copyRows(trx, 'listing', columns, listingValues(rows, columns))
  const running = rows.filter((row) => !row.deleted_at)
  const documents = await searchDocuments(
    trx,
    running.map((row) => searchedText(row, names)),
  )
  await copyRows(trx, 'listing_search', searchColumns, searchValues(running, documents))
}

/** Those that at least one row has. */
function columnsOf(rows: readonly NewListingRow[]): Column[] {
  const columns = new Set<Column>()
  for (const row of rows) for (const column of Object.keys(row) as Column[]) columns.add(column)
  return [...columns]
}

function* listingValues(rows: readonly NewListingRow[], columns: readonly Column[]): Generator<CopyValue[]> {
  const now = new Date()
  const spare = columns.map((column) => (/^(cre|upd)ated_at$/.test(column) ? now : defaults[column]))
  for (const row of rows) yield columns.map((column, at) => row[column] ?? spare[at])
}

const searchColumns = [
  'listing_id',
  'seller_id',
  'category_id',
  'manufacturer_id',
  'car_model_id',
  'live',
  'document',
]

function* searchValues(rows: readonly NewListingRow[], documents: readonly string[]): Generator<CopyValue[]> {
  for (const [at, row] of rows.entries()) {
    const live = (row.status ?? 'ACTIVE') === 'ACTIVE' && !row.ended_at
    yield [row.id, row.seller_id, row.category_id, row.manufacturer_id, row.car_model_id, live, documents[at]]
  }
}

function searchedText(row: NewListingRow, names: SearchNames): SearchedText {
  return {
    name: row.name,
    yearFrom: row.year_from,
    yearTo: row.year_to,
    manufacturerName: row.manufacturer_name,
    modelName: row.model_name,
    trimName: row.trim_name,
    categoryWords: names.category(row.category_id),
    manufacturerWords: names.manufacturer(row.manufacturer_id),
    partNumber: row.part_number,
    stockNumber: row.stock_number,
    vin: row.vin,
    description: row.description,
  }
}
