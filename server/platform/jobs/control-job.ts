import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { notifyJobControl } from './job-changed.ts'
import { addInput } from './job-inputs.ts'
import { answerQuestion } from './job-questions.ts'

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
