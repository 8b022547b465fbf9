import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { type BulkPayload, bulkJobsQueue } from './bulk-queues.ts'
import { findSameBulk } from './job-queries.ts'
import type { By } from './start-job.ts'

/**
 * Enqueues the job that does it, and writes down who asked for what; answers its id.
 * @throws AppError CONFLICT where the same is being done already
 */
export function startBulk(db: Db, bulk: BulkPayload, by: By): Promise<string> {
  return inTransaction(db, async (trx) => {
    const same = await findSameBulk(trx, bulk)
    if (same !== undefined) throw new AppError('CONFLICT', underWay(same))
    const jobId = await enqueueJob(trx, { queue: bulkJobsQueue, payload: bulk, createdBy: by.actorUserId })
    const { action, queues, statuses, words, matching } = bulk
    const detail = {
      action,
      queues: queues.join(', '),
      statuses: statuses.join(', '),
      search: words,
      matching,
    }
    await writeAudit(trx, { action: 'jobs-bulk', target: jobId, detail, ...by })
    return jobId
  })
}

const underWay = (jobId: string) =>
  `This is being done already, by the job ${jobId}. Wait for its end, or cancel that job first.`
