import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import type { Caller } from './caller.ts'
import { deleteSession } from './session-queries.ts'

/** Ends this session and no other of the person's; its token is refused from the next request on. */
export function signOut(db: Db, actor: Actor, caller: Caller): Promise<void> {
  return inTransaction(db, async (trx) => {
    await deleteSession(trx, actor.sessionHash)
    await writeAudit(trx, { action: 'signed-out', actorUserId: actor.userId, ...caller })
  })
}
