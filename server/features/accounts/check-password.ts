import type { Db } from '#server/platform/database/database.ts'
import { AppError, waitInWords } from '#server/platform/errors.ts'
import { nobodysHash, verifyPassword } from './password.ts'
import { type ThrottleRule, throttleRules } from './sign-in-throttle.ts'
import { countAttempt, deleteAttempts, findBlockedUntil, uncountAttempt } from './throttle-queries.ts'

type Attempt = {
  email: string
  ip: string
  plain: string
  /** Undefined where no such account can sign in: then the same work is done, for nothing. */
  storedHash: string | undefined
}

/**
 * Is this the password? Every way to try one goes through here: an attempt is counted as failed first and checked
 * then, so that thousands at once get no further than one after another.
 * @throws AppError TOO_MANY with the seconds to wait, without having looked at the password
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
    // Nothing was looked at: a crowd at the door (BUSY) must not lock out those who were sent away.
    await uncountAttempt(db, account.key, blocked.account)
    await uncountAttempt(db, address.key, blocked.address)
    throw error
  })
  if (isRight) {
    await deleteAttempts(db, account.key)
    // Not deleted: else one account of one's own would buy any number of tries at others'.
    await uncountAttempt(db, address.key, blocked.address)
  }
  return isRight
}

/** Until when the next attempt must wait, after this one was counted. */
type Blocked = { account: Date; address: Date }

/**
 * Counts the attempt against the account and the address, or against neither. Who must wait is mostly told so by the
 * read before: thousands of attempts at once shall not queue for the lock on one row.
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
  return new AppError(
    'TOO_MANY',
    `Too many attempts with a wrong password. Please try again in ${waitInWords(seconds)}.`,
    { retryAfterSeconds: seconds },
  )
}
