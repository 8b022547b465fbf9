import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Caller } from './caller.ts'
import { deleteOwnSession } from './session-queries.ts'

/**
 * Signs out one device of the person's, also the one that asks.
 * @throws AppError NOT_FOUND for a session that has ended or is somebody else's
 */
export async function endSession(
  db: Db,
  actor: Actor,
  { sessionId, caller }: { sessionId: string; caller: Caller },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await deleteOwnSession(trx, { id: sessionId, userId: actor.userId }))) {
      throw new AppError('NOT_FOUND', 'This device is signed out already.')
    }
    await writeAudit(trx, {
      action: 'session-ended',
      actorUserId: actor.userId,
      target: sessionId,
      ...caller,
    })
  })
}
