import { sql } from 'kysely'
import { termColumns } from '#contract/listing/listing-terms.ts'
import type { KeptCard } from '#contract/search/parts-search.ts'
import { endOf, sideOf } from '#server/features/finding/vocabulary/built-in.ts'
import { isPublic, SOLD_SHOWN_MS } from '#server/features/market/for-sale/for-sale.ts'
import { camelCase } from '#server/features/market/listings/listing-columns.ts'
import type { ReadListing } from '#server/features/market/listings/listing-queries.ts'
import { presentTerms } from '#server/features/market/listings/present-listing.ts'
import { findZip, milesFrom } from '#server/features/market/listings/search-row/places.ts'
import { readInShape, type Shape } from '#server/features/market/listings/shown/shapes.ts'
import type { Db } from '#server/platform/database/database.ts'
import { selectList } from '#server/platform/select-list.ts'
import { cardShape, presentCard, type ReadCard } from './cards.ts'

/* Cards of parts that a buyer keeps in lists of their own, sold or not, with what else buyers compare. */

const keptColumns = (
  [
    'miles',
    'trim_name',
    'body_style',
    'damage',
    ...termColumns,
    'core_part',
    'ended_reason',
    'deleted_at',
  ] as const
).map((column) => ({ column, name: camelCase(column) }))

type ReadKeptCard = ReadCard & Pick<ReadListing, (typeof keptColumns)[number]['name']> & { isPublic: boolean }

const keptShape: Shape<ReadKeptCard> = {
  columns: sql<ReadKeptCard>`${cardShape.columns}, ${isPublic} as "isPublic", ${selectList('l', keptColumns)}`,
  joins: cardShape.joins,
}

type CardsRequest = { readonly ids: readonly string[]; readonly zip?: string | undefined; readonly now: Date }

/**
 * Reads parts by id if their pages are public: for sale or recently sold.
 * @throws AppError VALIDATION_FAILED for a ZIP code that does not exist
 */
export async function readKeptCards(db: Db, { ids, zip, now }: CardsRequest): Promise<KeptCard[]> {
  if (zip) await findZip(db, zip)
  const rows = (await readInShape(db, keptShape, [...new Set(ids)])).filter(
    ({ isPublic: isShown, endedAt, endedReason }) =>
      isShown && (!endedAt || (isSale(endedReason) && isLately(endedAt, now))),
  )
  const away = zip
    ? await milesFrom(
        db,
        zip,
        rows.map(({ id }) => id),
      )
    : undefined
  return rows.map((row) => ({
    ...presentCard(row, away?.get(row.id)),
    status: row.endedAt ? 'SOLD' : 'ACTIVE',
    partmiles: row.miles,
    parttrim: row.trimName,
    bodystyle: row.bodyStyle,
    partdamage: row.damage,
    termsInWords: presentTerms(row).termsInWords,
    position: [endOf(row.name), sideOf(row.name)].filter(Boolean).join(' '),
  }))
}

const isSale = (reason: ReadKeptCard['endedReason']) => reason === 'sold-here' || reason === 'sold-elsewhere'
const isLately = (at: Date, now: Date) => now.getTime() - at.getTime() <= SOLD_SHOWN_MS
