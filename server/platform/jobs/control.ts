import { sql } from 'kysely'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { notifyJobControl } from './job-changed.ts'
import { settleJob, settleJobs } from './outcomes.ts'
import { addInput, answerQuestion } from './questions.ts'

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

export type ControlLine = {
  readonly jobId: string
  readonly line: string
  readonly userId: string
  /** The key of the question it is meant for: it answers no other, and is no line of input. */
  readonly question?: string | undefined
}

/**
 * Where the line went, and the job's status then; `nobody` where the job does not listen now, or shall end, `late` where
 * the question it is meant for is not open any more.
 */
export type Controlled = { readonly to: 'input' | 'answer' | 'nobody' | 'late'; readonly status: string }

/**
 * Gives a job the line of a person: to one that waits for an answer as that, to a running one as a line of its input.
 * Undefined where there is no such job.
 */
export function controlJob(db: Db, asked: ControlLine): Promise<Controlled | undefined> {
  const { jobId, line, userId, question } = asked
  return inTransaction(db, async (trx) => {
    const job = await lockJob(trx, jobId)
    if (!job) return undefined
    const { status, key, hasWorker } = job
    if (job.cancelRequested) return { to: 'nobody', status }
    if (question !== undefined && question !== key) return { to: 'late', status }
    if (status === 'waiting-manual' && key !== null) {
      const next = await answerQuestion(trx, { id: jobId, key, hasWorker }, { line, userId })
      if (hasWorker) await notifyJobControl(trx, jobId)
      return { to: 'answer', status: next }
    }
    if (status !== 'running') return { to: 'nobody', status }
    await addInput(trx, { jobId, line, userId })
    await notifyJobControl(trx, jobId)
    return { to: 'input', status }
  })
}

type LockedJob = { status: string; key: string | null; hasWorker: boolean; cancelRequested: boolean }

/**
 * Whoever parks, cancels or ends the job at this moment comes before or after, never in between. A transaction that only
 * holds the fence is not waited for.
 */
async function lockJob(trx: Db, jobId: string): Promise<LockedJob | undefined> {
  const { rows } = await sql<LockedJob>`
    select status, question ->> 'key' as key, heartbeat_at is not null as "hasWorker",
           cancel_requested_at is not null as "cancelRequested"
    from job where id = ${jobId} for no key update`.execute(trx)
  return rows[0]
}
