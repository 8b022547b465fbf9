import { sql } from 'kysely'
import { z } from 'zod'
import { settleGoneSellers } from '#server/features/market/for-sale/gone-sellers.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import type { Caller } from './sessions.ts'

/*
 * The state of an account's closure: requested, canceled by signing in, or erased. The feature "closing" applies it to
 * listings and payments in jobs.
 */

/** Applies the closure or reopening of an account to its listings and subscription. */
export const settleClosureQueue: JobQueue<{ userId: string }> = {
  name: 'settle-closure',
  title: 'Close or reopen accounts',
  payload: z.object({ userId: z.uuid() }).strict(),
  // About nine hours including the pauses, because the payment provider may be down for a while.
  maxAttempts: 16,
  retryDelaySeconds: 5,
  // Every page continues with the remaining work.
  resumable: true,
  timeoutSeconds: 3_600,
  concurrency: 2,
  // If the closure is canceled right away, the two jobs must run in order.
  keyOf: ({ userId }) => `closure:${userId}`,
}

/** Whether account `u` is closed, so that only a sign-in may use it. */
export const isClosing = sql`
  exists (select from account_closure c where c.user_id = u.id and c.reopened_at is null)
`

/** Whether account `u` may be used, and gets mail: it is neither disabled nor closed. */
export const canSignIn = sql`(u.disabled_at is null and not ${isClosing})`

/** Reopens a closed account in the transaction of a sign-in; false for one that is not closed. */
export async function reopenAccount(
  trx: Db,
  { userId, now, caller }: { userId: string; now: Date; caller: Caller },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update account_closure set reopened_at = ${now}
    where user_id = ${userId} and reopened_at is null and erased_at is null
  `.execute(trx)
  if (numAffectedRows === 0n) return false
  await settleGoneSellers(trx, userId)
  await writeAudit(trx, { action: 'account-reopened', actorUserId: userId, ...caller })
  await enqueueJob(trx, { queue: settleClosureQueue, payload: { userId } })
  return true
}
