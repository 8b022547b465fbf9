import { sql } from 'kysely'
import { copyRows } from '#server/platform/database/copy-rows.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Where a listing's picture is to be fetched from; null for nowhere. */
export type PictureSource = { readonly listingId: string; readonly url: string | null }

/** Notes pictures to be fetched for listings that were just made. */
export async function insertPictureSources(trx: Db, sources: readonly PictureSource[]): Promise<void> {
  const rows = sources.map(({ listingId, url }) => [listingId, 0, url, 'pending'])
  if (rows.length > 0) {
    await copyRows(trx, 'listing_image', ['listing_id', 'position', 'source_url', 'state'], rows)
  }
}

/** The address that each listing's first picture from a file came from, or is to come from. */
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
 * Gives listings another address for their picture from a file. It takes the place of the one from a file, which goes
 * with its address; pictures that people added stay.
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
