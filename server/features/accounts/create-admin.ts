import type { NewAccount } from '#contract/accounts.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import { openAccount } from './open-account.ts'
import { hashPassword } from './password.ts'
import { passwordProblem } from './password-strength.ts'

/**
 * Makes a new administrator, with a seller like everyone else. There is none from the start and no call of the API
 * makes one: this is how the first one comes to be.
 * @throws Refusal where the e-mail has an account or the password would be guessed
 */
export async function createAdmin(
  { db, productName }: { db: Db; productName: string },
  { name, email, password }: NewAccount,
): Promise<void> {
  const problem = passwordProblem(password, { name, email, productName })
  if (problem) throw new Refusal(problem)
  const passwordHash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    const opened = await openAccount(trx, { name, email, passwordHash, role: 1 })
    if (!opened) {
      throw new Refusal(
        `${email} has an account already. To make it an administrator's, run this again with --promote and without --name.`,
      )
    }
    await writeAudit(trx, { action: 'admin-created', target: opened.userId, detail: { from: 'terminal' } })
  })
}
