import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { GiveUp, type JobQueue, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { pictureKey, SWEPT_AFTER_MS, smallerWidths } from './picture-files.ts'
import { findPictureWidth, lockPictureSha, putPictures, setPictureWidths } from './picture-queries.ts'
import { readPicture, shrinkWebp } from './read-picture.ts'

/** Makes the smaller widths of a picture that was just stored. */
export const pictureSizesQueue: JobQueue<{ sha256: string }> = {
  name: 'picture-sizes',
  title: 'Picture sizes',
  payload: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  // A full disk may have room again soon; until then the picture is served in its full size.
  maxAttempts: 8,
  retryDelaySeconds: 15,
  resumable: true,
  // Two small pictures take half a second.
  timeoutSeconds: 120,
  // The decoder takes two at once in a process; the other place is for whoever looks at a page.
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

/** Fetches the pictures that a seller's files name by their address; enqueued when an import has gone live. */
export const fetchPicturesQueue: JobQueue<{ sellerId: string }> = {
  name: 'fetch-pictures',
  title: 'Fetch pictures',
  payload: z.object({ sellerId: z.uuid() }).strict(),
  // Other servers' faults do not fail it; what does is our disk or database, which pass.
  maxAttempts: 5,
  retryDelaySeconds: 30,
  resumable: true,
  // A hundred thousand pictures at two a second.
  timeoutSeconds: 24 * 3_600,
  // It waits for the network nearly all of its time.
  concurrency: 3,
  // A second one of a seller would ask the same servers for the same pictures.
  keyOf: ({ sellerId }) => `fetch-pictures:${sellerId}`,
}

/** A picture whose file is in the store; a row may point at it from now on. */
export type StoredPicture = {
  sha256: string
  width: number
  height: number
  /** Smaller widths stored so far. */
  widths: number[]
}

/**
 * Reads a picture and stores its file. Comes before the transaction that writes the row: a row never lacks its file,
 * and a file without a row is swept after a day. It is written even where the store has it already, which makes it
 * young again and keeps the sweeper away.
 * @throws AppError as `readPicture` and `FileStore.put` do
 */
export async function storePicture(files: FileStore, bytes: Uint8Array): Promise<StoredPicture> {
  const { webp, sha256, width, height } = await readPicture(bytes)
  await files.put(pictureKey(sha256), webp)
  return { sha256, width, height, widths: [] }
}

// A file of this age stays until whoever needs it has named it in a row; an older one the sweeper might take meanwhile.
const YOUNG_MS = SWEPT_AFTER_MS / 2

/**
 * Makes the files of a stored picture's smaller widths and answers which there are. Safe to run twice, also at the same
 * time: the same picture gives the same files. Those that are there stay as they are, unless they are old: they are made
 * young again, as `storePicture` does.
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

/** Stores a picture and all its smaller widths at once: for loads of many listings, where no job shall follow. */
export async function storePictureWithSizes(files: FileStore, bytes: Uint8Array): Promise<StoredPicture> {
  const stored = await storePicture(files, bytes)
  return { ...stored, widths: await storeSmallerWidths(files, stored) }
}

export type AttachedPicture = {
  id: string
  sha256: string
  /** The hash of the picture that stood there before. */
  replaced: string | undefined
}

/**
 * Gives a listing a stored picture, in the caller's transaction, together with the job that makes its smaller widths.
 * It takes the place of the picture at that position (the first, where none is named). The old file stays: another
 * listing may have the same, and the sweeper knows.
 */
export async function attachPicture(
  trx: Db,
  picture: { listingId: string; stored: StoredPicture; alt?: string; position?: number },
): Promise<AttachedPicture> {
  const { listingId, stored, alt = '', position = 0 } = picture
  const replaced = await lockPictureSha(trx, { listingId, position })
  const [row] = await putPictures(trx, [{ ...stored, listingId, alt, position }])
  if (!row) throw new Error('A picture was written and did not come back')
  if (stored.widths.length < smallerWidths(stored.width).length) {
    await enqueueJob(trx, { queue: pictureSizesQueue, payload: { sha256: stored.sha256 } })
  }
  return { id: row.id, sha256: stored.sha256, replaced }
}

/**
 * Makes the smaller widths of a picture, then tells every listing that has it. In this order, so that a page never names
 * a file that is not there yet.
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

/** Has the pictures fetched that files of a seller name, in the transaction that ends what named them. */
export async function enqueuePictures(trx: Db, sellerId: string): Promise<void> {
  await enqueueJob(trx, { queue: fetchPicturesQueue, payload: { sellerId }, sellerId })
}
