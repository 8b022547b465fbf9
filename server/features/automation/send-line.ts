import type { JobStatus } from '#contract/automation.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type Controlled, controlJob } from '#server/platform/jobs/control.ts'
import { answeredAlready, notListening } from './job-state.ts'
import type { By } from './start-job.ts'

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
