import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { checkMail, type NewMail } from './mail.ts'
import { sendMailQueue } from './mail-queue.ts'
import { insertMail } from './queries.ts'

/** Writes a mail and the job that sends it, in the caller's transaction if there is one; answers the mail's id. */
export function queueMail(db: Db, mail: NewMail): Promise<string> {
  const checked = checkMail(mail)
  return inTransaction(db, async (trx) => {
    const mailId = await insertMail(trx, checked)
    await enqueueJob(trx, { queue: sendMailQueue, payload: { mailId } })
    return mailId
  })
}
