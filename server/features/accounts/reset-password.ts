import { queueMail } from '#server/features/mail/queue-mail.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type Letterhead, passwordChangedMail } from './account-mails.ts'
import type { Caller } from './caller.ts'
import { LINK_MINUTES } from './one-time-link.ts'
import { hashPassword } from './password.ts'
import { passwordProblem } from './password-strength.ts'
import { findReset, markResetUsed, setPassword } from './reset-queries.ts'
import { tokenHash } from './session.ts'
import { deleteSessionsOf } from './session-queries.ts'
import { throttlePrefix } from './sign-in-throttle.ts'
import { deleteAttemptsBelow } from './throttle-queries.ts'

type Deps = { db: Db; now: () => Date; letterhead: Letterhead }

/**
 * Sets a new password with the token of a mailed link: the person is signed out everywhere, and may sign in at once,
 * whatever wrong passwords were tried before. A password that is refused leaves the link good.
 * @throws AppError LINK_EXPIRED for a link that was used, has expired or was never sent, VALIDATION_FAILED, BUSY
 */
export async function resetPassword(
  { db, now, letterhead }: Deps,
  { token, password }: { token: string; password: string },
  caller: Caller,
): Promise<void> {
  const hash = tokenHash(token)
  const found = await findReset(db, hash, now())
  if (!found) throw linkExpired()
  const { userId, name, email } = found
  const problem = passwordProblem(password, { name, email, productName: letterhead.productName })
  if (problem) throw new AppError('VALIDATION_FAILED', problem, { fields: { password: problem } })
  const passwordHash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    const at = now()
    // The person first: a sign-in with the old password waits for this row, and its session is found and ended here.
    const person = await setPassword(trx, { userId, passwordHash, now: at })
    if (!person || !(await markResetUsed(trx, hash, at))) throw linkExpired()
    await deleteSessionsOf(trx, userId)
    await deleteAttemptsBelow(trx, throttlePrefix(person.email))
    await writeAudit(trx, { action: 'password-reset', actorUserId: userId, ...caller })
    await queueMail(trx, passwordChangedMail(letterhead, person.email))
  })
}

function linkExpired(): AppError {
  return new AppError(
    'LINK_EXPIRED',
    `This link was used already or is older than ${LINK_MINUTES} minutes. Ask for a new one on the login page.`,
  )
}
