import type { User } from '#contract/accounts.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import type { ProxyWatch } from '#server/platform/net/proxy-watch.ts'
import { reopenAccount } from './closure.ts'
import { deviceHashes, findKnownDevice, rememberDevice } from './known-devices.ts'
import { hashPassword, needsRehash } from './passwords.ts'
import { findCredentials, getProfile, presentUser, replacePasswordHash } from './persons.ts'
import { type Caller, insertSession, newToken, tokenHash } from './sessions.ts'
import { queueGuessedWarning, takeSignInLink } from './sign-in-links.ts'
import { checkPassword, type LockOut } from './wrong-passwords.ts'

type Deps = { db: Db; now: () => Date; letterhead: { publicUrl: string }; log: Log; proxies: ProxyWatch }
type Credentials = { userId: string; passwordHash: string }

/** Where a sign-in comes from, with what the browser sent along. */
type SignInCaller = Caller & { cookie: string | undefined; forwardedFor: string | undefined }

export type SignedIn = { token: string; user: User; setCookie: string }

/**
 * Signs a person in. An unknown email, a disabled account and a wrong password get the same response after the same
 * work, so that nobody learns who has an account.
 * @throws AppError CREDENTIALS_WRONG, TOO_MANY, LINK_NEEDED
 */
export async function signIn(
  deps: Deps,
  { email, password }: { email: string; password: string },
  { cookie, forwardedFor, ...caller }: SignInCaller,
): Promise<SignedIn> {
  const { db, now, log, proxies } = deps
  proxies.note({ ip: caller.ip, forwardedFor })
  const credentials = await findCredentials(db, email)
  const { userId, passwordHash: storedHash } = credentials ?? {}
  const knownAs = await findKnownDevice(db, { userId, hashes: deviceHashes(cookie), now: now() })
  const attempt = { email, ip: caller.ip, plain: password, storedHash, knownAs }
  const isRight = await checkPassword(deps, attempt, async (began: LockOut) => {
    const about = { lockOut: began, ip: caller.ip, userId, proxy: proxies.hintFor(caller.ip, forwardedFor) }
    log.warn(about, LOCKED_OUT[began])
    if (began === 'guessed') await queueGuessedWarning(db, { userId, caller })
  })
  if (!isRight || !credentials) {
    await writeAudit(db, {
      action: 'sign-in-failed',
      ...caller,
      // The account, not the typed text: that may be a password in the wrong field.
      ...(credentials && { target: credentials.userId }),
    })
    throw new AppError('CREDENTIALS_WRONG', 'Email or password is wrong')
  }
  const signedIn = await openSession(deps, credentials, { caller, knownAs, how: 'signed-in' })
  await rehash(db, credentials, password)
  return signedIn
}

/**
 * Signs in the owner of an emailed link, which is used up.
 * @throws AppError LINK_EXPIRED
 */
export async function signInByLink(
  deps: Pick<Deps, 'db' | 'now' | 'letterhead'>,
  token: string,
  caller: Caller,
): Promise<SignedIn> {
  const owner = await takeSignInLink(deps.db, token, deps.now())
  return openSession(deps, owner, { caller, knownAs: undefined, how: 'signed-in-by-link' })
}

/** Hashes the password again if it was hashed at another cost, while it is at hand. */
async function rehash(db: Db, { userId, passwordHash }: Credentials, password: string): Promise<void> {
  if (!needsRehash(passwordHash)) return
  await replacePasswordHash(db, { userId, old: passwordHash, fresh: await hashPassword(password) })
}

const LOCKED_OUT: Record<LockOut, string> = {
  guessed: 'the password of an account is being guessed: it now opens on known devices and by email only',
  address: 'an address sent too many wrong passwords: its sign-ins wait now',
}

type Opening = { caller: Caller; knownAs: Buffer | undefined; how: 'signed-in' | 'signed-in-by-link' }

/** Opens a session for a person who proved to be one, and remembers their device. */
async function openSession(
  { db, now, letterhead }: Pick<Deps, 'db' | 'now' | 'letterhead'>,
  { userId, passwordHash }: Credentials,
  { caller, knownAs, how }: Opening,
): Promise<SignedIn> {
  const token = newToken()
  const setCookie = await db.transaction().execute(async (trx) => {
    const at = now()
    const session = { tokenHash: tokenHash(token), userId, verifiedHash: passwordHash, ...caller, now: at }
    if (!(await insertSession(trx, session))) {
      throw new AppError('BUSY', 'Your account was just changed. Please try again.', { retryAfterSeconds: 1 })
    }
    await reopenAccount(trx, { userId, now: at, caller })
    await writeAudit(trx, { action: how, actorUserId: userId, ...caller })
    return rememberDevice(trx, { userId, knownAs, publicUrl: letterhead.publicUrl, now: at })
  })
  return { token, user: presentUser(await getProfile(db, userId)), setCookie }
}
