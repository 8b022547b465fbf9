import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { imagesOf, type ReadListing } from './listing-queries.ts'
import type { ListingRecord } from './write-queries.ts'

/** What stands in other tables than the listing's own. */
type Detail = 'categoryName' | 'categoryGroup' | 'showPhonePublicly' | 'preferredContact' | keyof Images
type Images = Pick<ReadListing, 'images' | 'imageProblem'>
type FromRecord = Omit<ReadListing, Detail>

/** What belongs to locked listings beside their rows. */
export type ListingDetails = {
  /** When this transaction began: what it writes as `updated_at`. */
  at: Date
  of(record: ListingRecord): Pick<ReadListing, Detail>
}

/**
 * A locked listing as it is read, from its row. A thousand rows that were read to be locked are not read again with all
 * that belongs to them: that took a fifth of a bulk save.
 */
export function readLocked(record: ListingRecord, details: ListingDetails): ReadListing {
  return { ...fromRecord(record), ...details.of(record) }
}

/** The same as this transaction leaves it, whose row is `record` but for what the database fills in. */
export function readChanged(record: ListingRecord, details: ListingDetails): ReadListing {
  return { ...readLocked(record, details), version: record.version + 1, updatedAt: details.at }
}

// Named one by one: keys that are computed for each row take three times as long.
function fromRecord(record: ListingRecord): FromRecord {
  return {
    id: record.id,
    sellerId: record.seller_id,
    kind: record.kind as ReadListing['kind'],
    slug: record.slug,
    status: record.status as ReadListing['status'],
    name: record.name,
    description: record.description,
    heading: record.heading,
    categoryId: record.category_id,
    manufacturerId: record.manufacturer_id,
    manufacturerName: record.manufacturer_name,
    carModelId: record.car_model_id,
    modelName: record.model_name,
    trimName: record.trim_name,
    yearFrom: record.year_from,
    yearTo: record.year_to,
    partNumber: record.part_number,
    stockNumber: record.stock_number,
    vin: record.vin,
    grade: record.grade,
    priceCents: record.price_cents,
    currency: record.currency,
    quantity: record.quantity,
    shippingKind: record.shipping_kind as ReadListing['shippingKind'],
    shippingCents: record.shipping_cents,
    miles: record.miles,
    damage: record.damage,
    city: record.city,
    state: record.state,
    zip: record.zip,
    latitude: record.latitude,
    longitude: record.longitude,
    dealerName: record.dealer_name,
    dealerPhone: record.dealer_phone,
    phoneB: record.phone_b,
    version: record.version,
    createdAt: record.created_at,
    updatedAt: record.updated_at,
    endedAt: record.ended_at,
    endedReason: record.ended_reason as ReadListing['endedReason'],
    deletedAt: record.deleted_at,
  }
}

export async function loadDetails(trx: Db, records: readonly ListingRecord[]): Promise<ListingDetails> {
  const sellerIds = [...new Set(records.map((record) => record.seller_id))]
  const categoryIds = [...new Set(records.flatMap((record) => record.category_id ?? []))]
  const sellers = await sql<
    Pick<ReadListing, 'showPhonePublicly' | 'preferredContact'> & { id: string; at: Date }
  >`
    select id, show_phone_publicly as "showPhonePublicly", preferred_contact as "preferredContact",
           now()::timestamptz(3) as at
    from seller where id = any(${sellerIds}::uuid[])
  `.execute(trx)
  const categories = await sql<{ id: string; name: string; group: string | null }>`
    select c.id, c.name, g.key as "group" from category c left join category_group g on g.id = c.group_id
    where c.id = any(${categoryIds}::uuid[])
  `.execute(trx)
  const pictures = await sql<Images & { id: string }>`
    select i.listing_id as id, ${imagesOf} from listing_image i
    where i.listing_id = any(${records.map(({ id }) => id)}::uuid[]) group by i.listing_id
  `.execute(trx)
  const seller = new Map(sellers.rows.map((row) => [row.id, row]))
  const category = new Map(categories.rows.map((row) => [row.id, row]))
  const images = new Map(pictures.rows.map(({ id, ...its }) => [id, its]))
  return {
    at: sellers.rows[0]?.at ?? new Date(),
    of(record) {
      const its = category.get(record.category_id ?? '')
      return {
        categoryName: its?.name ?? null,
        categoryGroup: its?.group ?? null,
        showPhonePublicly: seller.get(record.seller_id)?.showPhonePublicly ?? false,
        preferredContact: seller.get(record.seller_id)?.preferredContact ?? 'email',
        ...(images.get(record.id) ?? NO_IMAGES),
      }
    },
  }
}

const NO_IMAGES: Images = { images: [], imageProblem: null }
