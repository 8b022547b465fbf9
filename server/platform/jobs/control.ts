import { sql } from 'kysely'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { notifyJobControl } from './job-events.ts'
import { settleJob, settleJobs } from './outcomes.ts'
import { addInput, answerQuestion } from './questions.ts'

/**
 * Requests that a job stop and returns its new status, or undefined if there is no such job. A job without a worker is
 * canceled at once, a running one within about a second; an ended one does not change. Idempotent.
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
 * Cancels those of these jobs that have no worker, in two statements, and returns their ids. The others have ended, have a
 * worker, or are locked: use `requestCancel` for each of them, so that waiting for one does not delay the rest.
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

/** Also locks the row, so that a worker about to start the job waits and then sees that it has ended. */
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
  /** The key of the question it answers; such a line never answers another question or becomes input. */
  readonly question?: string | undefined
}

/**
 * Where the line went, and the job's new status. `nobody`: the job takes no input or is stopping; `late`: the question is
 * no longer open.
 */
export type ControlResult = { readonly to: 'input' | 'answer' | 'nobody' | 'late'; readonly status: string }

/**
 * Sends a line to a job: as the answer if the job is waiting for one, as input if it is running. Undefined if there is no
 * such job.
 */
export function controlJob(db: Db, control: ControlLine): Promise<ControlResult | undefined> {
  const { jobId, line, userId, question } = control
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
 * Serializes with parking, canceling and ending the job. Does not wait for transactions that only hold the fence.
 */
async function lockJob(trx: Db, jobId: string): Promise<LockedJob | undefined> {
  const { rows } = await sql<LockedJob>`
    select status, question ->> 'key' as key, heartbeat_at is not null as "hasWorker",
           cancel_requested_at is not null as "cancelRequested"
    from job where id = ${jobId} for no key update`.execute(trx)
  return rows[0]
}
