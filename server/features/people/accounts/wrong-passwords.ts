import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { AppError, waitInWords } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/net/addresses.ts'
import { unmatchableHash, verifyPassword } from './passwords.ts'

/**
 * How often a wrong password may be tried: the `allowed`-th failure starts the first wait, and each further one doubles
 * it. The longest wait limits the harm to an account's owner: nobody is ever locked out for good.
 */
type ThrottleRule = {
  kind: 'account' | 'guessed' | 'address' | 'device'
  key: string
  allowed: number
  firstWaitSeconds: number
  longestWaitSeconds: number
}

/** A person who mistypes needs three or four tries. */
const ALLOWED_FOR_ACCOUNT = 5
/** An office may share one address; but one address may also try one password on many accounts. */
const ALLOWED_FOR_ADDRESS = 20
const WAITS = { firstWaitSeconds: 10, longestWaitSeconds: 15 * 60 }
/** After a day without a failure the count starts over. */
const FORGET_MS = 24 * 60 * 60_000
/**
 * Wrong passwords for one account from all addresses together. After that, the account opens only on known devices, with a
 * passkey or recovery code beside the password, and by an emailed link, until a day has passed without a try. An owner who mistypes at one address has waited an hour by
 * then.
 */
const ALLOWED_FROM_EVERYWHERE = 20
const GUESSED_SECONDS = FORGET_MS / 1000
/** Precision of the start of that day. Writing it at every try would let guessing load the database. */
const EXTEND_EVERY_SECONDS = 10 * 60

/**
 * The rules an attempt counts against: the account from this address, the account from everywhere, and the address;
 * always in this order, so that attempts that share some of them cannot deadlock. Emails are stored as hashes, because
 * people type their password into the wrong field.
 */
export function throttleRules(email: string, ip: string): ThrottleRule[] {
  const network = networkOf(ip)
  const prefix = throttlePrefix(email)
  const guessed = { firstWaitSeconds: GUESSED_SECONDS, longestWaitSeconds: GUESSED_SECONDS }
  return [
    { kind: 'account', key: `${prefix}${network}`, allowed: ALLOWED_FOR_ACCOUNT, ...WAITS },
    { kind: 'guessed', key: `${prefix}everywhere`, allowed: ALLOWED_FROM_EVERYWHERE, ...guessed },
    { kind: 'address', key: `address:${network}`, allowed: ALLOWED_FOR_ADDRESS, ...WAITS },
  ]
}

/** A known device has its own count, so that strangers, even at the same address, cannot lock out its owner. */
function deviceRules(email: string, knownAs: Buffer): ThrottleRule[] {
  const key = `${throttlePrefix(email)}known:${knownAs.toString('base64url')}`
  return [{ kind: 'device', key, allowed: ALLOWED_FOR_ACCOUNT, ...WAITS }]
}

/** The prefix of an account's keys, for all addresses. */
export function throttlePrefix(email: string): string {
  return `account:${createHash('sha256').update(email.toLowerCase()).digest('base64url')}:`
}

// Far beyond the longest wait; larger powers would overflow.
const MAX_DOUBLINGS = 20

/**
 * Counts an attempt as failed before it is checked, in one statement, so that parallel attempts cannot exceed the
 * limit. Returns until when the next one must wait, or undefined if this one must wait; then nothing was counted. The
 * epoch means "not blocked", whatever the clocks of the processes.
 */
async function countAttempt(db: Db, rule: ThrottleRule, now: Date): Promise<Date | undefined> {
  const { key, allowed, firstWaitSeconds, longestWaitSeconds } = rule
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
          ${firstWaitSeconds} * 2.0 ^ least(${failures} - ${allowed}, ${MAX_DOUBLINGS}),
          ${longestWaitSeconds}
        ) * interval '1 second' end
    where t.blocked_until <= ${now}
    returning t.blocked_until as "blockedUntil"
  `.execute(db)
  return rows[0]?.blockedUntil
}

/** Returns the rule with the longest remaining wait; undefined if an attempt may be made now. */
async function findBlock(db: Db, rules: readonly ThrottleRule[], now: Date) {
  const { rows } = await sql<{ key: string; blockedUntil: Date }>`
    select key, blocked_until as "blockedUntil" from sign_in_throttle
    where key = any(${rules.map(({ key }) => key)}) and blocked_until > ${now}
    order by blocked_until desc limit 1
  `.execute(db)
  const [longest] = rows
  const rule = rules.find(({ key }) => key === longest?.key)
  return longest && rule && { rule, until: longest.blockedUntil }
}

/** Uncounts an attempt that succeeded or was never checked; waits caused by other attempts remain. */
async function uncountAttempt(db: Db, { rule: { key }, until }: Counted, attempts = 1): Promise<void> {
  await sql`
    update sign_in_throttle set
      failures = greatest(failures - ${attempts}, 0),
      blocked_until = case when blocked_until = ${until} then 'epoch' else blocked_until end
    where key = ${key}
  `.execute(db)
}

/** Every try restarts the quiet day, so that guessing slowly gains nothing. */
async function extendGuessed(db: Db, key: string, now: Date): Promise<void> {
  const until = new Date(now.getTime() + GUESSED_SECONDS * 1000)
  await sql`
    update sign_in_throttle set blocked_until = ${until}, last_failure_at = ${now}
    where key = ${key} and blocked_until < ${until}::timestamptz - ${EXTEND_EVERY_SECONDS} * interval '1 second'
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
  /** Undefined if no such account can sign in; the same work is done anyway, to hide that. */
  storedHash: string | undefined
  /** Hash of the known device or session of the account, if the attempt comes from one. */
  knownAs?: Buffer | undefined
}

/** Set if this wrong password exhausted a limit: of the account from everywhere, or of the address. */
export type LockOut = 'guessed' | 'address'

/**
 * Checks a password. Every attempt is first counted as failed and then checked, so that thousands at once get no
 * further than one after another.
 * @throws AppError TOO_MANY or LINK_NEEDED with the seconds to wait, without checking the password
 */
export async function checkPassword(
  { db, now }: { db: Db; now: () => Date },
  { email, ip, plain, storedHash, knownAs }: Attempt,
  onLockOut?: (began: LockOut) => Promise<void>,
): Promise<boolean> {
  const rules = knownAs ? deviceRules(email, knownAs) : throttleRules(email, ip)
  const key = knownAs?.toString('base64url') ?? throttlePrefix(email)
  const counted = await inTurn(key, () => reserveAttempt(db, rules, now()))
  const isRight = await verifyPassword(plain, storedHash ?? unmatchableHash).catch(async (error: unknown) => {
    // The password was not checked: people who got BUSY must not be locked out, too.
    for (const each of counted) await uncountAttempt(db, each)
    throw error
  })
  if (isRight) await forgiveOwner(db, counted)
  else {
    for (const { rule, until } of counted) {
      const isNew = until.getTime() > 0 && (rule.kind === 'guessed' || rule.kind === 'address')
      if (isNew) await onLockOut?.(rule.kind as LockOut)
    }
  }
  return isRight
}

/**
 * Clears the owner's own mistypings. The rest of the address's count remains: otherwise signing in to one's own account
 * would allow any number of tries at others'. So does the account's count of wrong passwords from elsewhere.
 */
async function forgiveOwner(db: Db, counted: readonly Counted[]): Promise<void> {
  const own = counted.find(({ rule: { kind } }) => kind === 'account' || kind === 'device')
  const { rows } = await sql<{ failures: number }>`
    delete from sign_in_throttle where key = ${own?.rule.key ?? ''} returning failures
  `.execute(db)
  for (const each of counted) {
    if (each.rule.kind === 'guessed') await uncountAttempt(db, each, rows[0]?.failures ?? 1)
    if (each.rule.kind === 'address') await uncountAttempt(db, each)
  }
}

const turns = new Map<string, Promise<unknown>>()

/**
 * Runs attempts at one account one at a time in this process. Concurrent ones would each hold a connection while
 * waiting for the lock on one row: 119 of 200 then got BUSY, and so did everyone else.
 */
function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (turns.get(key) ?? Promise.resolve()).then(work, work)
  turns.set(key, turn)
  const leave = () => void (turns.get(key) === turn && turns.delete(key))
  turn.then(leave, leave)
  return turn
}

/** A rule that counted this attempt, and until when the next one must wait. */
type Counted = { rule: ThrottleRule; until: Date }

/** Counts the attempt against all rules or none. A read first rejects attempts that must wait, without a lock. */
async function reserveAttempt(db: Db, rules: readonly ThrottleRule[], at: Date): Promise<Counted[]> {
  const block = await findBlock(db, rules, at)
  if (block?.rule.kind === 'guessed') await extendGuessed(db, block.rule.key, at)
  if (block) throw mustWait(block, at)
  return db.transaction().execute(async (trx) => {
    const counted: Counted[] = []
    for (const rule of rules) {
      const until = await countAttempt(trx, rule, at)
      if (!until) throw mustWait((await findBlock(trx, rules, at)) ?? { rule, until: at }, at)
      counted.push({ rule, until })
    }
    return counted
  })
}

function mustWait({ rule, until }: Counted, at: Date): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000))
  if (rule.kind === 'guessed') {
    return new AppError(
      'LINK_NEEDED',
      'Too many wrong passwords for this account. Sign in on a device you used before, with a passkey or a recovery code beside your password, or with a link that we email you.',
      { retryAfterSeconds },
    )
  }
  return new AppError(
    'TOO_MANY',
    `Too many wrong passwords. Please try again in ${waitInWords(retryAfterSeconds)}.`,
    { retryAfterSeconds },
  )
}
