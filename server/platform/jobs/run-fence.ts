import { type RawBuilder, sql } from 'kysely'
import type { JsonValue } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database.ts'
import type { RunKey } from './job-claims.ts'
import { FenceLost } from './job-definition.ts'

/** That a job has a worker: it has not ended, and its question has not left it without one. */
export const IS_RUNNING: RawBuilder<unknown> = sql`
  job.status in ('running', 'waiting-manual') and job.heartbeat_at is not null`

/** That a job is in this run still, and was not given to another. */
export const isInRun = ({ jobId, runNo }: RunKey): RawBuilder<unknown> => sql`
  job.id = ${jobId} and job.run_no = ${runNo} and ${IS_RUNNING}`

/**
 * Holds the job for this run until the transaction ends, or throws FenceLost. The lock lets heartbeats and events pass
 * (they change no key) but keeps out whoever wants to give the job to another run, since that takes `for update`.
 */
export async function holdFence(trx: Db, run: RunKey): Promise<void> {
  const { rows } = await sql`
    select set_config('idle_in_transaction_session_timeout', ${`${MOST_IDLE_SECONDS}s`}, true),
           set_config('application_name', ${fenceName(run.jobId)}, true)
    from job
    where ${isInRun(run)}
    for key share`.execute(trx)
  if (rows.length === 0) throw new FenceLost(run.jobId)
}

/** A transaction of this run: it is fenced from its first statement on. Throws FenceLost. */
export function inFence<T>(db: Db, run: RunKey, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await holdFence(trx, run)
    return work(trx)
  })
}

/** What a connection is called while it holds the fence of a job, so that it can be found (see endStoppedRuns). */
export const fenceName = (jobId: string): string => `run ${jobId}`

// A worker that is stopped in the middle of a fenced transaction holds the job: the database ends its transaction after
// this time, so that another worker has the job within half a minute. Nobody computes for so long between two statements.
const MOST_IDLE_SECONDS = 10

/** No sign of life: a script writes from a process of its own, also while the worker that shall hear a stop is paused. */
export async function storeCheckpoint(db: Db, run: RunKey, checkpoint: JsonValue): Promise<void> {
  const { numAffectedRows } = await sql`
    update job set checkpoint = ${JSON.stringify(checkpoint)}::jsonb, updated_at = now()
    where ${isInRun(run)}`.execute(db)
  if (numAffectedRows === 0n) throw new FenceLost(run.jobId)
}
