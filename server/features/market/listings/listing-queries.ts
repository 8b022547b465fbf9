import { type RawBuilder, sql } from 'kysely'
import type { Listing } from '#contract/listings.ts'
import type { PictureMark } from '#contract/pictures.ts'
import { type WhyGone, whyGone } from '#server/features/market/for-sale/for-sale.ts'
import { type Held, heldOf, readHeld, sellsOnline } from '#server/features/market/for-sale/held-parts.ts'
import { accessKey } from '#server/features/market/pictures/picture-files.ts'
import { shownName } from '#server/features/people/yard-names/shown-name.ts'
import type { Db } from '#server/platform/database/database.ts'
import { selectList } from '#server/platform/select-list.ts'
import { type CamelCase, camelCase, type ListingTexts, plainColumns, textColumns } from './listing-columns.ts'
import { readInShape, type Shape } from './shown/shapes.ts'
import type { ListingRecord } from './write-queries.ts'

const recordColumns = [...textColumns, ...plainColumns.map((column) => ({ column, name: camelCase(column) }))]

type Choices = Pick<Listing, 'kind' | 'status' | 'shippingKind' | 'endedReason'>
type PlainValues = { [C in (typeof plainColumns)[number] as CamelCase<C>]: ListingRecord[C] }
type FromRecord = ListingTexts & Omit<PlainValues, keyof Choices> & Choices

/** The fields from other tables. */
type Detail = {
  categoryName: string | null
  categoryGroup: string | null
  showPhonePublicly: boolean
  preferredContact: 'email' | 'phone'
  takesOffers: boolean
  /** As buyers see it (`shownName`). */
  shownDealerName: string | null
  /** Why its seller is gone, so that only administrators see it. */
  sellerGone: WhyGone | null
  held: Held | null
  sellsOnline: boolean
} & Images &
  Keyed
/** Null if its pictures are public (`accessKey`). */
type Keyed = { pictureKey: string | null }
type Images = {
  images: { id: string; sha256: string; alt: string; width: number; height: number; marks: PictureMark[] }[]
  imageProblem: string | null
}

/** A listing as read for a reply. */
export type ReadListing = FromRecord & Detail

/**
 * The ready pictures `i` of one listing in order, and why one could not be fetched. As json: jsonb would be parsed and
 * written out again, a tenth of a page's cost.
 */
const imagesOf = sql`
  coalesce(
    json_agg(json_build_object('id', i.id, 'sha256', i.sha256, 'alt', i.alt, 'width', i.width, 'height', i.height,
                               'marks', i.marks)
              order by i.position) filter (where i.state = 'ready'), '[]'::json) as images,
  min(i.error) filter (where i.state = 'failed') as "imageProblem"`

/** Columns and joins of a listing `l`, including its pictures, so that a page is one statement. */
const readColumns = sql`
  ${selectList('l', recordColumns)}, c.name as "categoryName", g.key as "categoryGroup",
  s.show_phone_publicly as "showPhonePublicly", s.preferred_contact as "preferredContact",
  s.takes_offers as "takesOffers", ${shownName(sql`l.seller_id`, sql`l.dealer_name`)} as "shownDealerName",
  ${whyGone(sql`l.seller_id`)} as "sellerGone", ${accessKey} as "pictureKey",
  ${heldOf(sql`l.id`)} as held, ${sellsOnline} as "sellsOnline",
  pictures.images, pictures."imageProblem"
`
const readJoins = sql`
  join seller s on s.id = l.seller_id
  left join category c on c.id = l.category_id
  left join category_group g on g.id = c.group_id
  left join lateral (
    select ${imagesOf} from listing_image i where i.listing_id = l.id
  ) pictures on true
`

export const wholeListing: Shape<ReadListing> = {
  columns: readColumns as RawBuilder<ReadListing>,
  joins: readJoins,
}

async function readOne(db: Db, condition: RawBuilder<unknown>): Promise<ReadListing | undefined> {
  const { rows } = await sql<ReadListing>`/* prepared */
    select ${readColumns} from listing l ${readJoins} where ${condition}
  `.execute(db)
  return rows[0]
}

/** Reads these listings in this order, skipping missing ones. */
export const readListings = (db: Db, ids: readonly string[]): Promise<ReadListing[]> =>
  readInShape(db, wholeListing, ids)

/** Finds a listing by id, deleted or not. */
export function findListing(db: Db, id: string): Promise<ReadListing | undefined> {
  return readOne(db, sql`l.id = ${id}`)
}

/** Finds a listing by its current slug, otherwise by a former one; never a deleted listing. */
export async function findListingBySlug(db: Db, slug: string): Promise<ReadListing | undefined> {
  return (
    (await readOne(db, sql`l.slug = ${slug} and l.deleted_at is null`)) ??
    (await readOne(
      db,
      sql`l.id = (select listing_id from listing_slug where slug = ${slug}) and l.deleted_at is null`,
    ))
  )
}

/** Whether this is a current or former slug of a deleted listing. */
export async function wasListed(db: Db, slug: string): Promise<boolean> {
  const { rows } = await sql<{ was: boolean }>`
    select exists (select from listing where slug = ${slug} and deleted_at is not null)
        or exists (select from listing_slug where slug = ${slug}) as was
  `.execute(db)
  return rows[0]?.was === true
}

/** The data from other tables that locked rows need to become full listings. */
export type ListingDetails = {
  /** The start of the transaction, written as `updated_at`. */
  at: Date
  of(record: ListingRecord): Detail
}

/**
 * A read listing from a locked row. Reading the thousand locked rows of a bulk save again took a fifth of its time.
 */
export function readLocked(record: ListingRecord, details: ListingDetails): ReadListing {
  return { ...fromRecord(record), ...details.of(record) }
}

/** The same after a change in this transaction; `record` lacks only the columns that the database sets. */
export function readChanged(record: ListingRecord, details: ListingDetails): ReadListing {
  return { ...readLocked(record, details), version: record.version + 1, updatedAt: details.at }
}

function fromRecord(record: ListingRecord): FromRecord {
  const read: Record<string, unknown> = {}
  for (const { column, name } of recordColumns) read[name] = record[column]
  return read as FromRecord
}

export async function loadDetails(trx: Db, records: readonly ListingRecord[]): Promise<ListingDetails> {
  const sellerIds = [...new Set(records.map((record) => record.seller_id))]
  const categoryIds = [...new Set(records.flatMap((record) => record.category_id ?? []))]
  const sellers = await sql<
    Pick<Detail, 'showPhonePublicly' | 'preferredContact' | 'takesOffers' | 'sellerGone' | 'sellsOnline'> & {
      id: string
      at: Date
    }
  >`
    select id, show_phone_publicly as "showPhonePublicly", preferred_contact as "preferredContact",
           takes_offers as "takesOffers", ${whyGone(sql`id`)} as "sellerGone", ${sellsOnline} as "sellsOnline",
           now()::timestamptz(3) as at
    from seller s where id = any(${sellerIds}::uuid[])
  `.execute(trx)
  const categories = await sql<{ id: string; name: string; group: string | null }>`
    select c.id, c.name, g.key as "group" from category c left join category_group g on g.id = c.group_id
    where c.id = any(${categoryIds}::uuid[])
  `.execute(trx)
  const pictures = await sql<Images & Keyed & { id: string }>`
    select l.id, ${accessKey} as "pictureKey", ${imagesOf} from listing_image i join listing l on l.id = i.listing_id
    where i.listing_id = any(${records.map(({ id }) => id)}::uuid[]) group by l.id
  `.execute(trx)
  const held = await readHeld(
    trx,
    records.map(({ id }) => id),
  )
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
        takesOffers: seller.get(record.seller_id)?.takesOffers ?? false,
        // Only the seller and administrators read a record that was just written.
        shownDealerName: record.dealer_name,
        sellerGone: seller.get(record.seller_id)?.sellerGone ?? null,
        sellsOnline: seller.get(record.seller_id)?.sellsOnline ?? false,
        held: held.get(record.id) ?? null,
        ...(images.get(record.id) ?? NO_IMAGES),
      }
    },
  }
}

const NO_IMAGES: Images & Keyed = { images: [], imageProblem: null, pictureKey: null }
