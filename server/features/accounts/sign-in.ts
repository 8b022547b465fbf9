import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { SecondStep, User } from '#contract/accounts.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError, waitInWords } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/net/addresses.ts'
import { hashPassword, needsRehash, nobodysHash, verifyPassword } from './passwords.ts'
import { findCredentials, getProfile, presentUser, replacePasswordHash } from './persons.ts'
import { type Caller, insertSession, newToken, tokenHash } from './sessions.ts'

/**
 * How often a wrong password may be tried: the `allowed`-th failure starts the first wait, each further one doubles
 * it. The longest wait limits what a stranger can do to an account's owner: nobody is ever locked out for good.
 */
type ThrottleRule = { key: string; allowed: number }

/** A person who mistypes needs three or four tries. */
const ALLOWED_FOR_ACCOUNT = 5
/** An office may share one address; but one address may also try one password on many accounts. */
const ALLOWED_FOR_ADDRESS = 20
const FIRST_WAIT_SECONDS = 10
const LONGEST_WAIT_SECONDS = 15 * 60
/** After a day without a failure the count starts over. */
const FORGET_MS = 24 * 60 * 60_000

/**
 * What an attempt counts against: the account as tried from this address, and the address; in this order, so that two
 * attempts that share an address cannot deadlock. Emails are stored as hashes: people type their password into the
 * wrong field.
 */
export function throttleRules(email: string, ip: string): [account: ThrottleRule, address: ThrottleRule] {
  const network = networkOf(ip)
  return [
    { key: `${throttlePrefix(email)}${network}`, allowed: ALLOWED_FOR_ACCOUNT },
    { key: `address:${network}`, allowed: ALLOWED_FOR_ADDRESS },
  ]
}

/** The prefix of an account's keys, for all addresses. */
export function throttlePrefix(email: string): string {
  return `account:${createHash('sha256').update(email.toLowerCase()).digest('base64url')}:`
}

// Far beyond the longest wait; a power of a large count would overflow.
const MAX_DOUBLINGS = 20

/**
 * Counts an attempt as failed before it is checked, in one statement, so that of any number of parallel attempts no
 * more than allowed get through. Returns until when the next one must wait, or undefined if this one must wait: then
 * nothing was counted. The epoch means "not blocked", no matter how far the clocks of processes differ.
 */
async function countAttempt(db: Db, { key, allowed }: ThrottleRule, now: Date) {
  const forgotten = new Date(now.getTime() - FORGET_MS)
  const failures = sql`case when t.last_failure_at < ${forgotten} then 1 else t.failures + 1 end`
  const { rows } = await sql<{ blockedUntil: Date }>`
    insert into sign_in_throttle as t (key, failures, blocked_until, last_failure_at)
    values (${key}, 1, 'epoch', ${now})
    on conflict (key) do update set
      failures = ${failures},
      last_failure_at = ${now},
      blocked_until = case when ${failures} < ${allowed} then 'epoch' else
        ${now}::timestamptz + least(
          ${FIRST_WAIT_SECONDS} * 2.0 ^ least(${failures} - ${allowed}, ${MAX_DOUBLINGS}),
          ${LONGEST_WAIT_SECONDS}
        ) * interval '1 second' end
    where t.blocked_until <= ${now}
    returning t.blocked_until as "blockedUntil"
  `.execute(db)
  return rows[0]?.blockedUntil
}

/** Until when attempts on these keys must wait; undefined if the next may be made now. */
async function findBlockedUntil(db: Db, keys: readonly string[], now: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ blockedUntil: Date | null }>`
    select max(blocked_until) as "blockedUntil" from sign_in_throttle
    where key = any(${keys}) and blocked_until > ${now}
  `.execute(db)
  return rows[0]?.blockedUntil ?? undefined
}

/**
 * Uncounts an attempt that succeeded or was never checked; a wait that other attempts caused stays.
 */
async function uncountAttempt(db: Db, key: string, blockedUntil: Date): Promise<void> {
  await sql`
    update sign_in_throttle set
      failures = greatest(failures - 1, 0),
      blocked_until = case when blocked_until = ${blockedUntil} then 'epoch' else blocked_until end
    where key = ${key}
  `.execute(db)
}

/** Deletes the counts of all keys with this prefix. */
export async function deleteAttemptsBelow(db: Db, prefix: string): Promise<void> {
  await sql`delete from sign_in_throttle where starts_with(key, ${prefix})`.execute(db)
}

type Attempt = {
  email: string
  ip: string
  plain: string
  /** Undefined if no such account can sign in: then the same work is done for nothing. */
  storedHash: string | undefined
}

/**
 * Whether this is the password. Every attempt goes through here: it is counted as failed first and checked then, so
 * that thousands at once get no further than one after another.
 * @throws AppError TOO_MANY with the seconds to wait, without checking the password
 */
export async function checkPassword(
  { db, now }: { db: Db; now: () => Date },
  { email, ip, plain, storedHash }: Attempt,
): Promise<boolean> {
  const rules = throttleRules(email, ip)
  const [account, address] = rules
  const at = now()
  const blocked = await reserveAttempt(db, rules, at)
  const isRight = await verifyPassword(plain, storedHash ?? nobodysHash).catch(async (error: unknown) => {
    // Not checked: people turned away by a rush (BUSY) must not be locked out, too.
    await uncountAttempt(db, account.key, blocked.account)
    await uncountAttempt(db, address.key, blocked.address)
    throw error
  })
  if (isRight) {
    await sql`delete from sign_in_throttle where key = ${account.key}`.execute(db)
    // Not deleted: otherwise signing in to one's own account would buy any number of tries at others'.
    await uncountAttempt(db, address.key, blocked.address)
  }
  return isRight
}

/** Until when the next attempt must wait, with this one counted. */
type Blocked = { account: Date; address: Date }

/**
 * Counts the attempt against the account and the address, or against neither. The read before turns most of those away
 * who must wait, so that thousands of attempts at once do not queue for the lock on one row.
 */
async function reserveAttempt(
  db: Db,
  [account, address]: [ThrottleRule, ThrottleRule],
  at: Date,
): Promise<Blocked> {
  const keys = [account.key, address.key]
  const until = await findBlockedUntil(db, keys, at)
  if (until) throw mustWait(until, at)
  return db.transaction().execute(async (trx) => {
    const ofAccount = await countAttempt(trx, account, at)
    const ofAddress = ofAccount && (await countAttempt(trx, address, at))
    if (ofAccount && ofAddress) return { account: ofAccount, address: ofAddress }
    throw mustWait((await findBlockedUntil(trx, keys, at)) ?? at, at)
  })
}

function mustWait(until: Date, at: Date): AppError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000))
  return new AppError('TOO_MANY', `Too many wrong passwords. Please try again in ${waitInWords(seconds)}.`, {
    retryAfterSeconds: seconds,
  })
}

type Deps = { db: Db; now: () => Date }
export type Credentials = { userId: string; passwordHash: string }
export type SignInDeps = Deps & {
  /** For a person with two-step sign-in: opens the second step after this password hash. Undefined for all others. */
  findSecondStep(userId: string): Promise<((passwordHash: string) => Promise<SecondStep>) | undefined>
}

/**
 * Signs a person in, or opens the second step. An unknown email, a disabled account and a wrong password get the same
 * response after the same work, so that nobody learns who has an account.
 * @throws AppError CREDENTIALS_WRONG, TOO_MANY
 */
export async function signIn(
  deps: SignInDeps,
  { email, password }: { email: string; password: string },
  caller: Caller,
): Promise<{ token: string; user: User } | SecondStep> {
  const credentials = await findCredentials(deps.db, email)
  const storedHash = credentials?.passwordHash
  const isRight = await checkPassword(deps, { email, ip: caller.ip, plain: password, storedHash })
  if (!isRight || !credentials) {
    await writeAudit(deps.db, {
      action: 'sign-in-failed',
      ...caller,
      // The account, not the typed text: that may be a password in the wrong field.
      ...(credentials && { target: credentials.userId }),
    })
    throw new AppError('CREDENTIALS_WRONG', 'Email or password is wrong')
  }
  const openSecondStep = await deps.findSecondStep(credentials.userId)
  if (openSecondStep) return openSecondStep(await rehash(deps.db, credentials, password))
  const token = await openSession(deps, credentials, caller)
  await rehash(deps.db, credentials, password)
  return { token, user: presentUser(await getProfile(deps.db, credentials.userId)) }
}

/** Hashes the password again if it was hashed at another cost, while it is at hand. Returns the current hash. */
async function rehash(db: Db, { userId, passwordHash }: Credentials, password: string): Promise<string> {
  if (!needsRehash(passwordHash)) return passwordHash
  const fresh = await hashPassword(password)
  await replacePasswordHash(db, { userId, old: passwordHash, fresh })
  return fresh
}

/** Opens the session; `secondStep` is how a second step was passed, if the person has one. Returns its token. */
export async function openSession(
  { db, now }: Deps,
  { userId, passwordHash }: Credentials,
  caller: Caller,
  secondStep?: string,
): Promise<string> {
  const token = newToken()
  const secondFactor = secondStep !== undefined
  const opened = { tokenHash: tokenHash(token), userId, verifiedHash: passwordHash, ...caller, secondFactor }
  await inTransaction(db, async (trx) => {
    if (!(await insertSession(trx, { ...opened, now: now() }))) {
      throw new AppError('BUSY', 'Your account was just changed. Please try again.', { retryAfterSeconds: 1 })
    }
    const detail = secondStep === undefined ? {} : { secondStep }
    await writeAudit(trx, { action: 'signed-in', actorUserId: userId, ...caller, detail })
  })
  return token
}
