import { sql } from 'kysely'
import { termColumns } from '#contract/listing/listing-terms.ts'
import type { Card, KeptCard } from '#contract/search/parts-search.ts'
import { isPublic } from '#server/features/for-sale/for-sale.ts'
import { camelCase } from '#server/features/listings/listing-columns.ts'
import { type ReadListing, readInShape, type Shape } from '#server/features/listings/listing-queries.ts'
import { SOLD_SHOWN_MS } from '#server/features/listings/policy.ts'
import {
  presentTerms,
  presentVehicle,
  shippingDollars,
  totalDollars,
} from '#server/features/listings/present-listing.ts'
import { findZip, milesFrom } from '#server/features/listings/search-row/places.ts'
import { pictureUrl } from '#server/features/pictures/picture-files.ts'
import { pictureKey } from '#server/features/pictures/picture-queries.ts'
import { endOf, sideOf } from '#server/features/vocabulary/built-in.ts'
import { shownName } from '#server/features/yard-names/name-reviews.ts'
import type { Db } from '#server/platform/database/database.ts'
import { selectList } from '#server/platform/select-list.ts'

/* Cards: what search results show of a listing. A third of its fields and a fifth of its bytes. */

/** A listing as read for a card. */
export type ReadCard = Pick<
  ReadListing,
  | 'id'
  | 'slug'
  | 'name'
  | 'yearFrom'
  | 'yearTo'
  | 'manufacturerName'
  | 'modelName'
  | 'categoryId'
  | 'categoryName'
  | 'categoryGroup'
  | 'grade'
  | 'priceCents'
  | 'currency'
  | 'partNumber'
  | 'interchange'
  | 'shippingKind'
  | 'shippingCents'
  | 'city'
  | 'state'
  | 'dealerName'
  | 'status'
  | 'createdAt'
> & {
  sellerSlug: string
  picture: string | null
  pictureKey: string | null
  /** From the place of `cardShapeFrom`; null if the part's place is unknown. */
  distanceMiles?: number | null
}

export const cardShape: Shape<ReadCard> = {
  columns: sql<ReadCard>`
    l.id, l.slug, l.name, l.year_from as "yearFrom", l.year_to as "yearTo", l.manufacturer_name as "manufacturerName",
    l.model_name as "modelName", l.category_id as "categoryId", c.name as "categoryName", g.key as "categoryGroup",
    l.grade, l.price_cents as "priceCents", l.currency, l.part_number as "partNumber", l.interchange,
    l.shipping_kind as "shippingKind", l.shipping_cents as "shippingCents", l.city, l.state,
    ${shownName(sql`l.seller_id`, sql`l.dealer_name`)} as "dealerName", l.status, l.created_at as "createdAt", s.slug as "sellerSlug",
    (select i.sha256 from listing_image i where i.listing_id = l.id and i.state = 'ready'
     order by i.position limit 1) as picture, ${pictureKey} as "pictureKey"`,
  joins: sql`
    join seller s on s.id = l.seller_id
    left join category c on c.id = l.category_id
    left join category_group g on g.id = c.group_id`,
}

/** The card's columns, with the distance in whole miles from a place, if given. */
export function cardShapeFrom(place: number | undefined): Shape<ReadCard> {
  if (place === undefined) return cardShape
  const miles = sql`
    (select round(miles_between(${place}, t.place)) from listing_search t where t.listing_id = l.id)`
  return { ...cardShape, columns: sql`${cardShape.columns}, ${miles} as "distanceMiles"` }
}

export function presentCard(row: ReadCard, distanceMiles?: number | null): Card {
  return {
    id: row.id,
    partslug: row.slug,
    partname: row.name,
    ...presentVehicle(row),
    partcategory: row.categoryId && row.categoryName ? { id: row.categoryId, name: row.categoryName } : null,
    categoryGroup: row.categoryGroup,
    partgrade: row.grade,
    partprice: row.priceCents / 100,
    currency: row.currency,
    partnum: row.partNumber,
    partshipping: shippingDollars(row),
    shippingKind: row.shippingKind,
    total: totalDollars(row),
    availability: 'now',
    partcity: row.city,
    partstate: row.state,
    dealername: row.dealerName,
    sellerSlug: row.sellerSlug,
    imageUrl: row.picture ? pictureUrl(row.id, row.picture, row.pictureKey) : null,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    ...(typeof distanceMiles === 'number' && { distanceMiles }),
  }
}

const keptColumns = (
  [
    'miles',
    'trim_name',
    'body_style',
    'damage',
    ...termColumns,
    'core_part',
    'ended_at',
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
    availability: row.endedAt ? 'sold' : 'now',
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
