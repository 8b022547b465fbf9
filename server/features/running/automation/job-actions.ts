import { sql } from 'kysely'
import { hasEnded, type JobStatus } from '#contract/admin/automation.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type ControlResult, controlJob, requestCancel } from '#server/platform/jobs/control.ts'
import { type By, enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { lockJob, type RepeatedJob } from './job-details.ts'
import type { CheckedJob } from './new-job.ts'

const WORDS: Record<JobStatus, string> = {
  queued: 'it is still queued',
  retrying: 'it is waiting for its next attempt',
  running: 'it is running',
  'waiting-manual': 'it is waiting for an answer',
  completed: 'it is completed',
  failed: 'it has failed',
  cancelled: 'it was canceled',
}

/** Otherwise the line would answer the next question or become plain input. */
const QUESTION_CLOSED =
  'This question is no longer open: it was already answered, or the job continued without an answer. Nothing was sent.'

export const notEnded = (status: JobStatus): string =>
  `Only a job that has ended can run again: ${WORDS[status]}. Cancel it first, or wait for it to end.`

/** Requests that a job stop. Returns its new status, or undefined if there is no such job. Audits the first request. */
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

/** Enqueues a job that repeats another, for the same seller and with the same key. Returns the new job's id. */
export function repeatJob(trx: Db, { original, checked, createdBy }: Repetition): Promise<string> {
  const { id: retryOf, sellerId, concurrencyKey } = original
  // A queue that derives keys from payloads derives one for an edited payload, too.
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
 * Runs an ended job again as a new job linked to it. Returns the new job's id.
 * @throws AppError NOT_FOUND, or CONFLICT if the job has not ended
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

// Enough to recognize the input; an answer may be a whole form.
const AUDITED_LENGTH = 200

type Line = { jobId: string; line: string; question: string | undefined; by: By }

/**
 * Sends a job a line of input, or the answer it is waiting for. Returns its new status. Refused input is audited, too,
 * because someone tried to act on a job.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED if the open question needs a form, or CONFLICT if the job takes no input or
 * the question is no longer open
 */
export async function sendLine(db: Db, { jobId, line, question, by }: Line): Promise<JobStatus> {
  const sent = await db.transaction().execute(async (trx) => {
    const unfit = await findUnfitAnswer(trx, jobId, line)
    if (unfit !== undefined) {
      await writeAudit(trx, {
        action: 'job-input-refused',
        target: jobId,
        detail: { reason: unfit, line: line.slice(0, AUDITED_LENGTH).toWellFormed(), length: line.length },
        ...by,
      })
      return { status: 'waiting-manual' as const, refused: undefined, unfit }
    }
    const controlled = await controlJob(trx, { jobId, line, userId: by.actorUserId, question })
    if (!controlled) throw new AppError('NOT_FOUND', 'There is no such job.')
    // The statuses of the record are those of the contract.
    const status = controlled.status as JobStatus
    const refused = refusalOf(controlled.to, status)
    await writeAudit(trx, {
      action: refused === undefined ? 'job-input' : 'job-input-refused',
      target: jobId,
      detail: {
        ...(refused === undefined ? { to: controlled.to } : { reason: refused }),
        line: line.slice(0, AUDITED_LENGTH).toWellFormed(),
        length: line.length,
      },
      ...by,
    })
    return { status, refused, unfit: undefined }
  })
  // Throwing inside the transaction would roll back the audit entry.
  if (sent.unfit !== undefined) {
    throw new AppError('VALIDATION_FAILED', sent.unfit, { fields: { data: sent.unfit } })
  }
  if (sent.refused !== undefined) throw new AppError('CONFLICT', sent.refused)
  return sent.status
}

/** Free text for a question that needs a form; undefined if the line fits or no such question is open. */
async function findUnfitAnswer(trx: Db, jobId: string, line: string): Promise<string | undefined> {
  const { rows } = await sql<{ fields: Record<string, { type?: string }> }>`
    select question -> 'schema' -> 'properties' as fields from job
    where id = ${jobId} and status = 'waiting-manual' and cancel_requested_at is null
      and jsonb_typeof(question -> 'schema' -> 'properties') = 'object'
  `.execute(trx)
  const [question] = rows
  if (!question || isJsonObject(line)) return undefined
  const names = Object.entries(question.fields).map(([name, { type = 'text' }]) => `${name} (${type})`)
  return `This question needs a form, not free text. Fill in the question’s fields, or send JSON with: ${names.join(', ')}.`
}

function isJsonObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function refusalOf(to: ControlResult['to'], status: JobStatus): string | undefined {
  if (to === 'late') return QUESTION_CLOSED
  if (to !== 'nobody') return undefined
  // A running job that takes no input is stopping.
  return status === 'running' || status === 'waiting-manual'
    ? 'This job is being canceled and cannot receive input.'
    : `This job cannot receive input: ${WORDS[status]}.`
}
