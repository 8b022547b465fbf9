import { hasEnded } from '#contract/automation.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { lockJob, type RepeatedJob } from './job-queries.ts'
import { notEnded } from './job-state.ts'
import type { CheckedJob } from './new-job.ts'
import { repeatJob } from './repeat-job.ts'
import type { By } from './start-job.ts'

type Retry = { original: RepeatedJob; checked: CheckedJob; edited: boolean; by: By }

/**
 * Runs an ended job again, as a new job linked to it; answers the new one's id.
 * @throws AppError NOT_FOUND, CONFLICT while it has not ended
 */
export function retryJob(db: Db, { original, checked, edited, by }: Retry): Promise<string> {
  return inTransaction(db, async (trx) => {
    const job = await lockJob(trx, original.id)
    if (!job) throw new AppError('NOT_FOUND', 'There is no such job.')
    if (!hasEnded(job.status)) throw new AppError('CONFLICT', notEnded(job.status))
    const jobId = await repeatJob(trx, { original, checked, createdBy: by.actorUserId })
    const detail = { queue: original.queue, retryOf: original.id, edited }
    await writeAudit(trx, { action: 'job-retried', target: jobId, detail, ...by })
    return jobId
  })
}
