import { sql } from 'kysely'
import { MAX_PICTURES } from '#contract/listing/listing-rules.ts'
import type { OwnPicture, PictureMark } from '#contract/pictures.ts'
import { userSource, withChangeSet } from '#server/features/market/history/change-sets.ts'
import { listingNotFound, ownsListing } from '#server/features/market/listings/policy.ts'
import {
  type ColumnChanges,
  changeListing,
  lockListing,
} from '#server/features/market/listings/write-queries.ts'
import { accessKey, pictureUrl } from '#server/features/market/pictures/picture-files.ts'
import {
  type PictureInList,
  readPictureLists,
  writePictureLists,
} from '#server/features/market/pictures/picture-lists.ts'
import { attachPicture, type StoredPicture } from '#server/features/market/pictures/store-picture.ts'
import { findProfanity } from '#server/features/market/writing/profanity.ts'
import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/* Editing a listing's pictures by its seller or an administrator: add, order, describe, remove. */

type OwnListing = { readonly id: string; readonly sellerId: string }

/**
 * Gets a listing whose pictures the caller may edit: its seller or an administrator.
 * @throws AppError NOT_FOUND, also for a deleted listing
 */
export async function getListing(db: Db, actor: Actor, id: string): Promise<OwnListing> {
  const { rows } = await sql<OwnListing>`
    select id, seller_id as "sellerId" from listing where id = ${id} and deleted_at is null
  `.execute(db)
  const [listing] = rows
  if (!listing || !(ownsListing(actor, listing) || isAdmin(actor))) throw listingNotFound()
  return listing
}

/** @throws AppError NOT_FOUND */
export async function getListingOfPicture(db: Db, actor: Actor, pictureId: string): Promise<OwnListing> {
  const { rows } = await sql<{ id: string }>`
    select listing_id as id from listing_image where id = ${pictureId}
  `.execute(db)
  if (!rows[0]) throw pictureNotFound()
  return getListing(db, actor, rows[0].id)
}

const pictureNotFound = () =>
  new AppError('NOT_FOUND', 'This picture is no longer there. Load the pictures again.')

type Row = Omit<OwnPicture, 'url' | 'problem'> & {
  pictureKey: string | null
  sha256: string | null
  state: string
  error: string | null
}

/** Lists all pictures of a listing in order, including those not fetched yet and those that failed. */
export async function listPictures(db: Db, listingId: string): Promise<OwnPicture[]> {
  const { rows } = await sql<Row>`
    select i.id, i.sha256, i.alt, coalesce(i.width, 0) as width, coalesce(i.height, 0) as height, i.marks, i.state, i.error,
           ${accessKey} as "pictureKey"
    from listing_image i join listing l on l.id = i.listing_id where i.listing_id = ${listingId} order by position
  `.execute(db)
  return rows.map(({ sha256, state, error, pictureKey: key, ...picture }) => ({
    ...picture,
    url: state === 'ready' && sha256 !== null ? pictureUrl(picture.id, sha256, key) : null,
    problem: state === 'failed' ? (error ?? 'it could not be fetched') : null,
  }))
}

async function getPicture(db: Db, listingId: string, id: string): Promise<OwnPicture> {
  const picture = (await listPictures(db, listingId)).find((one) => one.id === id)
  if (!picture) throw pictureNotFound()
  return picture
}

/** An edit of one listing's pictures and its editor. */
export type PictureEdit = {
  readonly listing: OwnListing
  readonly actor: Actor
  readonly requestId: string
  readonly ip: string
}

/** The changes for the history; undefined if nothing changed. */
type Edited<T> = { readonly result: T; readonly changes: ColumnChanges | undefined }

/** Edits the locked list of a listing in one transaction, under a change set and as a new version of the listing. */
function editList<T>(
  db: Db,
  edit: PictureEdit & { reason: string },
  work: (trx: Db, now: readonly PictureInList[]) => Promise<Edited<T>>,
): Promise<T> {
  const { listing, actor, requestId, ip } = edit
  return withChangeSet(db, userSource(edit, edit.reason, listing.sellerId), async (trx, changeSetId) => {
    const before = await lockListing(trx, listing.id)
    if (!before || before.deleted_at) throw listingNotFound()
    const now = (await readPictureLists(trx, [listing.id])).get(listing.id) ?? []
    const { result, changes } = await work(trx, now)
    const isChanged = await changeListing(trx, before, { changeSetId, columns: {}, elsewhere: changes })
    if (isChanged && !ownsListing(actor, listing)) {
      const entry = { actorUserId: actor.userId, target: listing.id, requestId, ip }
      await writeAudit(trx, { action: 'listing-edited', ...entry, detail: { changed: 'Pictures' } })
    }
    return result
  })
}

/**
 * Adds a stored picture after the others. If the listing already has it, returns the existing one.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED if the listing has the maximum number of pictures
 */
export function addPicture(
  db: Db,
  edit: PictureEdit,
  { stored, alt }: { stored: StoredPicture; alt: string },
): Promise<OwnPicture> {
  const { id: listingId } = edit.listing
  return editList(db, { ...edit, reason: 'add picture' }, async (trx, now) => {
    const same = now.find(({ sha256 }) => sha256 === stored.sha256)
    if (same) return { result: await getPicture(trx, listingId, same.id), changes: undefined }
    if (now.length >= MAX_PICTURES) throw tooMany()
    const { id } = await attachPicture(trx, { listingId, stored, alt, place: 'last' })
    const ids = now.map((picture) => picture.id)
    return { result: await getPicture(trx, listingId, id), changes: { pictures: [ids, [...ids, id]] } }
  })
}

function tooMany(): AppError {
  const sentence = `A listing can have at most ${MAX_PICTURES} pictures. Remove one before you add another.`
  return new AppError('VALIDATION_FAILED', sentence, { fields: { image: sentence } })
}

/** @throws AppError NOT_FOUND, CONFLICT if the listing has other pictures by now */
export function orderPictures(db: Db, edit: PictureEdit, ids: readonly string[]): Promise<OwnPicture[]> {
  const { id: listingId } = edit.listing
  return editList(db, { ...edit, reason: 'order pictures' }, async (trx, now) => {
    const next = [...new Set(ids)].flatMap((id) => now.find((picture) => picture.id === id) ?? [])
    if (next.length < now.length || next.length < ids.length) throw otherPictures()
    const isSame = now.every((picture, at) => picture === next[at])
    const written = isSame ? undefined : await writePictureLists(trx, [{ listingId, now, next }], DELETES)
    return { result: await listPictures(trx, listingId), changes: written?.get(listingId) }
  })
}

const otherPictures = () =>
  new AppError(
    'CONFLICT',
    'The listing’s pictures changed since you loaded them. Load them again, then put them in order.',
  )

// The person sees what is removed, and there is no undo, so the rows are deleted.
const DELETES = { keeps: false }

/** @throws AppError NOT_FOUND */
export function removePicture(db: Db, edit: PictureEdit, id: string): Promise<void> {
  const { id: listingId } = edit.listing
  return editList(db, { ...edit, reason: 'remove picture' }, async (trx, now) => {
    const next = now.filter((picture) => picture.id !== id)
    if (next.length === now.length) throw pictureNotFound()
    const written = await writePictureLists(trx, [{ listingId, now, next }], DELETES)
    return { result: undefined, changes: written.get(listingId) }
  })
}

/** A picture's description and marks; absent ones are unchanged. */
export type PictureNotes = {
  readonly alt?: string | undefined
  readonly marks?: readonly PictureMark[] | undefined
}

/** @throws AppError NOT_FOUND */
export function describePicture(
  db: Db,
  edit: PictureEdit,
  { id, notes }: { id: string; notes: PictureNotes },
): Promise<OwnPicture> {
  const { id: listingId } = edit.listing
  return editList(db, { ...edit, reason: 'describe picture' }, async (trx) => {
    const { alt, marks } = await getPicture(trx, listingId, id)
    const before = { id, alt, marks }
    const after = { id, alt: notes.alt ?? alt, marks: notes.marks ?? marks }
    const isSame = JSON.stringify(notesOf(before)) === JSON.stringify(notesOf(after))
    if (!isSame) {
      await sql`
        update listing_image set alt = ${after.alt}, marks = ${JSON.stringify(after.marks)}::jsonb where id = ${id}
      `.execute(trx)
    }
    const changes: ColumnChanges | undefined = isSame ? undefined : { pictureNotes: [before, after] }
    return { result: await getPicture(trx, listingId, id), changes }
  })
}

/** Normalizes the key order, so that stored and sent notes can be compared. */
const notesOf = ({ alt, marks }: { alt: string; marks: readonly PictureMark[] }) => [
  alt,
  ...marks.map(({ x, y, note }) => [x, y, note]),
]

/** @throws AppError VALIDATION_FAILED for inappropriate language */
export function checkNotes({ alt = '', marks = [] }: PictureNotes): void {
  const texts = [['alt', alt], ...marks.map(({ note }, at) => [`marks.${at}.note`, note])] as const
  for (const [field, text] of texts) {
    const word = findProfanity(text ?? '')
    if (word === undefined) continue
    const sentence = `Please remove inappropriate language (${word}).`
    throw new AppError('VALIDATION_FAILED', sentence, { fields: { [field ?? 'alt']: sentence } })
  }
}
