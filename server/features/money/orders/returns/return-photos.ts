import { sql } from 'kysely'
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
 * Photos of what is wrong with a part. They are read and stored like pictures of listings, without what a camera adds, but no
 * public address leads to them: callers have checked that the order is the reader's.
 */

/** Added, but not sent with a return: such as by a buyer who began anew a few times. */
const MOST_WAITING = 24

/** @throws AppError VALIDATION_FAILED for too many that were never sent */
export async function addPhoto(
  trx: Db,
  { orderId, stored, now }: { orderId: string; stored: StoredPicture; now: Date },
): Promise<{ id: string }> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from order_photo where order_id = ${orderId} and return_id is null`.execute(
    trx,
  )
  if (onlyRow(rows).count >= MOST_WAITING) {
    const sentence = 'There are too many photos that were not sent. Send your request, or try again tomorrow'
    throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { image: sentence } })
  }
  const inserted = await sql<{ id: string }>`
    insert into order_photo (order_id, sha256, created_at) values (${orderId}, ${stored.sha256}, ${now})
    returning id`.execute(trx)
  return onlyRow(inserted.rows)
}

/** @throws AppError VALIDATION_FAILED unless all were added to this order, and to no other return */
export async function attachPhotos(
  trx: Db,
  { orderId, returnId, photoIds }: { orderId: string; returnId: string; photoIds: readonly string[] },
): Promise<void> {
  const ids = [...new Set(photoIds)]
  if (ids.length === 0) return
  const { rows } = await sql`
    update order_photo set return_id = ${returnId}
    where id = any(${ids}::uuid[]) and order_id = ${orderId} and return_id is null returning id`.execute(trx)
  if (rows.length === ids.length) return
  const sentence = 'A photo is no longer there. Add your photos again'
  throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { photoIds: sentence } })
}

/** @throws AppError NOT_FOUND, also for the photo of another order */
export async function openPhoto(
  db: Db,
  files: FileStore,
  { orderId, photoId, log }: { orderId: string; photoId: string; log: Log },
): Promise<BinaryReply> {
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from order_photo where id = ${photoId} and order_id = ${orderId}`.execute(db)
  const [found] = rows
  if (!found) throw new AppError('NOT_FOUND', 'This order has no such photo.')
  return openStoredPicture(files, found.sha256, log)
}

export type OrderPhoto = { id: string; orderId: string; sha256: string }

/** Of several orders, also those that were not sent yet. */
export async function listPhotos(db: Db, orderIds: readonly string[]): Promise<OrderPhoto[]> {
  const { rows } = await sql<OrderPhoto>`
    select id, order_id as "orderId", sha256 from order_photo
    where order_id = any(${[...orderIds]}::uuid[]) order by id`.execute(db)
  return rows
}

/** The photo as WebP, or undefined if its file is missing. */
export const readPhoto = (files: FileStore, { sha256 }: Pick<OrderPhoto, 'sha256'>) =>
  files.get(pictureKey(sha256, undefined))

/** Forgets photos that were never sent; the files follow with the next sweep of pictures. */
export async function forgetWaitingPhotos(db: Db, now: Date): Promise<void> {
  await sql`
    delete from order_photo where return_id is null and created_at < ${new Date(now.getTime() - DAY_MS)}
  `.execute(db)
}
