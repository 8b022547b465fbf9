import { relabelListingsQueue } from '#server/features/lookups/lookup-queues.ts'
import type { Db } from '#server/platform/database/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { listUnfinished } from './merged-queries.ts'

/**
 * Takes up renames and merges whose job failed for good or was cancelled: a lookup that is out of sight with listings
 * behind it, or listings that are called by a name of before, are no state to stay in.
 */
export async function finishMerges(db: Db): Promise<{ resumed: number }> {
  const unfinished = await listUnfinished(db)
  for (const payload of unfinished) {
    await enqueueJob(db, { queue: relabelListingsQueue, payload })
  }
  return { resumed: unfinished.length }
}
