import type { ProfileChanges, User } from '#contract/accounts.ts'
import { queueMail } from '#server/features/mail/mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, violatesUnique } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { emailChangedMail, type Letterhead, passwordChangedMail } from './account-mails.ts'
import { hashPassword, passwordProblem } from './passwords.ts'
import { findCredentials, getProfile, presentUser, updatePerson, updateSeller } from './persons.ts'
import { emailTaken } from './registration.ts'
import { voidResets } from './reset.ts'
import { type Caller, deleteSessionsOf, hasSession } from './sessions.ts'
import { voidSignInLinks } from './sign-in-links.ts'
import { checkPassword } from './wrong-passwords.ts'

type Deps = { db: Db; now: () => Date; letterhead: Letterhead }

/**
 * Updates the given fields of a person and their seller. A new password needs the current one and signs the person out
 * everywhere else. A new password or email is announced by email to the former address.
 * @throws AppError SIGNED_OUT, VALIDATION_FAILED, CONFLICT if the email has another account, TOO_MANY wrong current passwords
 */
export async function updateProfile(
  deps: Deps,
  actor: Actor,
  { changes, caller }: { changes: ProfileChanges; caller: Caller },
): Promise<User> {
  const passwordHash = await newPasswordHash(deps, actor, { changes, caller })
  const { userId } = actor
  const write = async (trx: Db) => {
    const audit = (action: string) => writeAudit(trx, { action, actorUserId: userId, ...caller })
    const { formerEmail, emailIsNew } = await updatePerson(trx, userId, { ...changes, passwordHash })
    // Checked after the row is locked: a session that a new password just ended must not change anything.
    if (!(await hasSession(trx, actor.sessionHash)))
      throw new AppError('SIGNED_OUT', 'Please login to continue')
    await updateSeller(trx, actor.sellerId, changes)
    if (emailIsNew && changes.email !== undefined) {
      await audit('email-changed')
      await queueMail(trx, emailChangedMail(deps.letterhead, { former: formerEmail, email: changes.email }))
    }
    if (passwordHash !== undefined) {
      await deleteSessionsOf(trx, userId, actor.sessionHash)
      await audit('password-changed')
      await queueMail(trx, passwordChangedMail(deps.letterhead, formerEmail))
    }
    // A reset link that was requested earlier or is on its way to the former address must not undo this.
    if (emailIsNew || passwordHash !== undefined) {
      await voidResets(trx, userId, deps.now())
      await voidSignInLinks(trx, userId, deps.now())
    }
    return presentUser(await getProfile(trx, userId))
  }
  return deps.db
    .transaction()
    .execute(write)
    .catch((error: unknown) => {
      throw violatesUnique(error, 'app_user_email_key') ? emailTaken(error) : error
    })
}

/** The hash of the new password after checking the current one, or undefined if the password stays. */
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
    // Whoever guesses at the login page does not keep a signed-in owner from this.
    knownAs: actor.sessionHash,
  })
  if (!isRight) throw refused('currentPassword', 'This is not your current password')
  const owner = { name: changes.name ?? actor.name, email: changes.email ?? actor.email }
  const problem = passwordProblem(password, { ...owner, productName: deps.letterhead.productName })
  if (problem) throw refused('password', problem)
  return hashPassword(password)
}

function refused(field: keyof ProfileChanges, sentence: string): AppError {
  return new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
}
