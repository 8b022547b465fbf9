import { sql } from 'kysely'
import { ADDRESS_SEPARATOR, joinAddresses, splitAddresses } from '#contract/csv/picture-addresses.ts'
import { MAX_PICTURES } from '#contract/listing/listing-rules.ts'
import { copyRows } from '#server/platform/database/copy-rows.ts'
import type { Db } from '#server/platform/database/database.ts'
import { lockPictures } from './picture-queries.ts'

/*
 * Picture lists of listings, in bulk. Callers lock the listings, so that a list has one writer; the job that fetches
 * pictures only fills in rows.
 */

/** A picture in a listing's list; `url` is its address if it came from a file. */
export type PictureInList = {
  readonly id: string
  readonly url: string | null
  /** Null until it is fetched. */
  readonly sha256: string | null
}

type Lists = Map<string, PictureInList[]>

/** Reads the lists of these listings in order; omits listings without pictures. */
export async function readPictureLists(db: Db, listingIds: readonly string[]): Promise<Lists> {
  const { rows } = await sql<{ listingId: string; list: PictureInList[] }>`
    select listing_id as "listingId",
           json_agg(json_build_object('id', id, 'url', source_url, 'sha256', sha256) order by position) as list
    from listing_image where listing_id = any(${[...listingIds]}::uuid[]) group by listing_id
  `.execute(db)
  return new Map(rows.map(({ listingId, list }) => [listingId, list]))
}

/** The addresses of a list's pictures from a file, in the format of one cell; null if there are none. */
export const addressesOf = (list: readonly Pick<PictureInList, 'url'>[]): string | null =>
  joinAddresses(list.flatMap(({ url }) => url ?? [])) || null

/** A list change as recorded in the history: the ids before and after, and the addresses if they changed. */
export type ListChange = {
  readonly pictures: [before: string[], after: string[]]
  readonly imageUrl?: [before: string | null, after: string | null]
}

const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)

export function listChange(before: readonly PictureInList[], after: readonly PictureInList[]): ListChange {
  const addresses: [string | null, string | null] = [addressesOf(before), addressesOf(after)]
  return {
    pictures: [idsOf(before), idsOf(after)],
    ...(addresses[0] !== addresses[1] && { imageUrl: addresses }),
  }
}

/** The addresses that fit in addition to a listing's other pictures; null if there is no room. */
export function fittingAddresses(cell: string, others: number): string | null {
  if (others === 0) return cell
  const addresses = splitAddresses(cell)
  const places = Math.max(0, MAX_PICTURES - others)
  return joinAddresses(addresses.slice(0, places)) || null
}

type New = { readonly url: string }
const isNew = (picture: PictureInList | New): picture is New => !('id' in picture)

/**
 * Merges a file's addresses into a list. They take the positions of the file's previous pictures, in the file's order;
 * further ones go at the end. Pictures added by people keep their positions, and known addresses keep their picture.
 */
export function listWithAddresses(
  now: readonly PictureInList[],
  addresses: readonly string[],
): (PictureInList | New)[] {
  const known = new Map(now.map((picture) => [picture.url, picture]))
  const wanted = addresses.map((url): PictureInList | New => known.get(url) ?? { url })
  const last = now.findLastIndex(({ url }) => url !== null)
  const list = now.flatMap((picture, at): (PictureInList | New)[] => {
    if (picture.url !== null) return wanted.splice(0, at === last ? wanted.length : 1)
    return [picture]
  })
  return [...list, ...wanted]
}

export type Rewritten = {
  readonly listingId: string
  readonly now: readonly PictureInList[]
  readonly next: readonly (PictureInList | New)[]
}

/**
 * Writes lists in a few statements; pictures with a new address become pending. Removed pictures are deleted, or kept
 * so that they can be restored (`restorePictureLists`). Returns the changes by listing.
 */
export async function writePictureLists(
  trx: Db,
  lists: readonly Rewritten[],
  { keeps }: { keeps: boolean },
): Promise<Map<string, ListChange>> {
  await lockPictures(
    trx,
    lists.map(({ listingId }) => listingId),
  )
  const gone = lists.flatMap(({ now, next }) => {
    const stays = new Set<PictureInList | New>(next)
    return now.filter((picture) => !stays.has(picture))
  })
  await (keeps ? setAside(trx, idsOf(gone)) : deletePictures(trx, idsOf(gone)))
  await movePictures(
    trx,
    lists.flatMap(({ next }) =>
      next.flatMap((picture, position) => (isNew(picture) ? [] : [{ id: picture.id, position }])),
    ),
  )
  const added = lists.flatMap(({ listingId, next }) =>
    next.flatMap((picture, position) => (isNew(picture) ? [{ listingId, position, url: picture.url }] : [])),
  )
  const ids = await insertPending(trx, added)
  return new Map(
    lists.map(({ listingId, now, next }) => {
      const after = next.map((picture, position) =>
        isNew(picture)
          ? { ...picture, id: ids.get(`${listingId} ${position}`) ?? '', sha256: null }
          : picture,
      )
      return [listingId, listChange(now, after)]
    }),
  )
}

async function deletePictures(trx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from listing_image where id = any(${[...ids]}::uuid[])`.execute(trx)
}

const kept = sql`
  id, listing_id, alt, source_url, sha256, width, height, widths, state, error, created_at, marks`

async function setAside(trx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    with gone as (delete from listing_image where id = any(${[...ids]}::uuid[]) returning ${kept})
    insert into removed_picture (${kept}) select ${kept} from gone
  `.execute(trx)
}

type Placed = { readonly id: string; readonly position: number }

/** In two steps, because positions are unique: first to unused positions. */
async function movePictures(trx: Db, placed: readonly Placed[]): Promise<void> {
  if (placed.length === 0) return
  const { rows } = await sql<{ id: string }>`
    update listing_image i set position = -1 - t.position
    from jsonb_to_recordset(${JSON.stringify(placed)}::jsonb) as t(id uuid, position smallint)
    where i.id = t.id and i.position <> t.position
    returning i.id
  `.execute(trx)
  if (rows.length === 0) return
  await sql`
    update listing_image set position = -1 - position where id = any(${idsOf(rows)}::uuid[])
  `.execute(trx)
}

type Pending = { readonly listingId: string; readonly position: number; readonly url: string }

/** Returns the ids by "listing position" keys. */
async function insertPending(trx: Db, pictures: readonly Pending[]): Promise<Map<string, string>> {
  if (pictures.length === 0) return new Map()
  const { rows } = await sql<{ id: string; place: string }>`
    insert into listing_image (listing_id, position, source_url, state)
    select "listingId", position, url, 'pending'
    from jsonb_to_recordset(${JSON.stringify(pictures)}::jsonb) as t("listingId" uuid, position smallint, url text)
    returning id, concat_ws(' ', listing_id, position) as place
  `.execute(trx)
  return new Map(rows.map(({ id, place }) => [place, id]))
}

/** The picture addresses of a listing in its file. */
export type FileAddresses = { readonly listingId: string; readonly addresses: readonly string[] }

/** Adds pending pictures to new listings. */
export async function insertFilePictures(trx: Db, files: readonly FileAddresses[]): Promise<void> {
  const rows = files.flatMap(({ listingId, addresses }) =>
    addresses.map((url, position) => [listingId, position, url, 'pending']),
  )
  if (rows.length > 0) {
    await copyRows(trx, 'listing_image', ['listing_id', 'position', 'source_url', 'state'], rows)
  }
}

/**
 * Updates listings to the pictures of their file (see `listWithAddresses`); removed pictures are kept for an undo.
 * Returns the changes by listing.
 */
export async function setFilePictures(
  trx: Db,
  files: readonly FileAddresses[],
): Promise<Map<string, ListChange>> {
  if (files.length === 0) return new Map()
  const now = await readPictureLists(
    trx,
    files.map(({ listingId }) => listingId),
  )
  const lists = files.map(({ listingId, addresses }) => {
    const list = now.get(listingId) ?? []
    return { listingId, now: list, next: listWithAddresses(list, addresses) }
  })
  return writePictureLists(trx, lists, { keeps: true })
}

/** A listing's former pictures, from the history. */
export type FormerList = { readonly listingId: string; readonly ids: readonly string[] }

/** Restores former picture lists, including removed pictures that no longer exist on the web. */
export async function restorePictureLists(trx: Db, former: readonly FormerList[]): Promise<void> {
  if (former.length === 0) return
  const listingIds = former.map(({ listingId }) => listingId)
  const wanted = former.flatMap(({ ids }) => ids.map((id, position): Placed => ({ id, position })))
  await lockPictures(trx, listingIds)
  await sql`
    with gone as (
      delete from listing_image
      where listing_id = any(${listingIds}::uuid[]) and id <> all(${idsOf(wanted)}::uuid[])
      returning ${kept}
    )
    insert into removed_picture (${kept}) select ${kept} from gone
  `.execute(trx)
  await movePictures(trx, wanted)
  await sql`
    with back as (delete from removed_picture where id = any(${idsOf(wanted)}::uuid[]) returning ${kept})
    insert into listing_image (${kept}, position)
    select back.*, t.position
    from back join jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as t(id uuid, position smallint) on t.id = back.id
  `.execute(trx)
}

export type FileList = {
  /** See `addressesOf`. */
  readonly imageUrl: string | null
  /** Number of pictures that are not from a file. */
  readonly others: number
}

/** The columns of a `FileList`, from a listing's pictures `i`. */
export const fileListColumns = sql`
  string_agg(i.source_url, ${ADDRESS_SEPARATOR} order by i.position) as "imageUrl",
  (count(*) filter (where i.source_url is null))::int as others`

/** Reads the file pictures of listings; omits listings without pictures. */
export async function readFileLists(db: Db, listingIds: readonly string[]): Promise<Map<string, FileList>> {
  const { rows } = await sql<FileList & { listingId: string }>`
    select listing_id as "listingId", ${fileListColumns}
    from listing_image i where listing_id = any(${[...listingIds]}::uuid[]) group by listing_id
  `.execute(db)
  return new Map(rows.map(({ listingId, ...list }) => [listingId, list]))
}
