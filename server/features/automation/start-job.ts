import { type AuditEntry, writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { CheckedJob } from './new-job.ts'

export type By = Required<Pick<AuditEntry, 'actorUserId' | 'ip' | 'requestId'>>

/** Enqueues a job for an administrator and writes down who did; answers its id. */
export function startJob(db: Db, checked: CheckedJob, by: By): Promise<string> {
  return inTransaction(db, async (trx) => {
    const jobId = await enqueueJob(trx, { ...checked, createdBy: by.actorUserId })
    const { queue, scriptId, maxAttempts } = checked
    await writeAudit(trx, {
      action: 'job-enqueued',
      target: jobId,
      detail: { queue: queue.name, script: scriptId ?? null, attempts: maxAttempts },
      ...by,
    })
    return jobId
  })
}
