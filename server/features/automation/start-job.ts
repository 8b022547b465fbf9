import { type AuditEntry, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { allowedAttempts, enqueueJob, type NewJob } from '#server/platform/jobs/enqueue-job.ts'

export type By = Required<Pick<AuditEntry, 'actorUserId' | 'ip' | 'requestId'>>

/** Enqueues a job for an administrator and writes down who did; answers its id. */
export function startJob<Payload>(db: Db, job: Omit<NewJob<Payload>, 'createdBy'>, by: By): Promise<string> {
  return inTransaction(db, async (trx) => {
    const jobId = await enqueueJob(trx, { ...job, createdBy: by.actorUserId })
    const { queue, scriptId, maxAttempts } = job
    await writeAudit(trx, {
      action: 'job-enqueued',
      target: jobId,
      detail: {
        queue: queue.name,
        script: scriptId ?? null,
        attempts: allowedAttempts(maxAttempts ?? queue.maxAttempts),
      },
      ...by,
    })
    return jobId
  })
}
