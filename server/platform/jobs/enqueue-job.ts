import { sql } from 'kysely'
import type { JsonObject } from '#db/schema.gen.ts'
import { type AuditEntry, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { insertDeliveries } from './deliveries.ts'
import type { JobQueue } from './job-definition.ts'

/** The user who enqueued a job; undefined if a schedule did or the user was deleted. */
export async function findJobAuthor(db: Db, jobId: string): Promise<string | undefined> {
  const { rows } = await sql<{ createdBy: string | null }>`
    select created_by as "createdBy" from job where id = ${jobId}`.execute(db)
  return rows[0]?.createdBy ?? undefined
}

export type NewJob<Payload> = {
  queue: JobQueue<Payload>
  payload: Payload
  /** The choices of the person who started it, stored for the record; handlers read the payload. */
  options?: JsonObject
  createdBy?: string
  sellerId?: string
  scriptId?: string
  /** The job that this one repeats. */
  retryOf?: string
  /** Only one of the jobs that share a key runs at a time. Default: the queue's key. */
  concurrencyKey?: string
  /** Not before this time. */
  runAfter?: Date
  /** Overrides the queue's value; clamped to 1-25. */
  maxAttempts?: number
  /** Overrides the queue's value. */
  resumable?: boolean
}

export const MAX_ATTEMPTS = 25

export const isAllowedAttempts = (attempts: number): boolean =>
  Number.isInteger(attempts) && attempts >= 1 && attempts <= MAX_ATTEMPTS

/**
 * Writes a job in the caller's transaction and returns its id. Our row and pg-boss's delivery are one statement, so that
 * neither exists without the other. Throws if the queue was never declared.
 */
export async function enqueueJob<Payload>(trx: Db, job: NewJob<Payload>): Promise<string> {
  const { queue } = job
  const payload = queue.payload.parse(job.payload)
  const key = job.concurrencyKey ?? queue.keyOf?.(payload)
  const { rows } = await sql<{ id: string }>`
    with new_job as (
      insert into job (queue, script_id, payload, options, resumable, max_attempts,
                       concurrency_key, retry_of, created_by, seller_id, run_after)
      select name, ${job.scriptId ?? null}, ${JSON.stringify(payload)}::jsonb, ${JSON.stringify(job.options ?? {})}::jsonb,
             ${job.resumable ?? queue.resumable}, ${allowedAttempts(job.maxAttempts ?? queue.maxAttempts)}, ${key ?? null}, ${job.retryOf ?? null}::uuid,
             ${job.createdBy ?? null}::uuid, ${job.sellerId ?? null}::uuid,
             coalesce(${job.runAfter ?? null}::timestamptz, now())
      from pgboss.queue where name = ${queue.name}
      returning id, queue, run_after
    )
    ${insertDeliveries(sql`new_job`)}
    returning id`.execute(trx)
  const id = rows[0]?.id
  if (id === undefined) throw new Error(`There is no queue "${queue.name}": is it in server/job-queues.ts?`)
  return id
}

/** Rounds down and clamps to 1-25. */
function allowedAttempts(attempts: number): number {
  return Math.trunc(Math.min(Math.max(attempts, 1), MAX_ATTEMPTS))
}

export type By = Required<Pick<AuditEntry, 'actorUserId' | 'ip' | 'requestId'>>

/** Enqueues a job for an administrator with an audit entry; returns its id. */
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
