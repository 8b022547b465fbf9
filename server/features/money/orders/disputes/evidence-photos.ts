import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { MOST_EVIDENCE_PHOTOS } from '#contract/order/disputes/dispute-views.ts'
import { dayInWords } from '#contract/order/order-words.ts'
import type { ReturnReason } from '#contract/order/returns/return-steps.ts'
import { reasonsInWords } from '#contract/order/returns/return-words.ts'
import { openStoredPicture } from '#server/features/market/pictures/open-picture.ts'
import { pictureKey } from '#server/features/market/pictures/picture-files.ts'
import { jpegOf } from '#server/features/market/pictures/read-picture.ts'
import type { Order } from '#server/features/money/orders/orders.ts'
import { blocksPdf, type PaperBlock } from '#server/features/money/orders/papers/document-pdf.ts'
import type { PhotoSide } from '#server/features/money/orders/returns/return-photos.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { BinaryReply } from '#server/platform/http/handler.ts'
import type { Log } from '#server/platform/log.ts'

/*
 * Pictures for the bank: the part as its listing showed it before the sale, and what buyer
 * and yard sent with returns, claims and the dispute.
 * One file fits a field of the evidence, so they go as the pages of one PDF.
 */

export type EvidencePhoto = { readonly id: string; readonly sha256: string; readonly caption: string }

/** Of each listing; the first show the part best. */
const MOST_OF_LISTING = 4

/** Pictures of the listings, then the buyer's photos and the seller's, each oldest first. */
export async function listEvidencePhotos(db: Db, order: Order): Promise<EvidencePhoto[]> {
  const [pictures, photos] = await Promise.all([
    sql<{ id: string; sha256: string; listingId: string; at: Date }>`
      select id, sha256, listing_id as "listingId", created_at as at from (
        select i.*, row_number() over (partition by i.listing_id order by i.position, i.id) as nth
        from listing_image i
        where i.listing_id = any(${order.lines.map(({ listingId }) => listingId)}::uuid[])
          -- A later one does not show what the buyer saw.
          and i.state = 'ready' and i.created_at <= ${order.createdAt}) shown
      where nth <= ${MOST_OF_LISTING} order by listing_id, nth`.execute(db),
    sql<{ id: string; sha256: string; side: PhotoSide; reason: ReturnReason | null; at: Date }>`
      select p.id, p.sha256, p.side, r.reason, p.created_at as at
      from order_photo p left join order_return r on r.id = p.return_id
      where p.order_id = ${order.id} and (p.return_id is not null or p.dispute_id is not null)
      order by p.side, p.id`.execute(db),
  ])
  const day = (at: Date) => dayInWords(at.toISOString(), order.timeZone, new Date(0))
  const titles = new Map(order.lines.map(({ listingId, facts }) => [listingId, facts.title]))
  return [
    ...pictures.rows.map(({ id, sha256, listingId, at }) => ({
      id,
      sha256,
      caption: `${titles.get(listingId) ?? 'The part'}: the seller’s picture in the listing, ${day(at)}`,
    })),
    ...photos.rows.map(({ id, sha256, side, reason, at }) => ({
      id,
      sha256,
      caption: `The ${side}’s photo${reason === null ? '' : ` (${reasonsInWords[reason]})`}, ${day(at)}`,
    })),
  ]
}

/** Those that nobody has chosen among yet: all, and if these are too many, photos before pictures of listings. */
export const chosenAtFirst = (photos: readonly EvidencePhoto[]): string[] =>
  photos.slice(-MOST_EVIDENCE_PHOTOS).map(({ id }) => id)

/** @throws AppError VALIDATION_FAILED unless all are the order's */
export async function checkChosen(db: Db, order: Order, photoIds: readonly string[]): Promise<void> {
  const known = new Set((await listEvidencePhotos(db, order)).map(({ id }) => id))
  if (photoIds.every((id) => known.has(id))) return
  const sentence = 'A photo is no longer there. Reload the page and choose again'
  throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { photoIds: sentence } })
}

/** @throws AppError NOT_FOUND, also for a picture of another order */
export async function openEvidencePhoto(
  db: Db,
  files: FileStore,
  { order, photoId, log }: { order: Order; photoId: string; log: Log },
): Promise<BinaryReply> {
  const found = (await listEvidencePhotos(db, order)).find(({ id }) => id === photoId)
  if (!found) throw new AppError('NOT_FOUND', 'This order has no such photo.')
  return openStoredPicture(files, found.sha256, log)
}

/** A little less than the provider takes for all files of a dispute. */
const MOST_BYTES = 4_300_000

/** Large enough to read a number on a label; smaller if there are many. */
const SIZES = [
  { longestSide: 1_600, quality: 80 },
  { longestSide: 1_200, quality: 72 },
  { longestSide: 900, quality: 60 },
  { longestSide: 600, quality: 45 },
] as const

export type EvidenceFile = { readonly name: string; readonly bytes: Uint8Array; readonly hash: string }

/** A PDF with a photo on each page: the same photos give the same bytes. A sentence if one of them is gone. */
export async function evidenceFile(
  { db, files }: { db: Db; files: FileStore },
  order: Order,
  { photoIds, creator }: { photoIds: readonly string[]; creator: string },
): Promise<EvidenceFile | { problem: string }> {
  const photos = (await listEvidencePhotos(db, order)).filter(({ id }) => photoIds.includes(id))
  const blocks: PaperBlock[] = [{ kind: 'title', text: `Photos of order ${order.number}`, stamp: '' }]
  for (const { sha256, caption } of photos) {
    const stored = await files.get(pictureKey(sha256, undefined))
    if (!stored) return { problem: missing(caption) }
    const jpeg = await smallEnough(await buffer(stored), MOST_BYTES / photos.length)
    blocks.push({ kind: 'photo', caption, jpeg })
  }
  if (photos.length < photoIds.length) return { problem: missing('One of the photos') }
  const bytes = await blocksPdf(blocks, { creator, at: order.createdAt })
  const hash = createHash('sha256').update(bytes).digest('hex')
  return { name: `order-${order.number}-photos.pdf`, bytes, hash }
}

const missing = (what: string): string =>
  `${what}: the file is gone. Leave it out and send the evidence again.`

async function smallEnough(webp: Buffer, most: number): Promise<Buffer> {
  let jpeg: Buffer | undefined
  for (const size of SIZES) {
    jpeg = await jpegOf(webp, size)
    if (jpeg.length <= most) break
  }
  return jpeg as Buffer
}
