import type { FactorProof, LoginProof, SecondStep, User } from '#contract/account/accounts.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import type { ProxyWatch } from '#server/platform/net/proxy-watch.ts'
import { reopenAccount } from './closure.ts'
import { deviceHashes, findKnownDevice, rememberDevice } from './known-devices.ts'
import { hashPassword, needsRehash } from './passwords.ts'
import { findCredentials, getProfile, presentUser, replacePasswordHash } from './persons.ts'
import { type Caller, insertSession, newToken, tokenHash } from './sessions.ts'
import { queueGuessingWarning, takeSignInLink } from './sign-in-links.ts'
import { checkPassword, type LockOut } from './wrong-passwords.ts'

type Deps = { db: Db; now: () => Date; letterhead: { publicUrl: string } }

/** @param signed the challenge that a passkey signed already, instead of a new one */
export type OpenSecondStep = (passwordHash: string, signed?: string) => Promise<SecondStep>

/** What was sent along with a password and is its owner's. */
export type ShownProof = {
  /** A hash that stands for it, as for a known device. */
  knownAs: Buffer
  /** The challenge that the passkey signed. */
  challenge?: string
}

export type SecondSteps = {
  /** Resolves to a function that opens the second step, or to undefined for people without two-step sign-in. */
  findSecondStep(userId: string): Promise<OpenSecondStep | undefined>
  /** Undefined if the proof is not this person's. */
  checkLoginProof(userId: string | undefined, proof: LoginProof): Promise<ShownProof | undefined>
  finishSignIn(sent: FactorProof & { ticket: string }, caller: DeviceCaller): Promise<SignedIn>
}

export type SignInDeps = Deps & SecondSteps & { log: Log; proxies: ProxyWatch }

export type Credentials = { userId: string; passwordHash: string }

type DeviceCaller = Caller & { cookie: string | undefined }
/** Where a sign-in comes from, with the headers the browser sent. */
type SignInCaller = DeviceCaller & { forwardedFor: string | undefined }

type Opened = {
  token: string
  /** The cookie that remembers the device. */
  setCookie: string
  /** Set if this sign-in reopened a closed account. */
  reopened?: true
}

export type SignedIn = Opened & { user: User }

/**
 * Signs a person in, or opens the second step. An unknown email, a disabled account and a wrong password get the same
 * response after the same work, so that it does not reveal who has an account.
 *
 * A right `proof` has tries of its own, as a known device does: strangers who guess the password cannot keep its owner out. It
 * also is the second step.
 * @throws AppError CREDENTIALS_WRONG, TOO_MANY, LINK_NEEDED
 */
export async function signIn(
  deps: SignInDeps,
  { email, password, proof }: { email: string; password: string; proof?: LoginProof | undefined },
  { cookie, forwardedFor, ...caller }: SignInCaller,
): Promise<SignedIn | SecondStep> {
  const { db, now, log, proxies } = deps
  proxies.note({ ip: caller.ip, forwardedFor })
  const credentials = await findCredentials(db, email)
  const { userId, passwordHash: storedHash } = credentials ?? {}
  const shown = proof && (await deps.checkLoginProof(userId, proof))
  const knownAs =
    shown?.knownAs ?? (await findKnownDevice(db, { userId, hashes: deviceHashes(cookie), now: now() }))
  const attempt = { email, ip: caller.ip, plain: password, storedHash, knownAs }
  const isRight = await checkPassword(deps, attempt, async (began: LockOut) => {
    const about = { lockOut: began, ip: caller.ip, userId, proxy: proxies.hintFor(caller.ip, forwardedFor) }
    log.warn(about, LOCKED_OUT[began])
    if (began === 'guessed') await queueGuessingWarning(db, { userId, caller })
  })
  if (!isRight || !credentials) {
    await writeAudit(db, {
      action: 'sign-in-failed',
      ...caller,
      // The account, not the typed text, which may be a password in the wrong field.
      ...(credentials && { target: credentials.userId }),
    })
    throw new AppError('CREDENTIALS_WRONG', 'Email or password is wrong')
  }
  const openSecondStep = await deps.findSecondStep(credentials.userId)
  if (openSecondStep) {
    const step = await openSecondStep(await rehash(db, credentials, password), shown?.challenge)
    return proof && shown ? deps.finishSignIn({ ...proof, ticket: step.ticket }, { ...caller, cookie }) : step
  }
  const opened = await openSession(deps, credentials, { caller, knownAs, how: 'signed-in' })
  await rehash(db, credentials, password)
  return { ...opened, user: presentUser(await getProfile(db, credentials.userId)) }
}

/**
 * Signs in by an emailed link, which is used up, or opens the second step, which a link does not replace.
 * @throws AppError LINK_EXPIRED
 */
export async function signInByLink(
  deps: Deps & Pick<SecondSteps, 'findSecondStep'>,
  token: string,
  caller: Caller,
): Promise<SignedIn | SecondStep> {
  const owner = await takeSignInLink(deps.db, token, deps.now())
  const openSecondStep = await deps.findSecondStep(owner.userId)
  if (openSecondStep) return openSecondStep(owner.passwordHash)
  const opened = await openSession(deps, owner, { caller, knownAs: undefined, how: 'signed-in-by-link' })
  return { ...opened, user: presentUser(await getProfile(deps.db, owner.userId)) }
}

/** Rehashes the password if its hash has an outdated cost. Returns the current hash. */
async function rehash(db: Db, { userId, passwordHash }: Credentials, password: string): Promise<string> {
  if (!needsRehash(passwordHash)) return passwordHash
  const fresh = await hashPassword(password)
  await replacePasswordHash(db, { userId, old: passwordHash, fresh })
  return fresh
}

const LOCKED_OUT: Record<LockOut, string> = {
  guessed: 'the password of an account is being guessed: it now opens on known devices and by email only',
  address: 'an address sent too many wrong passwords: its sign-ins wait now',
}

type Opening = {
  caller: Caller
  /** Hash of the device's current cookie, if the account knows the device. */
  knownAs: Buffer | undefined
  how: 'signed-in' | 'signed-in-by-link'
  /** How a second step was passed, if the person has one. */
  secondStep?: string
}

/** Opens a session for a person who passed all steps, and remembers their device. */
export async function openSession(
  { db, now, letterhead }: Deps,
  { userId, passwordHash }: Credentials,
  { caller, knownAs, how, secondStep }: Opening,
): Promise<Opened> {
  const token = newToken()
  const secondFactor = secondStep !== undefined
  const opened = { tokenHash: tokenHash(token), userId, verifiedHash: passwordHash, ...caller, secondFactor }
  return inTransaction(db, async (trx) => {
    const at = now()
    if (!(await insertSession(trx, { ...opened, now: at }))) {
      throw new AppError('BUSY', 'Your account was just changed. Please try again.', { retryAfterSeconds: 1 })
    }
    const isReopened = await reopenAccount(trx, { userId, now: at, caller })
    const detail = secondStep === undefined ? {} : { secondStep }
    await writeAudit(trx, { action: how, actorUserId: userId, ...caller, detail })
    const device = { userId, knownAs, publicUrl: letterhead.publicUrl, now: at }
    const setCookie = await rememberDevice(trx, device)
    return { token, setCookie, ...(isReopened && { reopened: true }) }
  })
}
