import { Readable } from 'node:stream'
import { csvLine } from '#contract/csv-cell.ts'
import { HIGHEST_ID } from '#server/platform/database/cursors.ts'
import type { Db } from '#server/platform/database/database.ts'
import { exportCells, exportHead } from './export-columns.ts'
import { listMatchesBelow } from './export-queries.ts'
import { readListings } from './listing-queries.ts'
import type { Search } from './search.ts'

// About 500 kB of text, which is all that is held at a time.
const LISTINGS_A_PAGE = 1_000

/**
 * Everything that a search finds as CSV, newest first, read page by page as fast as it is taken. No connection is held in
 * between, and a reader who goes away stops it. What is listed meanwhile is not in it.
 */
export function openExport(db: Db, search: Search | 'everything' | 'nothing'): Readable {
  return Readable.from(csvPieces(db, search))
}

async function* csvPieces(db: Db, search: Search | 'everything' | 'nothing'): AsyncGenerator<string> {
  // The mark makes Excel read UTF-8.
  yield `\ufeff${csvLine(exportHead)}`
  if (search === 'nothing') return
  const asked = search === 'everything' ? undefined : search
  let below: string | null = HIGHEST_ID
  let waiting: string[] = []
  while (below !== null) {
    const found: { ids: string[]; last: string | null } = await listMatchesBelow(db, asked, below)
    waiting.push(...found.ids)
    below = found.last
    while (waiting.length >= LISTINGS_A_PAGE || (below === null && waiting.length > 0)) {
      const page = waiting.slice(0, LISTINGS_A_PAGE)
      waiting = waiting.slice(LISTINGS_A_PAGE)
      yield await toCsv(db, page)
    }
  }
}

/** A listing that was deleted meanwhile is left out. */
async function toCsv(db: Db, ids: readonly string[]): Promise<string> {
  const listings = await readListings(db, ids)
  return listings.flatMap((listing) => (listing.deletedAt ? [] : csvLine(exportCells(listing)))).join('')
}
