import type { NewAccount } from '#contract/accounts.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Caller } from './caller.ts'
import { emailTaken } from './email-taken.ts'
import { openAccount } from './open-account.ts'
import { hashPassword } from './password.ts'
import { passwordProblem } from './password-strength.ts'

type Deps = { now: () => Date; letterhead: { productName: string } }

/**
 * Prepares an account with a seller on the free tier (the password is checked and hashed) and answers with what writes
 * it. Registering is accepting the terms; the form says so.
 * @throws AppError VALIDATION_FAILED for a password that would be guessed; the writing: CONFLICT for an e-mail with an
 * account
 */
export async function registerAccount(
  deps: Deps,
  account: NewAccount,
  caller: Caller,
): Promise<(db: Db) => Promise<void>> {
  const { name, email, password } = account
  const problem = passwordProblem(password, { name, email, productName: deps.letterhead.productName })
  if (problem) throw new AppError('VALIDATION_FAILED', problem, { fields: { password: problem } })
  const passwordHash = await hashPassword(password)
  const person = { name, email, passwordHash, role: 0 as const, termsAcceptedAt: deps.now() }
  return (db) =>
    inTransaction(db, async (trx) => {
      const opened = await openAccount(trx, person)
      if (!opened) throw emailTaken()
      await writeAudit(trx, { action: 'registered', actorUserId: opened.userId, ...caller })
    })
}
