import { sql } from 'kysely'
import type { Card } from '#contract/search/parts-search.ts'
import { heldOf, sellsOnline } from '#server/features/market/for-sale/held-parts.ts'
import type { ReadListing } from '#server/features/market/listings/listing-queries.ts'
import {
  presentSale,
  presentVehicle,
  shippingDollars,
  totalDollars,
} from '#server/features/market/listings/shown/facts.ts'
import type { Shape } from '#server/features/market/listings/shown/shapes.ts'
import { accessKey, pictureUrl } from '#server/features/market/pictures/picture-files.ts'
import { shownName } from '#server/features/people/yard-names/shown-name.ts'

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
  | 'quantity'
  | 'endedAt'
  | 'held'
  | 'sellsOnline'
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
    l.quantity, l.ended_at as "endedAt", ${heldOf(sql`l.id`)} as held, ${sellsOnline} as "sellsOnline",
    (select i.sha256 from listing_image i where i.listing_id = l.id and i.state = 'ready'
     order by i.position limit 1) as picture, ${accessKey} as "pictureKey"`,
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
    ...presentSale(row),
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
