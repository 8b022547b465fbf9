import type { Db } from '#server/platform/database/database.ts'
import { GiveUp, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { findMail, type MailState, setMailState } from './queries.ts'
import { isRefusedForGood, type SmtpClient } from './smtp-client.ts'

type Deps = {
  readonly db: Db
  /** Undefined where no mail server is set: mail stays in the outbox. */
  readonly smtp: SmtpClient | undefined
}

/** Sends a queued mail, or keeps it, and writes down which. */
export async function deliverMail({ db, smtp }: Deps, job: JobRun<{ mailId: string }>): Promise<void> {
  const { mailId } = job.payload
  const setState = (state: MailState, error?: string) =>
    job.withFence((trx) => setMailState(trx, mailId, state, error))
  const mail = await findMail(db, mailId)
  if (mail?.state !== 'queued') return
  if (!smtp) return setState('kept')
  try {
    await smtp.send(mail)
  } catch (error) {
    const refused = isRefusedForGood(error)
    const reason = error instanceof Error ? error.message : String(error)
    if (refused || job.lastAttempt) await setState('failed', reason.slice(0, 1_000))
    throw refused ? new GiveUp(reason, { cause: error }) : error
  }
  await setState('sent')
}
