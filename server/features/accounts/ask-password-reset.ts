import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { sendResetLinkQueue } from './account-queues.ts'
import type { Caller } from './caller.ts'
import { deviceInWords } from './device.ts'
import { findCredentials } from './queries.ts'

/**
 * Notes that somebody forgot a password. Unknown, disabled and known addresses are the same statements with other
 * values; what differs is done by the job, when the answer is long gone.
 */
export async function askPasswordReset(db: Db, email: string, caller: Caller): Promise<void> {
  const userId = (await findCredentials(db, email))?.userId
  await db.transaction().execute(async (trx) => {
    await writeAudit(trx, {
      action: 'password-reset-asked',
      ip: caller.ip,
      requestId: caller.requestId,
      ...(userId !== undefined && { target: userId }),
    })
    const payload = { userId: userId ?? null, device: deviceInWords(caller.userAgent) }
    await enqueueJob(trx, { queue: sendResetLinkQueue, payload })
  })
}
