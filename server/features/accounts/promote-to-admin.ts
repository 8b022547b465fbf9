import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import { updateRoleToAdmin } from './queries.ts'
import { deleteSessionsOf } from './session-queries.ts'

/**
 * Makes an existing account an administrator's. Its sessions end: a token that was good enough for a seller's phone
 * must not become an administrator's by itself.
 * @throws Refusal where the e-mail has no account, or a disabled one
 */
export async function promoteToAdmin(db: Db, email: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const userId = await updateRoleToAdmin(trx, email)
    if (userId === undefined) {
      throw new Refusal(
        `There is no account with the e-mail ${email} that can sign in. Leave out --promote to make one.`,
      )
    }
    await deleteSessionsOf(trx, userId)
    await writeAudit(trx, { action: 'admin-promoted', target: userId, detail: { from: 'terminal' } })
  })
}
