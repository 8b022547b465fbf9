import type { ProfileChanges, User } from '#contract/account/accounts.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type Letterhead, passwordChangedMail } from './account-mails.ts'
import { changeEmail, requestEmailChange, rethrowEmailTaken, same } from './email/address-links.ts'
import { hashPassword, passwordProblem } from './passwords.ts'
import { findCredentials, getProfile, presentUser, updatePerson, updateSeller } from './persons.ts'
import { type ConfirmationPolicy, requireOwnName } from './registration.ts'
import { voidResets } from './reset.ts'
import { type Caller, deleteSessionsOf, type EndTokens, hasSession, markChecked } from './sessions.ts'
import { voidSignInLinks } from './sign-in-links.ts'
import { checkPassword } from './wrong-passwords.ts'

type Deps = {
  db: Db
  now: () => Date
  letterhead: Letterhead
  confirming: ConfirmationPolicy
  endTokens: EndTokens
}

/**
 * Updates the given fields of a person and their seller. A new password or email requires the current password. A new
 * password signs the person out everywhere else and ends all API tokens but one that is kept; a new email takes effect once confirmed. Both are announced by email
 * to the current address.
 * @throws AppError SIGNED_OUT, REAUTH_NEEDED, VALIDATION_FAILED, CONFLICT if the email has another account, TOO_MANY
 * wrong current passwords or changes
 */
export async function updateProfile(
  deps: Deps,
  actor: Actor,
  { changes, caller }: { changes: ProfileChanges; caller: Caller },
): Promise<User> {
  const newEmail =
    changes.email !== undefined && !same(changes.email, actor.email) ? changes.email : undefined
  if (newEmail !== undefined || changes.password !== undefined) {
    await checkCurrentPassword(deps, actor, { ...changes, newEmail, caller })
  }
  if (changes.name !== actor.name) requireOwnName(changes.name ?? '', deps.letterhead.productName)
  const passwordHash = await newPasswordHash(deps, actor, changes)
  const { userId } = actor
  const write = async (trx: Db) => {
    const audit = (action: string, detail = {}) =>
      writeAudit(trx, { action, actorUserId: userId, ...caller, detail })
    const person = { userId, ...(await updatePerson(trx, userId, { ...changes, passwordHash })) }
    // Checked under the row lock: a session just ended by a new password must not change anything.
    if (!(await hasSession(trx, actor.sessionHash)))
      throw new AppError('SIGNED_OUT', 'Please login to continue')
    await updateSeller(trx, actor.sellerId, changes)
    if (newEmail !== undefined) {
      const begin = deps.confirming.changes ? requestEmailChange : changeEmail
      await begin(trx, deps, { person, email: newEmail, ip: caller.ip })
      await audit(deps.confirming.changes ? 'email-change-asked' : 'email-changed')
    }
    if (passwordHash !== undefined) {
      await markChecked(trx, actor.sessionHash, deps.now())
      await deleteSessionsOf(trx, userId, actor.sessionHash)
      const ended = await deps.endTokens(trx, userId, changes.keepToken)
      await audit('password-changed', ended.length > 0 ? { apiTokens: ended.length } : {})
      await queueMail(trx, passwordChangedMail(deps.letterhead, { to: person.email, ended }))
      // A link that was requested earlier must not undo this.
      await voidResets(trx, userId, deps.now())
      await voidSignInLinks(trx, userId, deps.now())
    }
    return presentUser(await getProfile(trx, userId))
  }
  return deps.db.transaction().execute(write).catch(rethrowEmailTaken)
}

type PasswordCheck = Pick<ProfileChanges, 'currentPassword'> & {
  newEmail: string | undefined
  caller: Caller
}

/**
 * A new email needs the password even right after a sign-in, because control of the email is control of the account.
 */
async function checkCurrentPassword(
  deps: Deps,
  actor: Actor,
  { currentPassword, newEmail, caller }: PasswordCheck,
): Promise<void> {
  if (!currentPassword) {
    if (!newEmail) throw refused('currentPassword', 'Enter your current password to choose a new one')
    const sentence = 'Enter your current password to change your email address'
    throw new AppError('REAUTH_NEEDED', sentence, { fields: { currentPassword: sentence } })
  }
  const credentials = await findCredentials(deps.db, actor.email)
  const isRight = await checkPassword(deps, {
    email: actor.email,
    ip: caller.ip,
    plain: currentPassword,
    storedHash: credentials?.passwordHash,
    // Guessing at the login page must not lock out a signed-in owner.
    knownAs: actor.sessionHash,
  })
  if (!isRight) throw refused('currentPassword', 'This is not your current password')
}

/** The hash of the new password, or undefined if the password stays. */
async function newPasswordHash(
  deps: Deps,
  actor: Actor,
  { name, email, password }: ProfileChanges,
): Promise<string | undefined> {
  if (password === undefined) return undefined
  const owner = { name: name ?? actor.name, email: email ?? actor.email }
  const problem = passwordProblem(password, { ...owner, productName: deps.letterhead.productName })
  if (problem) throw refused('password', problem)
  return hashPassword(password)
}

function refused(field: keyof ProfileChanges, sentence: string): AppError {
  return new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
}
