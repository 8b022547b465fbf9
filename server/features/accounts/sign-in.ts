import type { User } from '#contract/accounts.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Caller } from './caller.ts'
import { checkPassword } from './check-password.ts'
import { hashPassword, needsRehash } from './password.ts'
import { presentUser } from './present-user.ts'
import { findCredentials, getProfile, replacePasswordHash } from './queries.ts'
import { newToken, tokenHash } from './session.ts'
import { insertSession } from './session-queries.ts'

type Deps = { db: Db; now: () => Date }
type Credentials = { userId: string; passwordHash: string }

/**
 * Signs a person in. An unknown e-mail, a disabled account and a wrong password get the same answer after the same
 * work, so that nobody learns who has an account here.
 * @throws AppError CREDENTIALS_WRONG, TOO_MANY
 */
export async function signIn(
  deps: Deps,
  { email, password }: { email: string; password: string },
  caller: Caller,
): Promise<{ token: string; user: User }> {
  const credentials = await findCredentials(deps.db, email)
  const storedHash = credentials?.passwordHash
  const isRight = await checkPassword(deps, { email, ip: caller.ip, plain: password, storedHash })
  if (!isRight || !credentials) {
    await writeAudit(deps.db, {
      action: 'sign-in-failed',
      ...caller,
      // The account, not what was typed: that may be a password in the wrong field.
      ...(credentials && { target: credentials.userId }),
    })
    throw new AppError('CREDENTIALS_WRONG', 'E-mail or password is wrong')
  }
  const token = await openSession(deps, credentials, caller)
  if (needsRehash(credentials.passwordHash)) await strengthenHash(deps.db, credentials, password)
  return { token, user: presentUser(await getProfile(deps.db, credentials.userId)) }
}

async function openSession({ db, now }: Deps, { userId, passwordHash }: Credentials, caller: Caller) {
  const token = newToken()
  await db.transaction().execute(async (trx) => {
    const { ip, userAgent } = caller
    const session = {
      tokenHash: tokenHash(token),
      userId,
      verifiedHash: passwordHash,
      ip,
      userAgent,
      now: now(),
    }
    if (!(await insertSession(trx, session))) {
      throw new AppError('BUSY', 'Your account was changed at this very moment. Please try again.', {
        retryAfterSeconds: 1,
      })
    }
    await writeAudit(trx, { action: 'signed-in', actorUserId: userId, ...caller })
  })
  return token
}

/** A hash made with less work than we ask today is replaced while the password is at hand. */
async function strengthenHash(db: Db, { userId, passwordHash }: Credentials, password: string) {
  await replacePasswordHash(db, { userId, old: passwordHash, fresh: await hashPassword(password) })
}
