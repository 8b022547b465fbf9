import { hasEnded, type JobStatus } from '#contract/automation.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type Controlled, controlJob, requestCancel } from '#server/platform/jobs/control.ts'
import type { By } from '#server/platform/jobs/enqueue-job.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { lockJob, type RepeatedJob } from './job-details.ts'
import type { CheckedJob } from './new-job.ts'

const WORDS: Record<JobStatus, string> = {
  queued: 'it still waits in its queue',
  retrying: 'it waits for its next attempt',
  running: 'it is running',
  'waiting-manual': 'it waits for an answer',
  completed: 'it is completed',
  failed: 'it has failed',
  cancelled: 'it was cancelled',
}

/** Why nothing can be sent to it. */
function notListening(status: JobStatus, cancelRequested: boolean): string {
  if (cancelRequested && !hasEnded(status)) return 'The job does not listen any more: it is being cancelled.'
  return `The job does not listen: ${WORDS[status]}.`
}

/** Why an answer is not taken: it would be one to the next question, or a line of input. */
const answeredAlready =
  'This question is not open any more: somebody has answered it, or the job went on without. Nothing was sent.'

export const notEnded = (status: JobStatus): string =>
  `Only a job that has ended can run again: ${WORDS[status]}. Cancel it first, or wait for its end.`

/** Asks a job to stop and answers its status then; undefined where there is none. The first to ask is written down. */
export async function cancelJob(db: Db, jobId: string, by: By): Promise<JobStatus | undefined> {
  return db.transaction().execute(async (trx) => {
    const before = await lockJob(trx, jobId)
    if (!before || hasEnded(before.status)) return before?.status
    // The statuses of the record are those of the contract.
    const status = (await requestCancel(trx, jobId)) as JobStatus | undefined
    if (!before.cancelRequested) await writeAudit(trx, { action: 'job-cancelled', target: jobId, ...by })
    return status
  })
}

type Repetition = { original: RepeatedJob; checked: CheckedJob; createdBy: string | null }

/** Enqueues a job that repeats another, for the same seller and under the same key; answers its id. */
export function repeatJob(trx: Db, { original, checked, createdBy }: Repetition): Promise<string> {
  const { id: retryOf, sellerId, concurrencyKey } = original
  // A queue that makes its keys from payloads makes one for an edited payload, too.
  const key = checked.queue.keyOf ? null : concurrencyKey
  return enqueueJob(trx, {
    ...checked,
    retryOf,
    ...(createdBy !== null && { createdBy }),
    ...(sellerId !== null && { sellerId }),
    ...(key !== null && { concurrencyKey: key }),
  })
}

type Retry = { original: RepeatedJob; checked: CheckedJob; edited: boolean; by: By }

/**
 * Runs an ended job again, as a new job linked to it; answers the new one's id.
 * @throws AppError NOT_FOUND, CONFLICT while it has not ended
 */
export function retryJob(db: Db, { original, checked, edited, by }: Retry): Promise<string> {
  return inTransaction(db, async (trx) => {
    const job = await lockJob(trx, original.id)
    if (!job) throw new AppError('NOT_FOUND', 'There is no such job.')
    if (!hasEnded(job.status)) throw new AppError('CONFLICT', notEnded(job.status))
    const jobId = await repeatJob(trx, { original, checked, createdBy: by.actorUserId })
    const detail = { queue: original.queue, retryOf: original.id, edited }
    await writeAudit(trx, { action: 'job-retried', target: jobId, detail, ...by })
    return jobId
  })
}

// Enough to see what was said; an answer may be a whole form.
const AUDITED_LENGTH = 200

type Line = { jobId: string; line: string; question: string | undefined; by: By }

/**
 * Sends a job the line of a person, or the answer it waits for; answers its status then. What was refused is written down
 * as well: somebody meant to act on a job.
 * @throws AppError NOT_FOUND, CONFLICT where it does not listen, or the line's question is not open any more
 */
export async function sendLine(db: Db, { jobId, line, question, by }: Line): Promise<JobStatus> {
  const sent = await db.transaction().execute(async (trx) => {
    const controlled = await controlJob(trx, { jobId, line, userId: by.actorUserId, question })
    if (!controlled) throw new AppError('NOT_FOUND', 'There is no such job.')
    // The statuses of the record are those of the contract.
    const status = controlled.status as JobStatus
    const refused = refusalOf(controlled.to, status)
    const said = line.slice(0, AUDITED_LENGTH).toWellFormed()
    await writeAudit(trx, {
      action: refused === undefined ? 'job-input' : 'job-input-refused',
      target: jobId,
      detail: {
        ...(refused === undefined ? { to: controlled.to } : { reason: refused }),
        line: said,
        length: line.length,
      },
      ...by,
    })
    return { status, refused }
  })
  // Thrown inside, it would take the entry back.
  if (sent.refused !== undefined) throw new AppError('CONFLICT', sent.refused)
  return sent.status
}

function refusalOf(to: Controlled['to'], status: JobStatus): string | undefined {
  if (to === 'late') return answeredAlready
  return to === 'nobody' ? notListening(status, isLive(status)) : undefined
}

/** One that listens in general and yet not now was told to stop. */
const isLive = (status: JobStatus) => status === 'running' || status === 'waiting-manual'
