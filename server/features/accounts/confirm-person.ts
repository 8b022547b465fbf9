import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findCredentials } from './persons.ts'
import type { Caller } from './sessions.ts'
import { checkPassword } from './wrong-passwords.ts'

/**
 * Makes sure that the account's owner is at the keyboard, for deeds that a stolen session must not do: creating an API
 * token, closing the account. The one place that decides how.
 * @throws AppError VALIDATION_FAILED if the password is wrong, TOO_MANY wrong passwords
 */
export async function confirmPerson(
  deps: { db: Db; now: () => Date },
  actor: Actor,
  { password, caller }: { password: string; caller: Caller },
): Promise<void> {
  const credentials = await findCredentials(deps.db, actor.email)
  const attempt = {
    email: actor.email,
    ip: caller.ip,
    plain: password,
    storedHash: credentials?.passwordHash,
    // Whoever guesses at the login page does not keep a signed-in owner from this.
    knownAs: actor.sessionHash,
  }
  if (await checkPassword(deps, attempt)) return
  const sentence = 'This is not your password'
  throw new AppError('VALIDATION_FAILED', sentence, { fields: { password: sentence } })
}
