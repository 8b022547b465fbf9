import type { ProfileChanges, User } from '#contract/accounts.ts'
import type { Actor } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/app-error.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { violatesUnique } from '#server/platform/unique-violation.ts'
import type { Caller } from './caller.ts'
import { checkPassword } from './check-password.ts'
import { emailTaken } from './email-taken.ts'
import { hashPassword } from './password.ts'
import { passwordProblem } from './password-strength.ts'
import { presentUser } from './present-user.ts'
import { findCredentials, getProfile, updatePerson, updateSeller } from './queries.ts'
import { deleteSessionsOf } from './session-queries.ts'

type Deps = { db: Db; now: () => Date; productName: string }

/**
 * Changes what is given of a person and their seller. A new password needs the current one and signs the person out
 * everywhere else.
 * @throws AppError VALIDATION_FAILED, CONFLICT for an e-mail with another account, TOO_MANY wrong current passwords
 */
export async function updateProfile(
  deps: Deps,
  actor: Actor,
  { changes, caller }: { changes: ProfileChanges; caller: Caller },
): Promise<User> {
  const passwordHash = await newPasswordHash(deps, actor, { changes, caller })
  const { email } = changes
  const write = async (trx: Db) => {
    const audit = (action: string) => writeAudit(trx, { action, actorUserId: actor.userId, ...caller })
    await updatePerson(trx, actor.userId, { ...changes, passwordHash })
    await updateSeller(trx, actor.sellerId, changes)
    if (email !== undefined && email !== actor.email) await audit('email-changed')
    if (passwordHash !== undefined) {
      await deleteSessionsOf(trx, actor.userId, actor.sessionHash)
      await audit('password-changed')
    }
    return presentUser(await getProfile(trx, actor.userId))
  }
  return deps.db.transaction().execute(write).catch(tellTakenEmail)
}

/** The hash of the new password, once the current one has been shown; undefined where it does not change. */
async function newPasswordHash(
  deps: Deps,
  actor: Actor,
  { changes, caller }: { changes: ProfileChanges; caller: Caller },
): Promise<string | undefined> {
  const { password, currentPassword } = changes
  if (password === undefined) return undefined
  if (!currentPassword) throw refused('currentPassword', 'Enter your current password to choose a new one')
  const credentials = await findCredentials(deps.db, actor.email)
  const isRight = await checkPassword(deps, {
    email: actor.email,
    ip: caller.ip,
    plain: currentPassword,
    storedHash: credentials?.passwordHash,
  })
  if (!isRight) throw refused('currentPassword', 'This is not your current password')
  const owner = { name: changes.name ?? actor.name, email: changes.email ?? actor.email }
  const problem = passwordProblem(password, { ...owner, productName: deps.productName })
  if (problem) throw refused('password', problem)
  return hashPassword(password)
}

function refused(field: keyof ProfileChanges, sentence: string): AppError {
  return new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
}

function tellTakenEmail(error: unknown): never {
  throw violatesUnique(error, 'app_user_email_key') ? emailTaken(error) : error
}
