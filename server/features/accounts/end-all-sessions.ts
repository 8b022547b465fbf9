import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Caller } from './caller.ts'
import { deleteSessionsOf } from './session-queries.ts'

/** Signs a person out everywhere, here too. */
export async function endAllSessions(db: Db, actor: Actor, caller: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const sessions = await deleteSessionsOf(trx, actor.userId)
    await writeAudit(trx, {
      action: 'all-sessions-ended',
      actorUserId: actor.userId,
      ...caller,
      detail: { sessions },
    })
  })
}
