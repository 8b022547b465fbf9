import { sql } from 'kysely'
import type { JsonObject } from '#db/schema.gen.ts'
import { type AuditEntry, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { insertDeliveries } from './deliveries.ts'
import type { JobQueue } from './job-definition.ts'

/** Who enqueued a job; undefined where a schedule did, or where they are gone. */
export async function findJobAuthor(db: Db, jobId: string): Promise<string | undefined> {
  const { rows } = await sql<{ createdBy: string | null }>`
    select created_by as "createdBy" from job where id = ${jobId}`.execute(db)
  return rows[0]?.createdBy ?? undefined
}

export type NewJob<Payload> = {
  queue: JobQueue<Payload>
  payload: Payload
  /** What the person who started it chose; kept for the record, handlers read the payload. */
  options?: JsonObject
  createdBy?: string
  sellerId?: string
  scriptId?: string
  /** The job that this one repeats. */
  retryOf?: string
  /** Of the jobs that share a key only one runs at a time; the others wait their turn. Without it, as the queue says. */
  concurrencyKey?: string
  /** Not before this time. */
  runAfter?: Date
  /** Instead of what the queue says; brought between 1 and 25. */
  maxAttempts?: number
  /** Instead of what the queue says. */
  resumable?: boolean
}

const MOST_ATTEMPTS = 25

/**
 * Writes a job in the caller's transaction and answers its id: our record and the queue library's delivery in one
 * statement, so that neither exists without the other. Throws where no worker ever declared the queue.
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

/** Whole, at least 1 and at most 25. */
export function allowedAttempts(attempts: number): number {
  return Math.trunc(Math.min(Math.max(attempts, 1), MOST_ATTEMPTS))
}

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
