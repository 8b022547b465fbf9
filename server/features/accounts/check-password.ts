import type { Db } from '#server/platform/database.ts'
import { AppError } from '#server/platform/http/app-error.ts'
import { nobodysHash, verifyPassword } from './password.ts'
import { throttleRules, waitInWords } from './sign-in-throttle.ts'
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
  const [account, address] = throttleRules(email, ip)
  const at = now()
  const blockedUntil = await db.transaction().execute(async (trx) => {
    await takeTurn(trx, account, at)
    return takeTurn(trx, address, at)
  })
  const isRight = await verifyPassword(plain, storedHash ?? nobodysHash)
  if (isRight) {
    await deleteAttempts(db, account.key)
    // Not deleted: else one account of one's own would buy any number of tries at others'.
    await uncountAttempt(db, address.key, blockedUntil)
  }
  return isRight
}

async function takeTurn(trx: Db, rule: Parameters<typeof countAttempt>[1], at: Date): Promise<Date> {
  const blockedUntil = await countAttempt(trx, rule, at)
  if (blockedUntil) return blockedUntil
  const until = (await findBlockedUntil(trx, rule.key)) ?? at
  const seconds = Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000))
  throw new AppError(
    'TOO_MANY',
    `Too many attempts with a wrong password. Please try again in ${waitInWords(seconds)}.`,
    { retryAfterSeconds: seconds },
  )
}
