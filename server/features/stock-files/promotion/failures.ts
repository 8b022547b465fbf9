import { sql } from 'kysely'
import { applyQueue } from '#server/features/stock-files/stock-file-queues.ts'
import { type Db, inTransaction, isDatabaseDown } from '#server/platform/database/database.ts'
import { diskFailure } from '#server/platform/disk-failure.ts'
import { AppError } from '#server/platform/errors.ts'
import { FenceLost, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { failPromotion, lockPromotion } from './promotions.ts'

/* Fails promotions whose job failed or ended without finishing them, with a message for the seller. */

/** How the job of a stalled promotion ended; `gone` if its record was deleted. */
type JobEnd = 'failed' | 'cancelled' | 'gone'

/** The message for an internal error. Its details, which may name files and tables, stay in the job's record and the log. */
const faultOf = (jobId: string): string =>
  `An error on our side stopped it. Technical support can look it up under the number ${jobId}.`

/** Why a promotion stalled, and what the user can do. */
function stopReason(stopped: { state: string; applied: number; jobId: string; end: JobEnd }): string {
  const { state, applied, jobId, end } = stopped
  const why = end === 'cancelled' ? 'It was stopped by an administrator.' : faultOf(jobId)
  if (state === 'undoing') return `${why} Part of it is not undone yet: undo it again to continue.`
  if (applied === 0) return `${why} Nothing went live; the file can be promoted again.`
  return `${why} You can undo what is live so far, or promote the file again to continue.`
}

/**
 * Runs a job's work on a promotion. An error on the last attempt also fails the promotion, with a message for its seller,
 * so that it does not block others. Only the run that holds the job may do so.
 */
export async function failPromotionOnError<T>(
  { run, promotionId }: { run: JobRun<unknown>; promotionId: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isOurs = !(
      run.signal.aborted ||
      error instanceof FenceLost ||
      isDatabaseDown(error) ||
      diskFailure(error)
    )
    if (isOurs && run.lastAttempt) {
      const sentence = error instanceof AppError ? error.message : faultOf(run.jobId)
      await run.withFence((trx) => failPromotion(trx, promotionId, sentence))
    }
    throw error
  }
}

/*
 * A promotion waits for the job of its state. It has stalled if that job ended without completing, unless a job for its
 * whole dataset will pick it up.
 */

// Per round; the next round continues.
const MAX_PER_ROUND = 500

const stalled = sql`
  select p.id, wanted.job_id as "jobId", coalesce(j.status, 'gone') as end
  from promotion p
  cross join lateral (
    select case when p.state = 'planning' and p.ingest_job_id is null then p.plan_job_id
                when p.state = 'undoing' then p.undo_job_id
                else p.ingest_job_id end as job_id
  ) wanted
  left join job j on j.id = wanted.job_id
  where (p.state in ('planning', 'applying', 'undoing') or (p.state = 'planned' and p.approved_at is not null))
    and wanted.job_id is not null
    and p.rest_held_at is null
    and coalesce(j.status, 'failed') in ('failed', 'cancelled')
    and not (p.state <> 'undoing' and exists (
      select from job other
      where other.status in ('queued', 'retrying', 'running', 'waiting-manual')
        and (other.id = p.plan_job_id
          or (other.queue = ${applyQueue.name} and other.payload ->> 'dataset' = p.dataset
            and coalesce(other.payload ->> 'promotionId', p.id::text) = p.id::text))
    ))
`

/** Stalled promotions with the job that ended without finishing them, in order; all, or the given one. */
async function listStalled(
  db: Db,
  { id = null, limit }: { id?: string | null; limit: number },
): Promise<{ id: string; jobId: string; end: JobEnd }[]> {
  const { rows } = await sql<{ id: string; jobId: string; end: JobEnd }>`
    ${stalled} and (${id}::uuid is null or p.id = ${id}) order by p.id limit ${limit}
  `.execute(db)
  return rows
}

/** Checked before a job is enqueued: one every two minutes that finds nothing would leave 720 records a day. */
export const hasStalled = async (db: Db): Promise<boolean> => (await listStalled(db, { limit: 1 })).length > 0

/**
 * Fails promotions whose job ended without finishing them: its worker was lost too often, it timed out, or someone
 * canceled it. Otherwise they would wait forever.
 */
export async function failStalledPromotions(db: Db, signal: AbortSignal): Promise<{ failed: number }> {
  let failed = 0
  for (const { id } of await listStalled(db, { limit: MAX_PER_ROUND })) {
    signal.throwIfAborted()
    if (await failIfStalled(db, id)) failed += 1
  }
  return { failed }
}

/** Checks again under the lock: anyone who gave it a new job held that lock, and a new statement sees the job. */
function failIfStalled(db: Db, id: string): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const promotion = await lockPromotion(trx, id)
    const [stall] = promotion ? await listStalled(trx, { id, limit: 1 }) : []
    if (!promotion || !stall) return false
    await failPromotion(trx, id, stopReason({ ...promotion, ...stall }))
    return true
  })
}
