import { type RawBuilder, sql } from 'kysely'
import type { Listing } from '#contract/listings.ts'
import type { Db } from '#server/platform/database/database.ts'
import { selectList } from '#server/platform/select-list.ts'
import { type ListingTexts, textColumns } from './listing-columns.ts'
import type { ListingRecord } from './write-queries.ts'

/** A listing as read for a reply, with names from other tables. */
export type ReadListing = ListingTexts & {
  id: string
  sellerId: string
  kind: Listing['kind']
  slug: string
  status: Listing['status']
  categoryId: string | null
  categoryName: string | null
  categoryGroup: string | null
  manufacturerId: string | null
  manufacturerName: string
  carModelId: string | null
  modelName: string
  yearFrom: number
  yearTo: number
  priceCents: number
  currency: string
  quantity: number
  shippingKind: Listing['shippingKind']
  shippingCents: number | null
  miles: number | null
  latitude: number | null
  longitude: number | null
  showPhonePublicly: boolean
  preferredContact: 'email' | 'phone'
  version: number
  createdAt: Date
  updatedAt: Date
  endedAt: Date | null
  endedReason: Listing['endedReason']
  deletedAt: Date | null
  images: { id: string; sha256: string; alt: string; width: number; height: number }[]
  imageProblem: string | null
}

/**
 * The ready pictures `i` of one listing in order, and why one could not be fetched. As json: jsonb would be parsed and
 * written out again, a tenth of a page's cost.
 */
const imagesOf = sql`
  coalesce(
    json_agg(json_build_object('id', i.id, 'sha256', i.sha256, 'alt', i.alt, 'width', i.width, 'height', i.height)
              order by i.position) filter (where i.state = 'ready'), '[]'::json) as images,
  min(i.error) filter (where i.state = 'failed') as "imageProblem"`

/** Columns and joins of a listing `l`, including its pictures, so that a page is one statement. */
const readColumns = sql`
  l.id, l.seller_id as "sellerId", l.kind, l.slug, l.status, ${selectList('l', textColumns)},
  l.category_id as "categoryId", c.name as "categoryName", g.key as "categoryGroup",
  l.manufacturer_id as "manufacturerId", l.manufacturer_name as "manufacturerName",
  l.car_model_id as "carModelId", l.model_name as "modelName", l.year_from as "yearFrom",
  l.year_to as "yearTo",
  l.price_cents as "priceCents", l.currency, l.quantity,
  l.shipping_kind as "shippingKind", l.shipping_cents as "shippingCents", l.miles, l.latitude, l.longitude,
  s.show_phone_publicly as "showPhonePublicly",
  s.preferred_contact as "preferredContact", l.version,
  l.created_at as "createdAt", l.updated_at as "updatedAt",
  l.ended_at as "endedAt", l.ended_reason as "endedReason", l.deleted_at as "deletedAt",
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

async function readOne(db: Db, condition: RawBuilder<unknown>): Promise<ReadListing | undefined> {
  const { rows } = await sql<ReadListing>`/* prepared */
    select ${readColumns} from listing l ${readJoins} where ${condition}
  `.execute(db)
  return rows[0]
}

/** These listings in this order, without those that are gone. */
export async function readListings(db: Db, ids: readonly string[]): Promise<ReadListing[]> {
  if (ids.length === 0) return []
  const { rows } =
    await sql<ReadListing>`/* prepared */ ${listingsOf(sql`${ids}::uuid[]`)} order by place`.execute(db)
  return rows
}

/**
 * A page in one statement: `head` is a select of one row with an array `ids` among its columns; `told` lists the columns
 * to return beside the listings, as arguments of json_build_object. One round trip instead of two saves a third of a short
 * page, and returning the head once instead of with every listing saves a tenth.
 */
export async function readPage<Head>(
  db: Db,
  { head, told }: { head: RawBuilder<unknown>; told: RawBuilder<unknown> },
): Promise<{ head: Head; items: ReadListing[] }> {
  const { rows } = await sql<PageRow<Head>>`/* prepared */
    with head as materialized (${head})
    select case when place > 1 then null else json_build_object(${told}) end as told, page.*
    from head left join lateral (${listingsOf(sql`head.ids`)}) page on true
  `.execute(db)
  return { head: headOf(rows), items: inOrder(rows) }
}

/** The same for several pages: `pages` selects `at`, from 1 on, and each page's array `ids`; it may refer to the head. */
export async function readPages<Head>(
  db: Db,
  { head, told, pages }: Record<'head' | 'told' | 'pages', RawBuilder<unknown>>,
): Promise<{ head: Head; pages: ReadListing[][] }> {
  const { rows } = await sql<PageRow<Head> & { at: number }>`/* prepared */
    with head as materialized (${head})
    select case when at > 1 or place > 1 then null else json_build_object(${told}) end as told, at, page.*
    from head cross join lateral (${pages}) asked left join lateral (${listingsOf(sql`asked.ids`)}) page on true
  `.execute(db)
  const found: ReadListing[][] = []
  for (const [at, page] of Map.groupBy(rows, (row) => row.at)) found[at - 1] = inOrder(page)
  return { head: headOf(rows), pages: found }
}

/** A listing with its place; a page without listings is one row with the head only. */
type PageRow<Head> = { told: Head | null } & ((ReadListing & { place: number }) | { id: null })

function headOf<Head>(rows: readonly PageRow<Head>[]): Head {
  const head = rows.find(({ told }) => told !== null)?.told
  if (!head) throw new Error('the first row of a page must have its head')
  return head
}

// Sorting in the database would move all columns, a tenth of a page's time.
const inOrder = <Head>(rows: readonly PageRow<Head>[]): ReadListing[] =>
  rows.filter((row) => row.id !== null).sort((a, b) => a.place - b.place)

const listingsOf = (ids: RawBuilder<unknown>) => sql`
  select ${readColumns}, place
  from unnest(${ids}) with ordinality as listed(id, place) join listing l on l.id = listed.id ${readJoins}
`

/** By id, deleted or not. */
export function findListing(db: Db, id: string): Promise<ReadListing | undefined> {
  return readOne(db, sql`l.id = ${id}`)
}

/** By its current slug, otherwise by a former one; never a deleted listing. */
export async function findListingBySlug(db: Db, slug: string): Promise<ReadListing | undefined> {
  return (
    (await readOne(db, sql`l.slug = ${slug} and l.deleted_at is null`)) ??
    (await readOne(
      db,
      sql`l.id = (select listing_id from listing_slug where slug = ${slug}) and l.deleted_at is null`,
    ))
  )
}

/** The fields from other tables. */
type Detail = 'categoryName' | 'categoryGroup' | 'showPhonePublicly' | 'preferredContact' | keyof Images
type Images = Pick<ReadListing, 'images' | 'imageProblem'>
type FromRecord = Omit<ReadListing, Detail>

/** What locked listings need beside their rows. */
export type ListingDetails = {
  /** The start of the transaction, which it writes as `updated_at`. */
  at: Date
  of(record: ListingRecord): Pick<ReadListing, Detail>
}

/**
 * A read listing from a locked row. Reading the thousand locked rows of a bulk save again took a fifth of its time.
 */
export function readLocked(record: ListingRecord, details: ListingDetails): ReadListing {
  return { ...fromRecord(record), ...details.of(record) }
}

/** The same after this transaction changed it; `record` has all but the columns that the database sets. */
export function readChanged(record: ListingRecord, details: ListingDetails): ReadListing {
  return { ...readLocked(record, details), version: record.version + 1, updatedAt: details.at }
}

// Texts come first: setting computed keys after the others takes three times as long.
function fromRecord(record: ListingRecord): FromRecord {
  return {
    ...textsOf(record),
    id: record.id,
    sellerId: record.seller_id,
    kind: record.kind as ReadListing['kind'],
    slug: record.slug,
    status: record.status as ReadListing['status'],
    categoryId: record.category_id,
    manufacturerId: record.manufacturer_id,
    manufacturerName: record.manufacturer_name,
    carModelId: record.car_model_id,
    modelName: record.model_name,
    yearFrom: record.year_from,
    yearTo: record.year_to,
    priceCents: record.price_cents,
    currency: record.currency,
    quantity: record.quantity,
    shippingKind: record.shipping_kind as ReadListing['shippingKind'],
    shippingCents: record.shipping_cents,
    miles: record.miles,
    latitude: record.latitude,
    longitude: record.longitude,
    version: record.version,
    createdAt: record.created_at,
    updatedAt: record.updated_at,
    endedAt: record.ended_at,
    endedReason: record.ended_reason as ReadListing['endedReason'],
    deletedAt: record.deleted_at,
  }
}

function textsOf(record: ListingRecord): ListingTexts {
  const texts: Partial<Record<keyof ListingTexts, string | null>> = {}
  for (const { column, name } of textColumns) texts[name] = record[column]
  return texts as ListingTexts
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
