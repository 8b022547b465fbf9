import type { Db } from '#server/platform/database/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { smallerWidths } from './picture-files.ts'
import { pictureSizesQueue } from './picture-queues.ts'
import { lockPictureSha, putPictures } from './queries.ts'
import type { StoredPicture } from './store-picture.ts'

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
