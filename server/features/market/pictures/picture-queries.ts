import { sql } from 'kysely'
import type { PictureMark } from '#contract/pictures.ts'
import { isPublic, type WhyGone, whyGone } from '#server/features/market/for-sale/for-sale.ts'
import type { Db } from '#server/platform/database/database.ts'

export type NewPicture = {
  listingId: string
  position: number
  alt: string
  sha256: string
  width: number
  height: number
  widths: readonly number[]
  marks?: readonly PictureMark[]
}

/** Writes any number of pictures in one statement, each replacing the one at its position. */
export async function putPictures(trx: Db, pictures: readonly NewPicture[]): Promise<{ id: string }[]> {
  const rows = JSON.stringify(
    pictures.map(({ listingId, marks = [], ...picture }) => ({ listing_id: listingId, marks, ...picture })),
  )
  const { rows: written } = await sql<{ id: string }>`
    insert into listing_image (listing_id, position, alt, sha256, width, height, widths, marks)
    select listing_id, position, alt, sha256, width, height, widths, marks
    from jsonb_to_recordset(${rows}::jsonb) as picture(
      listing_id uuid, position smallint, alt text, sha256 text, width integer, height integer, widths integer[],
      marks jsonb)
    on conflict (listing_id, position) do update
      set alt = excluded.alt, sha256 = excluded.sha256, width = excluded.width, height = excluded.height,
          widths = excluded.widths, marks = excluded.marks, source_url = null, state = 'ready', error = null,
          created_at = now()
    returning id
  `.execute(trx)
  return written
}

/**
 * Locks the pictures of listings until the transaction ends, in id order like the job that fetches pictures, to prevent
 * deadlocks.
 */
export async function lockPictures(trx: Db, listingIds: readonly string[]): Promise<void> {
  await sql`
    select from listing_image where listing_id = any(${[...listingIds]}::uuid[]) order by id for update
  `.execute(trx)
}

type Places = {
  readonly first: { readonly position: number; readonly sha256: string | null } | undefined
  /** The position after the last picture. */
  readonly behind: number
}

/** Locks a listing's pictures until the transaction ends and returns their positions. */
export async function lockPlaces(trx: Db, listingId: string): Promise<Places> {
  await lockPictures(trx, [listingId])
  const { rows } = await sql<{ position: number; sha256: string | null }>`
    select position, sha256 from listing_image where listing_id = ${listingId} order by position
  `.execute(trx)
  return { first: rows[0], behind: (rows.at(-1)?.position ?? -1) + 1 }
}

export type FoundPicture = {
  sha256: string
  width: number
  widths: number[]
  /** Everybody may see its part. */
  isPublic: boolean
  /** The key is that of today or yesterday. */
  isKeyRight: boolean
  sellerGone: WhyGone | null
}

/** Finds a listing's first picture by the listing's id, or a picture by its own id, whoever may see it. */
export async function findPicture(
  db: Db,
  { id, key }: { id: string; key: string | undefined },
): Promise<FoundPicture | undefined> {
  const keys = sql`(picture_key(l.id, 0), picture_key(l.id, 1))`
  const { rows } = await sql<FoundPicture>`
    select p.sha256, p.width, p.widths, ${isPublic} as "isPublic", ${whyGone(sql`l.seller_id`)} as "sellerGone",
           ${key === undefined ? sql`false` : sql`${key} in ${keys}`} as "isKeyRight"
    from (
      (select listing_id, sha256, width, widths from listing_image
       where listing_id = ${id} and state = 'ready' order by position limit 1)
      union all
      (select listing_id, sha256, width, widths from listing_image where id = ${id} and state = 'ready')
      limit 1
    ) p join listing l on l.id = p.listing_id
  `.execute(db)
  return rows[0]
}

/** Finds the width of a picture by its hash, if a listing has it or may get it back. */
export async function findPictureWidth(db: Db, sha256: string): Promise<number | undefined> {
  const { rows } = await sql<{ width: number }>`
    select width from listing_image where sha256 = ${sha256}
    union all
    select width from removed_picture where sha256 = ${sha256}
    limit 1
  `.execute(db)
  return rows[0]?.width
}

/** Records the stored widths on every listing that has the picture, without changing the listings' versions. */
export async function setPictureWidths(db: Db, sha256: string, widths: readonly number[]): Promise<void> {
  const isOther = sql`sha256 = ${sha256} and widths <> ${[...widths]}::integer[]`
  await sql`
    with removed as (update removed_picture set widths = ${[...widths]}::integer[] where ${isOther})
    update listing_image set widths = ${[...widths]}::integer[] where ${isOther}
  `.execute(db)
}

/** Returns the hashes of pictures that a listing has or may get back. */
export async function listUsedShas(db: Db, shas: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from listing_image where sha256 = any(${[...shas]}::text[])
    union
    select sha256 from removed_picture where sha256 = any(${[...shas]}::text[])
    union
    select sha256 from order_photo where sha256 = any(${[...shas]}::text[])
  `.execute(db)
  return new Set(rows.map(({ sha256 }) => sha256))
}

/** Deletes rows of pictures that were removed before a time. */
export async function forgetRemovedPictures(db: Db, before: Date): Promise<void> {
  await sql`delete from removed_picture where removed_at < ${before}`.execute(db)
}

export type UsedPicture = { sha256: string; widths: number[]; listingIds: string[] }

/** Lists distinct pictures of listings by hash, a page at a time. */
export async function listUsedPictures(db: Db, after: string, limit: number): Promise<UsedPicture[]> {
  const { rows } = await sql<UsedPicture>`
    select sha256, max(widths) as widths, array_agg(distinct listing_id::text) as "listingIds"
    from listing_image
    where state = 'ready' and sha256 > ${after}
    group by sha256 order by sha256 limit ${limit}
  `.execute(db)
  return rows
}
