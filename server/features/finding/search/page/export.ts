import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { csvLine } from '#contract/csv/csv-cell.ts'
import {
  inOrder,
  listingFields,
  recordOrder,
  termFields,
  textFields,
} from '#contract/listing/listing-fields.ts'
import { type TermValue, termText } from '#contract/listing/listing-terms.ts'
import { yearSpanText } from '#contract/listing/year-span.ts'
import { rowCondition } from '#server/features/finding/search/matches/match-conditions.ts'
import type { Search } from '#server/features/finding/search/query/search.ts'
import { camelCase, textColumnOf } from '#server/features/market/listings/listing-columns.ts'
import { type ReadListing, readListings } from '#server/features/market/listings/listing-queries.ts'
import { pictureUrl } from '#server/features/market/pictures/picture-files.ts'
import { type Db, HIGHEST_ID } from '#server/platform/database/database.ts'
import { takeTurn } from '#server/platform/http/limits/turns.ts'

type Cell = string | number | null
type Column = (listing: ReadListing) => Cell

/**
 * The columns of an export. A part's fields have the API's names, so that an import recognizes them; what an import must
 * not set has names that it ignores.
 */
const fields: Record<string, Column> = {
  ...Object.fromEntries(
    textFields.map((field): [string, Column] => {
      const { name } = textColumnOf(field)
      return [field, (listing) => listing[name]]
    }),
  ),
  partyear: ({ yearFrom, yearTo }) => yearSpanText({ from: yearFrom, to: yearTo }),
  partmanuname: ({ manufacturerName }) => manufacturerName,
  partmodel: ({ modelName }) => modelName,
  partcategory: ({ categoryName }) => categoryName,
  partprice: ({ priceCents }) => (priceCents / 100).toFixed(2),
  currency: ({ currency }) => currency,
  partquantity: ({ quantity }) => quantity,
  partshipping: shippingText,
  partmiles: ({ miles }) => miles,
  ...Object.fromEntries(
    termFields.map((field): [string, Column] => {
      const name = camelCase(listingFields[field].column)
      return [field, (listing) => termText(field, listing[name] as TermValue)]
    }),
  ),
  latitude: ({ latitude }) => latitude,
  longitude: ({ longitude }) => longitude,
  partslug: ({ slug }) => slug,
}

const columns: readonly [string, Column][] = Object.entries({
  id: ({ id }) => id,
  version: ({ version }) => version,
  status: ({ status }) => status,
  ...Object.fromEntries(inOrder(recordOrder, Object.keys(fields)).map((field) => [field, fields[field]])),
  kind: ({ kind }) => kind,
  picture: ({ id, images: [first] }) => (first ? pictureUrl(id, first.sha256) : null),
  createdAt: ({ createdAt }) => createdAt.toISOString(),
  updatedAt: ({ updatedAt }) => updatedAt.toISOString(),
  endedAt: ({ endedAt }) => endedAt?.toISOString() ?? null,
  endedReason: ({ endedReason }) => endedReason,
} as Record<string, Column>)

const exportHead: readonly string[] = columns.map(([name]) => name)

const exportCells = (listing: ReadListing): string[] => columns.map(([, cell]) => String(cell(listing) ?? ''))

/** In the form that imports accept. */
function shippingText({ shippingKind, shippingCents }: ReadListing): Cell {
  if (shippingKind === 'free') return 'Free'
  if (shippingKind === 'pickup') return 'Pickup only'
  return shippingCents === null ? null : (shippingCents / 100).toFixed(2)
}

// Rows checked by one statement: 30 ms, no matter how few match.
const ROWS_A_WINDOW = sql`10000`

/**
 * Matches among the next ten thousand listings below an id, newest first, and the last id checked, null at the end.
 * Without `search` all match.
 */
async function listMatchesBelow(
  db: Db,
  search: Search | undefined,
  below: string,
): Promise<{ ids: string[]; last: string | null }> {
  const { rows } = await sql<{ ids: string[] | null; last: string | null }>`
    with passed as materialized (
      select * from listing_search where listing_id < ${below} order by listing_id desc limit ${ROWS_A_WINDOW}
    )
    select array(select t.listing_id from passed t where ${search ? rowCondition(search) : sql`true`}
                 order by t.listing_id desc) as ids,
           (select listing_id from passed order by listing_id limit 1) as last
  `.execute(db)
  return { ids: rows[0]?.ids ?? [], last: rows[0]?.last ?? null }
}

// About 100 kB of text, the most that is in memory at a time. A thousand listings held the event loop for a tenth of a second.
const LISTINGS_A_PAGE = 200

/**
 * All results of a search as CSV, newest first, read page by page as fast as the client reads. Holds no connection in
 * between and stops when the client leaves. Leaves out listings created in the meantime.
 */
export function openExport(db: Db, search: Search | 'everything' | 'nothing'): Readable {
  return Readable.from(csvPieces(db, search))
}

async function* csvPieces(db: Db, search: Search | 'everything' | 'nothing'): AsyncGenerator<string> {
  // The byte order mark makes Excel read UTF-8.
  yield `\ufeff${csvLine(exportHead)}`
  if (search === 'nothing') return
  const filters = search === 'everything' ? undefined : search
  let below: string | null = HIGHEST_ID
  let waiting: string[] = []
  while (below !== null) {
    const found: { ids: string[]; last: string | null } = await listMatchesBelow(db, filters, below)
    waiting.push(...found.ids)
    below = found.last
    while (waiting.length >= LISTINGS_A_PAGE || (below === null && waiting.length > 0)) {
      const page = waiting.slice(0, LISTINGS_A_PAGE)
      waiting = waiting.slice(LISTINGS_A_PAGE)
      yield await toCsv(db, page)
    }
  }
}

/** Leaves out listings that were deleted in the meantime. */
async function toCsv(db: Db, ids: readonly string[]): Promise<string> {
  const listings = await readListings(db, ids)
  await takeTurn()
  return listings.flatMap((listing) => (listing.deletedAt ? [] : csvLine(exportCells(listing)))).join('')
}
