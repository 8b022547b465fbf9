import { sql } from 'kysely'
import { ingestQueue } from '#server/features/stock-files/queues.ts'
import { type Db, inTransaction, isDatabaseDown } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { FenceLost, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { failPromotion, lockPromotion } from './promotions.ts'

/** How a job ended that a promotion waits for; `gone` where not even its record is left. */
type DeadEnd = 'failed' | 'cancelled' | 'gone'

/** What a fault of ours is told as. What broke inside is for the job's record and the log: it may name files and tables. */
const faultOf = (jobId: string): string =>
  `A fault on our side stopped it. Technical support finds what happened under the number ${jobId}.`

/** Why a promotion stands still whose job ended without it, and what can be done. */
function stopReason(stopped: { state: string; applied: number; jobId: string; end: DeadEnd }): string {
  const { state, applied, jobId, end } = stopped
  const why = end === 'cancelled' ? 'It was stopped by an administrator.' : faultOf(jobId)
  if (state === 'undoing') return `${why} Not all of it is taken back yet: undo it again to go on.`
  if (applied === 0) return `${why} Nothing of it went live; the file can be promoted again.`
  return `${why} What is live so far can be undone, or the file promoted again to go on.`
}

/**
 * Does a job's work on a promotion. An error that no further attempt will mend ends the promotion too, with a sentence
 * for its seller, and it holds up no other. Only the run that has the job may say so.
 */
export async function orFailPromotion<T>(
  { run, promotionId }: { run: JobRun<unknown>; promotionId: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isOurs = !(run.signal.aborted || error instanceof FenceLost || isDatabaseDown(error))
    if (isOurs && run.lastAttempt) {
      const sentence = error instanceof AppError ? error.message : faultOf(run.jobId)
      await run.withFence((trx) => failPromotion(trx, promotionId, sentence))
    }
    throw error
  }
}

/*
 * A promotion waits for the job of its state. It stalls where that job ended otherwise than completed, unless a job for
 * all of its dataset takes it along.
 */

// As many as one round ends; the next goes on.
const MOST_AT_ONCE = 500

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
    and coalesce(j.status, 'failed') in ('failed', 'cancelled')
    and not (p.state <> 'undoing' and exists (
      select from job other
      where other.status in ('queued', 'retrying', 'running', 'waiting-manual')
        and (other.id = p.plan_job_id
          or (other.queue = ${ingestQueue.name} and other.payload ->> 'dataset' = p.dataset
            and coalesce(other.payload ->> 'promotionId', p.id::text) = p.id::text))
    ))
`

/** There hardly ever are any: a job every two minutes that finds none would leave 720 records a day. */
export async function hasStalled(db: Db): Promise<boolean> {
  const { rows } = await sql`${stalled} limit 1`.execute(db)
  return rows.length > 0
}

async function listStalled(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${stalled} order by p.id limit ${MOST_AT_ONCE}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The job that ended without the promotion; undefined where it goes on. */
async function findStall(db: Db, id: string): Promise<{ jobId: string; end: DeadEnd } | undefined> {
  const { rows } = await sql<{ jobId: string; end: DeadEnd }>`${stalled} and p.id = ${id}`.execute(db)
  return rows[0]
}

/**
 * Ends promotions whose job ended without them: its worker was lost too often, it took too long, somebody cancelled it.
 * Nobody works on them any more, and whoever looks at one would wait for good.
 */
export async function failStalledPromotions(db: Db, signal: AbortSignal): Promise<{ failed: number }> {
  let failed = 0
  for (const id of await listStalled(db)) {
    signal.throwIfAborted()
    if (await failIfStalled(db, id)) failed += 1
  }
  return { failed }
}

/** Looked at again under the lock: whoever gave it a new job held that lock, and a statement of its own sees the job. */
function failIfStalled(db: Db, id: string): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const promotion = await lockPromotion(trx, id)
    const stall = promotion && (await findStall(trx, id))
    if (!stall) return false
    await failPromotion(trx, id, stopReason({ ...promotion, ...stall }))
    return true
  })
}
