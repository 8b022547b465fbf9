import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { notifyJobControl } from './job-changed.ts'
import { settleJob, settleJobs } from './job-transitions.ts'

/**
 * Asks a job to stop and answers its status then: one that no worker has is cancelled at once, a running one
 * within about a second, an ended one stays as it ended. Undefined where there is no such job. Asking twice changes nothing.
 */
export function requestCancel(db: Db, jobId: string): Promise<string | undefined> {
  return inTransaction(db, async (trx) => {
    const marked = await markCancelled(trx, jobId)
    if (!marked) return findStatus(trx, jobId)
    if (marked.hasWorker) {
      await notifyJobControl(trx, jobId)
      return marked.status
    }
    await settleJob(trx, jobId, { to: 'cancelled' })
    return 'cancelled'
  })
}

/**
 * Cancels those of these jobs that no worker has, in two statements, and answers which. The others have ended, have a
 * worker, or something holds their row: each is for `requestCancel`, so that one that must be waited for holds up no other.
 */
export function cancelWaiting(db: Db, jobIds: readonly string[]): Promise<string[]> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      with waiting as (
        select id from job
        where id = any(${jobIds}::uuid[]) and status in ('queued', 'retrying', 'waiting-manual')
          and heartbeat_at is null
        order by id
        for update skip locked
      )
      update job set cancel_requested_at = coalesce(cancel_requested_at, now())
      from waiting where job.id = waiting.id
      returning job.id`.execute(trx)
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await settleJobs(trx, ids, { to: 'cancelled' })
    return ids
  })
}

/** Locks the row as well, so that a worker that wants to start the job at this moment waits and then sees it ended. */
async function markCancelled(
  trx: Db,
  jobId: string,
): Promise<{ status: string; hasWorker: boolean } | undefined> {
  const { rows } = await sql<{ status: string; hasWorker: boolean }>`
    update job set cancel_requested_at = coalesce(cancel_requested_at, now())
    where id = ${jobId} and status in ('queued', 'retrying', 'running', 'waiting-manual')
    returning status, heartbeat_at is not null as "hasWorker"`.execute(trx)
  return rows[0]
}

async function findStatus(trx: Db, jobId: string): Promise<string | undefined> {
  const { rows } = await sql<{ status: string }>`select status from job where id = ${jobId}`.execute(trx)
  return rows[0]?.status
}
