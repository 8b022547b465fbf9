import { deleteSessionsOf } from '#server/features/accounts/session-queries.ts'
import { type AuditEntry, writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'

type SignOut = { personId: string; by: Required<Pick<AuditEntry, 'actorUserId' | 'ip' | 'requestId'>> }

/** Ends all sessions of somebody else. */
export async function signOutPerson(db: Db, { personId, by }: SignOut): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const sessions = await deleteSessionsOf(trx, personId)
    await writeAudit(trx, { action: 'person-signed-out', target: personId, detail: { sessions }, ...by })
  })
}
