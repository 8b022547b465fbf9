import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { StoredPicture } from './store-picture.ts'

/** A picture that is still where a file says it is. */
export type PendingPicture = {
  readonly id: string
  readonly listingId: string
  readonly slug: string
  readonly url: string
}

/** Pictures of a seller's listings that are to be fetched, in the order they were noted. */
export async function listPendingPictures(
  db: Db,
  sellerId: string,
  page: { after: string; limit: number },
): Promise<PendingPicture[]> {
  const { rows } = await sql<PendingPicture>`
    select image.id, image.listing_id as "listingId", listing.slug, image.source_url as url
    from listing_image image join listing on listing.id = image.listing_id
    where image.state = 'pending' and image.source_url is not null and image.id > ${page.after}
      and listing.seller_id = ${sellerId} and listing.deleted_at is null
    order by image.id limit ${page.limit}
  `.execute(db)
  return rows
}

export async function countPendingPictures(db: Db, sellerId: string, after: string): Promise<number> {
  const { rows } = await sql<{ pending: number }>`
    select count(*)::int as pending
    from listing_image image join listing on listing.id = image.listing_id
    where image.state = 'pending' and image.source_url is not null and image.id > ${after}
      and listing.seller_id = ${sellerId} and listing.deleted_at is null
  `.execute(db)
  return rows[0]?.pending ?? 0
}

export type FetchedPicture = PendingPicture & {
  readonly outcome: StoredPicture | { readonly reason: string }
}

/** Writes down what came of pictures; one that was given another address meanwhile stays to be fetched. */
export async function setFetchedPictures(trx: Db, pictures: readonly FetchedPicture[]): Promise<void> {
  const rows = pictures.map(({ id, url, outcome }) =>
    'sha256' in outcome
      ? { id, url, ...outcome, state: 'ready', error: null }
      : { id, url, widths: [], state: 'failed', error: outcome.reason },
  )
  await sql`
    update listing_image image
    set state = fetched.state, sha256 = fetched.sha256, width = fetched.width, height = fetched.height,
        widths = fetched.widths, error = fetched.error
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as fetched(
      id uuid, url text, state text, sha256 text, width integer, height integer, widths integer[], error text)
    where image.id = fetched.id and image.state = 'pending' and image.source_url = fetched.url
  `.execute(trx)
}
