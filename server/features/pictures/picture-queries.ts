import { sql } from 'kysely'
import { copyRows } from '#server/platform/database/copy-rows.ts'
import type { Db } from '#server/platform/database/database.ts'

export type NewPicture = {
  listingId: string
  position: number
  alt: string
  sha256: string
  width: number
  height: number
  widths: readonly number[]
}

/** Writes any number of pictures in one statement, each replacing the one at its position. */
export async function putPictures(trx: Db, pictures: readonly NewPicture[]): Promise<{ id: string }[]> {
  const rows = JSON.stringify(
    pictures.map(({ listingId, ...picture }) => ({ listing_id: listingId, ...picture })),
  )
  const { rows: written } = await sql<{ id: string }>`
    insert into listing_image (listing_id, position, alt, sha256, width, height, widths)
    select listing_id, position, alt, sha256, width, height, widths
    from jsonb_to_recordset(${rows}::jsonb) as picture(
      listing_id uuid, position smallint, alt text, sha256 text, width integer, height integer, widths integer[])
    on conflict (listing_id, position) do update
      set alt = excluded.alt, sha256 = excluded.sha256, width = excluded.width, height = excluded.height,
          widths = excluded.widths, source_url = null, state = 'ready', error = null, created_at = now()
    returning id
  `.execute(trx)
  return written
}

/** The hash of a listing's picture at a position; locks the row until the transaction ends. */
export async function lockPictureSha(
  trx: Db,
  at: { listingId: string; position: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ sha256: string | null }>`
    select sha256 from listing_image
    where listing_id = ${at.listingId} and position = ${at.position}
    for update
  `.execute(trx)
  return rows[0]?.sha256 ?? undefined
}

export type FoundPicture = { sha256: string; width: number; widths: number[] }

/** A listing's first picture by the listing's id, or a picture by its own; includes hidden and deleted listings. */
export async function findPicture(db: Db, id: string): Promise<FoundPicture | undefined> {
  const { rows } = await sql<FoundPicture>`
    (select sha256, width, widths from listing_image
     where listing_id = ${id} and state = 'ready' order by position limit 1)
    union all
    (select sha256, width, widths from listing_image where id = ${id} and state = 'ready')
    limit 1
  `.execute(db)
  return rows[0]
}

/** The width of a picture that some listing has, by its hash. */
export async function findPictureWidth(db: Db, sha256: string): Promise<number | undefined> {
  const { rows } = await sql<{ width: number }>`
    select width from listing_image where sha256 = ${sha256} limit 1
  `.execute(db)
  return rows[0]?.width
}

/** Records the stored widths on every listing that has the picture. The listings' versions stay as they are. */
export async function setPictureWidths(db: Db, sha256: string, widths: readonly number[]): Promise<void> {
  await sql`
    update listing_image set widths = ${[...widths]}::integer[]
    where sha256 = ${sha256} and widths <> ${[...widths]}::integer[]
  `.execute(db)
}

/** The hashes that some listing has. */
export async function listUsedShas(db: Db, shas: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ sha256: string }>`
    select distinct sha256 from listing_image where sha256 = any(${[...shas]}::text[])
  `.execute(db)
  return new Set(rows.map(({ sha256 }) => sha256))
}

export type UsedPicture = { sha256: string; widths: number[]; listingIds: string[] }

/** Pictures of listings by their hash, each once, a page at a time. */
export async function listUsedPictures(db: Db, after: string, limit: number): Promise<UsedPicture[]> {
  const { rows } = await sql<UsedPicture>`
    select sha256, max(widths) as widths, array_agg(distinct listing_id::text) as "listingIds"
    from listing_image
    where state = 'ready' and sha256 > ${after}
    group by sha256 order by sha256 limit ${limit}
  `.execute(db)
  return rows
}

/** Where to fetch a listing's picture from, or null. */
export type PictureSource = { readonly listingId: string; readonly url: string | null }

/** Adds pending pictures for new listings. */
export async function insertPictureSources(trx: Db, sources: readonly PictureSource[]): Promise<void> {
  const rows = sources.map(({ listingId, url }) => [listingId, 0, url, 'pending'])
  if (rows.length > 0) {
    await copyRows(trx, 'listing_image', ['listing_id', 'position', 'source_url', 'state'], rows)
  }
}

/** The URL of each listing's first picture from a file, fetched or pending. */
export async function listPictureSources(
  db: Db,
  listingIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ listingId: string; url: string }>`
    select distinct on (listing_id) listing_id as "listingId", source_url as url from listing_image
    where listing_id = any(${[...listingIds]}::uuid[]) and source_url is not null
    order by listing_id, position
  `.execute(db)
  return new Map(rows.map(({ listingId, url }) => [listingId, url]))
}

/**
 * Replaces the URLs of listings' pictures from a file, and with them the pictures; pictures that people added stay.
 */
export async function setPictureSources(trx: Db, sources: readonly PictureSource[]): Promise<void> {
  if (sources.length === 0) return
  const ids = sources.map(({ listingId }) => listingId)
  await sql`
    with old as (
      delete from listing_image where listing_id = any(${ids}::uuid[]) and source_url is not null
      returning listing_id, position
    ), place as (
      select listing_id, min(position) as position from old group by listing_id
    )
    insert into listing_image (listing_id, position, source_url, state)
    select t.id, coalesce(p.position, (select max(position) + 1 from listing_image where listing_id = t.id), 0), t.url,
           'pending'
    from unnest(${ids}::uuid[], ${sources.map(({ url }) => url)}::text[]) as t(id, url)
    left join place p on p.listing_id = t.id
    where t.url is not null
  `.execute(trx)
}
