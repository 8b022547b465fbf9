import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import type { ColumnChanges } from './listing-diff.ts'
import { imagesOf, type ReadListing } from './listing-queries.ts'
import type { ListingRecord } from './write-queries.ts'

/** What stands in other tables than the listing's own. */
type Detail = 'categoryName' | 'categoryGroup' | 'showPhonePublicly' | 'preferredContact' | keyof Images
type Images = Pick<ReadListing, 'images' | 'imageProblem'>
type FromRecord = Omit<ReadListing, Detail>

export type LockedListing = {
  record: ListingRecord
  /** What this transaction changed in it since it was locked. */
  columns?: ColumnChanges | undefined
}

/**
 * Locked listings as they are read after their change, by id, in this transaction. A thousand rows that were read to be
 * locked are not read again with all that belongs to them: that took a fifth of a bulk save.
 */
export async function readLocked(
  trx: Db,
  listings: readonly LockedListing[],
): Promise<Map<string, ReadListing>> {
  if (listings.length === 0) return new Map()
  const records = listings.map(({ record }) => record)
  const details = await loadDetails(trx, records)
  return new Map(
    listings.map(({ record, columns }) => [
      record.id,
      { ...fromRecord(record, columns && { columns, at: details.at }), ...details.of(record) },
    ]),
  )
}

/** Columns have their API-side names but for the case of their words. */
function fromRecord(
  record: ListingRecord,
  change: { columns: ColumnChanges; at: Date } | undefined,
): FromRecord {
  const after: Record<string, unknown> = { ...record }
  if (change) {
    for (const [column, [, value]] of Object.entries(change.columns)) after[column] = value
    after.version = record.version + 1
    after.updated_at = change.at
  }
  const read: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(after)) read[nameOf(column)] = value
  return read as FromRecord
}

const names = new Map<string, string>()
function nameOf(column: string): string {
  let name = names.get(column)
  if (name === undefined) {
    name = column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    names.set(column, name)
  }
  return name
}

async function loadDetails(trx: Db, records: readonly ListingRecord[]) {
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
    /** When this transaction began: what it writes as `updated_at`. */
    at: sellers.rows[0]?.at ?? new Date(),
    of(record: ListingRecord): Pick<ReadListing, Detail> {
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
