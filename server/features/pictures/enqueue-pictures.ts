import type { Db } from '#server/platform/database/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { fetchPicturesQueue } from './picture-queues.ts'

/** Has the pictures fetched that files of a seller name, in the transaction that ends what named them. */
export async function enqueuePictures(trx: Db, sellerId: string): Promise<void> {
  await enqueueJob(trx, { queue: fetchPicturesQueue, payload: { sellerId }, sellerId })
}
