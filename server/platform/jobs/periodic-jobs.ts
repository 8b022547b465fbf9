import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { enqueueJob } from './enqueue-job.ts'
import type { JobQueue } from './job-definition.ts'

/** A job without a payload of its own that shall run again and again, whoever is there to run it. */
export type PeriodicJob = {
  readonly queue: JobQueue<Record<string, never>>
  readonly everySeconds: number
  /** Whether there is anything to do; where it says no, there is no job, and it is asked again. Asked in a transaction. */
  readonly isNeeded?: (trx: Db) => Promise<boolean>
}

/**
 * Enqueues the job if the last one was enqueued long enough ago; answers its id then. The record of the last one is the
 * clock, so that restarts neither repeat nor skip a round, and a lock per queue lets one process of many do it (D21).
 */
export async function enqueueIfDue(db: Db, periodic: PeriodicJob): Promise<string | undefined> {
  const { queue, everySeconds, isNeeded } = periodic
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`periodic:${queue.name}`}, 0)) as free`.execute(trx)
    if (!rows[0]?.free || (await isRecent(trx, queue.name, everySeconds))) return undefined
    if (isNeeded && !(await isNeeded(trx))) return undefined
    return enqueueJob(trx, { queue, payload: {} })
  })
}

/** An unfinished one counts as recent however old it is: a second beside it would only do the same. */
async function isRecent(trx: Db, queue: string, everySeconds: number): Promise<boolean> {
  const { rows } = await sql`
    select from job
    where queue = ${queue}
      and (created_at > now() - make_interval(secs => ${everySeconds})
        or status in ('queued', 'retrying', 'running', 'waiting-manual'))
    limit 1`.execute(trx)
  return rows.length > 0
}
