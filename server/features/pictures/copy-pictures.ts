import type { Db } from '#server/platform/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { smallerWidths } from './picture-files.ts'
import { pictureSizesQueue } from './picture-queues.ts'
import { insertPicturesOf } from './queries.ts'

/** Gives a listing the pictures of another, in the caller's transaction; both share the files. Answers how many. */
export async function copyPictures(trx: Db, from: string, to: string): Promise<number> {
  const copied = await insertPicturesOf(trx, from, to)
  for (const { sha256, width, widths } of copied) {
    // The job of the first listing may have written its widths before our row could be seen.
    if (widths.length < smallerWidths(width).length) {
      await enqueueJob(trx, { queue: pictureSizesQueue, payload: { sha256 } })
    }
  }
  return copied.length
}
