import { Readable } from 'node:stream'
import { standardColumns } from '#contract/column-mapping/shipped-templates.ts'
import { csvLine } from '#contract/csv-cell.ts'
import { type ListedPart, standardText } from '#server/features/promotion/listed-part.ts'
import { listPartsBelow } from '#server/features/promotion/listed-part-queries.ts'
import type { Db } from '#server/platform/database.ts'
import { HIGHEST_ID } from '#server/platform/id-ends.ts'

// About 500 kB of text, which is all that is held at a time.
const PARTS_A_PAGE = 1_000

/**
 * A seller's running listings in the columns of the Standard CSV, newest first, read page by page as fast as it is taken.
 * No connection is held in between, and a reader who goes away stops it. What is listed meanwhile is not in it.
 */
export function openPartsExport(db: Db, sellerId: string): Readable {
  return Readable.from(csvPieces(db, sellerId))
}

async function* csvPieces(db: Db, sellerId: string): AsyncGenerator<string> {
  // The mark makes Excel read UTF-8.
  yield `\ufeff${csvLine(standardColumns)}`
  for (let below: string | undefined = HIGHEST_ID; below !== undefined; ) {
    const parts: ListedPart[] = await listPartsBelow(db, sellerId, { below, limit: PARTS_A_PAGE })
    if (parts.length > 0) yield parts.map(toLine).join('')
    below = parts.length < PARTS_A_PAGE ? undefined : parts.at(-1)?.listing.id
  }
}

function toLine(part: ListedPart): string {
  const text = standardText(part)
  return csvLine(standardColumns.map((field) => text[field]))
}
