import { holdStatements } from '#server/features/market/listings/search-row/held-statements.ts'
import { findPlaces } from '#server/features/market/listings/search-row/places.ts'
import { type SearchNames, searchDocuments } from '#server/features/market/listings/search-row/search-rows.ts'
import { type NamedPlace, reviewNames } from '#server/features/people/yard-names/name-reviews.ts'
import { type CopyValue, copyLine, copyLines } from '#server/platform/database/copy-rows.ts'
import type { Db } from '#server/platform/database/database.ts'
import { inSlices } from '#server/platform/processes/concurrency.ts'
import { type ListingColumns, plainColumns, textColumns } from './listing-columns.ts'

export type NewListingRow = ListingColumns & { id: string }

// The database generates it from the part number.
type Column = Exclude<keyof NewListingRow, 'part_number_key'>

/** The table's defaults: a COPY either omits a column for all rows or sets it in all. */
const defaults = {
  ...Object.fromEntries(textColumns.map(({ column, empty }) => [column, empty])),
  ...Object.fromEntries(plainColumns.map((column) => [column, null])),
  status: 'ACTIVE',
  currency: 'USD',
  quantity: 1,
  shipping_kind: 'quote',
  dealer_phone_e164: null,
  version: 1,
} as Record<Column, CopyValue>

/** New listings as lines for COPY, by id, prepared outside a transaction. */
export class ListingDraft {
  readonly columns: readonly string[]
  readonly listings = new Map<string, string>()
  /** Search rows of listings that are not deleted. */
  readonly searches = new Map<string, string>()
  /** Who sells them and where, each once. */
  readonly names = new Map<string, NamedPlace>()
  /** One of each seller whose listings state other numbers. */
  readonly #stating = new Map<string, NewListingRow>()
  readonly #lineOf: (row: NewListingRow) => string

  /** @param unset columns to leave to the table's defaults; eight of them save 10 µs a row */
  constructor(unset: readonly Column[] = []) {
    const columns = (Object.keys(defaults) as Column[]).filter((column) => !unset.includes(column))
    this.columns = columns
    this.#lineOf = lineMaker(columns, new Date())
  }

  get stating(): NewListingRow[] {
    return [...this.#stating.values()]
  }

  /**
   * Adds some listings, few enough not to block other work for long. Keeps only their lines: as objects they would take ten
   * times the memory.
   * @param names words of all categories and manufacturers that they may have (`loadSearchNames`)
   */
  async add(db: Db, rows: readonly NewListingRow[], names: SearchNames): Promise<void> {
    for (const row of rows) {
      this.listings.set(row.id, this.#lineOf(row))
      const { seller_id, dealer_name, city, state, zip } = row
      if (row.interchange) this.#stating.set(seller_id, row)
      const place = { seller_id, dealer_name, city, state, zip }
      this.names.set(Object.values(place).join('\n'), place)
    }
    const running = rows.filter((row) => !row.deleted_at)
    const documents = await searchDocuments(db, running, names)
    const places = await findPlaces(db, running)
    for (const [at, row] of running.entries()) {
      this.searches.set(row.id, searchLine(row, places[at], documents[at]))
    }
  }
}

function lineMaker(columns: readonly Column[], now: Date): (row: NewListingRow) => string {
  const spare = { ...defaults, created_at: now, updated_at: now }
  return (row) => copyLine(columns.map((column) => row[column] ?? spare[column]))
}

/** The columns in the order of `copyListings`. */
function searchLine(row: NewListingRow, place: CopyValue, document: string | undefined): string {
  const live = (row.status ?? 'ACTIVE') === 'ACTIVE' && !row.ended_at
  return copyLine([
    row.id,
    row.seller_id,
    row.category_id,
    row.manufacturer_id,
    row.car_model_id,
    live,
    row.status === 'HIDDEN',
    place,
    document,
  ])
}

// About a millisecond of work.
const ROWS_A_TURN = 20

/** Drafts a few thousand listings that are in memory. */
export async function draftListings(
  db: Db,
  rows: readonly NewListingRow[],
  names: SearchNames,
): Promise<ListingDraft> {
  const draft = new ListingDraft()
  for await (const some of inSlices(rows, ROWS_A_TURN)) await draft.add(db, some, names)
  return draft
}

const searchColumns = [
  'listing_id',
  'seller_id',
  'category_id',
  'manufacturer_id',
  'car_model_id',
  'live',
  'hidden',
  'place',
  'document',
]

/**
 * Writes drafted listings and their search rows by COPY, in the caller's transaction under its change set: all of them, or
 * those with these ids. Writes no history: the listing's source shows where it came from, and its first change stores the
 * former values.
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
  await reviewNames(trx, [...draft.names.values()])
  await holdStatements(trx, draft.stating)
}

/** Deleted listings have no search row. */
function* linesOf(lines: ReadonlyMap<string, string>, ids: readonly string[]): Generator<string> {
  for (const id of ids) {
    const line = lines.get(id)
    if (line !== undefined) yield line
  }
}
