import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { type BulkPayload, bulkJobsQueue } from './bulk-queues.ts'
import type { By } from './start-job.ts'

/** Enqueues the job that does it, and writes down who asked for what; answers its id. */
export function startBulk(db: Db, bulk: BulkPayload, by: By): Promise<string> {
  return inTransaction(db, async (trx) => {
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
