import { hasEnded, type JobStatus } from '#contract/automation.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { requestCancel } from '#server/platform/jobs/control.ts'
import { lockJob } from './job-queries.ts'
import type { By } from './start-job.ts'

/** Asks a job to stop and answers its status then; undefined where there is none. The first to ask is written down. */
export async function cancelJob(db: Db, jobId: string, by: By): Promise<JobStatus | undefined> {
  return db.transaction().execute(async (trx) => {
    const before = await lockJob(trx, jobId)
    if (!before || hasEnded(before.status)) return before?.status
    // The statuses of the record are those of the contract.
    const status = (await requestCancel(trx, jobId)) as JobStatus | undefined
    if (!before.cancelRequested) await writeAudit(trx, { action: 'job-cancelled', target: jobId, ...by })
    return status
  })
}
