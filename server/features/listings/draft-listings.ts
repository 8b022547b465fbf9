import { type CopyValue, copyLine } from '#server/platform/copy-rows.ts'
import type { Db } from '#server/platform/database.ts'
import { inTurns } from '#server/platform/in-turns.ts'
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

/** New listings as lines for COPY, by their ids. */
export type ListingDraft = {
  readonly columns: readonly string[]
  readonly listings: ReadonlyMap<string, string>
  readonly searches: ReadonlyMap<string, string>
}

/**
 * Makes everything about new listings that needs no transaction: their search documents and the text that COPY takes.
 * Made for imports, a few thousand rows a call.
 * @param names words of all categories and manufacturers that the rows may have (`loadSearchNames`)
 */
export async function draftListings(
  db: Db,
  rows: readonly NewListingRow[],
  names: SearchNames,
): Promise<ListingDraft> {
  const columns = columnsOf(rows)
  const listings = new Map<string, string>()
  const searches = new Map<string, string>()
  for await (const some of inTurns(rows, ROWS_A_TURN)) {
    for (const [id, line] of listingLines(some, columns)) listings.set(id, line)
    const running = some.filter((row) => !row.deleted_at)
    const documents = await searchDocuments(
      db,
      running.map((row) => searchedText(row, names)),
    )
    for (const [at, row] of running.entries()) searches.set(row.id, searchLine(row, documents[at]))
  }
  return { columns, listings, searches }
}

// About a millisecond of work: while a draft is made, the one before is being written on another connection.
const ROWS_A_TURN = 20

/** Those that at least one row has. */
function columnsOf(rows: readonly NewListingRow[]): Column[] {
  const columns = new Set<Column>()
  for (const row of rows) for (const column of Object.keys(row) as Column[]) columns.add(column)
  return [...columns]
}

function* listingLines(
  rows: readonly NewListingRow[],
  columns: readonly Column[],
): Generator<[id: string, line: string]> {
  const now = new Date()
  const spare = columns.map((column) => (/^(cre|upd)ated_at$/.test(column) ? now : defaults[column]))
  for (const row of rows) yield [row.id, copyLine(columns.map((column, at) => row[column] ?? spare[at]))]
}

/** The columns in the order of `copyListings`. */
function searchLine(row: NewListingRow, document: string | undefined): string {
  const live = (row.status ?? 'ACTIVE') === 'ACTIVE' && !row.ended_at
  return copyLine([
    row.id,
    row.seller_id,
    row.category_id,
    row.manufacturer_id,
    row.car_model_id,
    live,
    row.status === 'HIDDEN',
    document,
  ])
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
