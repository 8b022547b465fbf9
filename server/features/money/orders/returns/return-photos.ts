import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '#contract/order/order-steps.ts'
import { openStoredPicture } from '#server/features/market/pictures/open-picture.ts'
import { pictureKey } from '#server/features/market/pictures/picture-files.ts'
import type { StoredPicture } from '#server/features/market/pictures/store-picture.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { BinaryReply } from '#server/platform/http/handler.ts'
import type { Log } from '#server/platform/log.ts'

/*
 * Photos of what is wrong with a part, by its buyer, and of what the yard answers. They are read and stored like pictures of
 * listings, without what a camera adds, but no public address leads to them: callers have checked that the order is the reader's.
 */

export type PhotoSide = 'buyer' | 'seller'

/** Not sent with anything yet. */
export const isUnsent = sql`return_id is null and dispute_id is null`

/** Added, but not sent: such as when a buyer starts over a few times. */
const MOST_WAITING = 24

/** @throws AppError VALIDATION_FAILED for too many that were never sent */
export async function addPhoto(
  trx: Db,
  { orderId, side, stored, now }: { orderId: string; side: PhotoSide; stored: StoredPicture; now: Date },
): Promise<{ id: string }> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from order_photo
    where order_id = ${orderId} and side = ${side} and ${isUnsent}`.execute(trx)
  if (onlyRow(rows).count >= MOST_WAITING) {
    const sentence = 'There are too many photos that were not sent. Send what you have, or try again tomorrow'
    throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { image: sentence } })
  }
  const inserted = await sql<{ id: string }>`
    insert into order_photo (order_id, side, sha256, created_at)
    values (${orderId}, ${side}, ${stored.sha256}, ${now})
    returning id`.execute(trx)
  return onlyRow(inserted.rows)
}

type Attached = {
  orderId: string
  side: PhotoSide
  to: { returnId: string } | { disputeId: string }
  photoIds: readonly string[]
}

/** @throws AppError VALIDATION_FAILED unless this side added all of them to this order, and sent them with nothing else */
export async function attachPhotos(trx: Db, { orderId, side, to, photoIds }: Attached): Promise<void> {
  const ids = [...new Set(photoIds)]
  if (ids.length === 0) return
  const set = 'returnId' in to ? sql`return_id = ${to.returnId}` : sql`dispute_id = ${to.disputeId}`
  const { rows } = await sql`
    update order_photo set ${set}
    where id = any(${ids}::uuid[]) and order_id = ${orderId} and side = ${side} and ${isUnsent} returning id`.execute(
    trx,
  )
  if (rows.length === ids.length) return
  const sentence = 'A photo is no longer there. Add your photos again'
  throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { photoIds: sentence } })
}

/** The yard's photos of a dispute that are no longer part of its answer. */
export async function detachPhotos(
  trx: Db,
  { disputeId, but }: { disputeId: string; but: readonly string[] },
): Promise<void> {
  await sql`
    update order_photo set dispute_id = null where dispute_id = ${disputeId} and id <> all(${[...but]}::uuid[])`.execute(
    trx,
  )
}

/** Whose photos somebody may read: a buyer reads their own, and the yard's once they answer a return or claim. */
const READERS: Readonly<Record<PhotoSide | 'admin', RawBuilder<unknown>>> = {
  buyer: sql`(side = 'buyer' or return_id is not null)`,
  seller: sql`true`,
  admin: sql`true`,
}

type Opened = { orderId: string; photoId: string; reader: keyof typeof READERS; log: Log }

/** @throws AppError NOT_FOUND, also for the photo of another order */
export async function openPhoto(
  db: Db,
  files: FileStore,
  { orderId, photoId, reader, log }: Opened,
): Promise<BinaryReply> {
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from order_photo
    where id = ${photoId} and order_id = ${orderId} and ${READERS[reader]}`.execute(db)
  const [found] = rows
  if (!found) throw new AppError('NOT_FOUND', 'This order has no such photo.')
  return openStoredPicture(files, found.sha256, log)
}

export type OrderPhoto = { id: string; orderId: string; sha256: string }

/** What one side added to several orders, also what was not sent yet. */
export async function listPhotos(
  db: Db,
  orderIds: readonly string[],
  side: PhotoSide,
): Promise<OrderPhoto[]> {
  const { rows } = await sql<OrderPhoto>`
    select id, order_id as "orderId", sha256 from order_photo
    where order_id = any(${[...orderIds]}::uuid[]) and side = ${side} order by id`.execute(db)
  return rows
}

/** The photo as WebP, or undefined if its file is missing. */
export const readPhoto = (files: FileStore, { sha256 }: Pick<OrderPhoto, 'sha256'>) =>
  files.get(pictureKey(sha256, undefined))

/** Forgets photos that were never sent; the files follow with the next sweep of pictures. */
export async function forgetWaitingPhotos(db: Db, now: Date): Promise<void> {
  await sql`
    delete from order_photo where ${isUnsent} and created_at < ${new Date(now.getTime() - DAY_MS)}
  `.execute(db)
}
