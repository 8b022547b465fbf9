import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { GiveUp, type JobQueue, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { pictureKey, SWEPT_AFTER_MS, smallerWidths } from './picture-files.ts'
import { findPictureWidth, lockPlaces, putPictures, setPictureWidths } from './picture-queries.ts'
import { type DrawnPicture, readPicture, shrinkWebp } from './read-picture.ts'

/** Creates the smaller widths of a new picture. */
export const pictureSizesQueue: JobQueue<{ sha256: string }> = {
  name: 'picture-sizes',
  title: 'Picture sizes',
  payload: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  // Retries in case a full disk gets room again; until then the picture is served in full size.
  maxAttempts: 8,
  retryDelaySeconds: 15,
  resumable: true,
  // Two small pictures take half a second.
  timeoutSeconds: 120,
  // The process decodes two at once; the other slot is for uploads.
  concurrency: 1,
}

/** Removes the files of pictures that no listing has. */
export const sweepPicturesQueue: JobQueue<Record<string, never>> = {
  name: 'sweep-pictures',
  title: 'Sweep pictures',
  payload: z.object({}).strict(),
  maxAttempts: 1,
  retryDelaySeconds: 60,
  resumable: true,
  // A million files on a slow bucket.
  timeoutSeconds: 3_600,
  concurrency: 1,
}

/** Fetches the pictures that a seller's files name by URL; enqueued when an import is published. */
export const fetchPicturesQueue: JobQueue<{ sellerId: string }> = {
  name: 'fetch-pictures',
  title: 'Fetch pictures',
  payload: z.object({ sellerId: z.uuid() }).strict(),
  // Only failures of our own disk or database fail the job, and those pass.
  maxAttempts: 5,
  retryDelaySeconds: 30,
  resumable: true,
  // A hundred thousand pictures at two a second.
  timeoutSeconds: 24 * 3_600,
  // It spends nearly all of its time waiting for the network.
  concurrency: 3,
  // A second job of a seller would fetch the same pictures from the same servers.
  keyOf: ({ sellerId }) => `fetch-pictures:${sellerId}`,
}

/** A picture whose file is stored, so that a row may refer to it. */
export type StoredPicture = {
  sha256: string
  width: number
  height: number
  /** Smaller widths stored so far. */
  widths: number[]
}

/**
 * Reads a picture and stores its file. Call it before the transaction that writes the row: a row must never lack its file,
 * while a file without a row is swept after a day. An existing file is written again, which renews its age for the sweeper.
 * @throws AppError as `readPicture` and `FileStore.put` do
 */
export async function storePicture(files: FileStore, bytes: Uint8Array): Promise<StoredPicture> {
  const { webp, sha256, width, height } = await readPicture(bytes)
  await files.put(pictureKey(sha256), webp)
  return { sha256, width, height, widths: [] }
}

// A younger file is safe until its row is committed; the sweeper might remove an older one first.
const YOUNG_MS = SWEPT_AFTER_MS / 2

/**
 * Creates the files of a stored picture's smaller widths and returns the widths. Safe to run twice, even concurrently, as
 * the same picture gives the same files. Existing files are kept, but old ones are written again, as in `storePicture`.
 */
async function storeSmallerWidths(
  files: FileStore,
  picture: { sha256: string; width: number },
): Promise<number[]> {
  const widths = smallerWidths(picture.width)
  let original: Buffer | undefined
  for (const width of widths) {
    const key = pictureKey(picture.sha256, width)
    const there = await files.find(key)
    if (there && there.modifiedAt.getTime() > Date.now() - YOUNG_MS) continue
    original ??= await readOriginal(files, picture.sha256)
    await files.put(key, (await shrinkWebp(original, width)).webp)
  }
  return widths
}

async function readOriginal(files: FileStore, sha256: string): Promise<Buffer> {
  const stream = await files.get(pictureKey(sha256))
  if (!stream) throw new GiveUp(`The file of picture ${sha256} is missing`)
  return buffer(stream)
}

/** Stores a picture and all its smaller widths at once, for loads of many listings, without a job for each. */
export async function storePictureWithSizes(files: FileStore, bytes: Uint8Array): Promise<StoredPicture> {
  const stored = await storePicture(files, bytes)
  return { ...stored, widths: await storeSmallerWidths(files, stored) }
}

/** Stores a drawing of our own and all its smaller widths. */
export async function storeDrawing(
  files: FileStore,
  { sha256, webp, width, height, smaller }: DrawnPicture,
): Promise<StoredPicture> {
  await files.put(pictureKey(sha256), webp)
  for (const copy of smaller) await files.put(pictureKey(sha256, copy.width), copy.webp)
  return { sha256, width, height, widths: smaller.map((copy) => copy.width) }
}

export type AttachedPicture = {
  id: string
  sha256: string
  /** The hash of the picture that it replaced. */
  replaced: string | undefined
}

/**
 * Attaches a stored picture to a listing, in the caller's transaction, and enqueues the job for its smaller widths. It
 * replaces the first picture or is added after the last. The old file is left to the sweeper, as another listing may
 * use it.
 */
export async function attachPicture(
  trx: Db,
  picture: { listingId: string; stored: StoredPicture; alt?: string; place?: 'first' | 'last' },
): Promise<AttachedPicture> {
  const { listingId, stored, alt = '', place = 'first' } = picture
  const { first, behind } = await lockPlaces(trx, listingId)
  const position = place === 'last' ? behind : (first?.position ?? 0)
  const { id } = onlyRow(await putPictures(trx, [{ ...stored, listingId, alt, position }]))
  const replaced = place === 'first' ? (first?.sha256 ?? undefined) : undefined
  if (stored.widths.length < smallerWidths(stored.width).length) {
    await enqueueJob(trx, { queue: pictureSizesQueue, payload: { sha256: stored.sha256 } })
  }
  return { id, sha256: stored.sha256, replaced }
}

/**
 * Creates the smaller widths of a picture and then records them on every listing that has it, in this order, so that a
 * page never refers to a missing file.
 */
export async function makePictureSizes(
  { db, files }: { db: Db; files: FileStore },
  job: JobRun<{ sha256: string }>,
): Promise<{ widths: number[] }> {
  const { sha256 } = job.payload
  const width = await findPictureWidth(db, sha256)
  // The listing has another picture by now.
  if (width === undefined) return { widths: [] }
  const widths = await storeSmallerWidths(files, { sha256, width })
  await job.withFence((trx) => setPictureWidths(trx, sha256, widths))
  return { widths }
}

/** Enqueues the fetch of a seller's pending pictures, in the caller's transaction. */
export async function enqueuePictures(trx: Db, sellerId: string): Promise<void> {
  await enqueueJob(trx, { queue: fetchPicturesQueue, payload: { sellerId }, sellerId })
}
