import { sql } from 'kysely'
import { z } from 'zod'
import { queueMail } from '#server/features/mail/mail.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue, JobRun } from '#server/platform/jobs/job-definition.ts'
import {
  HOUR_MS,
  type Letterhead,
  LINK_LIFETIME_MS,
  LINK_MINUTES,
  LINKS_AN_HOUR,
  passwordChangedMail,
  resetLinkMail,
} from './account-mails.ts'
import { hashPassword, passwordProblem } from './passwords.ts'
import { findCredentials } from './persons.ts'
import { type Caller, deleteSessionsOf, deviceInWords, newToken, tokenHash } from './sessions.ts'
import { deleteAttemptsBelow, throttlePrefix } from './sign-in.ts'

type AskedLink = {
  /** Null where the e-mail has no account: that is a job, too, so that asking takes the same work for every address. */
  userId: string | null
  /** Who asked, in words of ours. */
  device: string
}

export const sendResetLinkQueue: JobQueue<AskedLink> = {
  name: 'send-reset-link',
  title: 'Send password links',
  payload: z.object({ userId: z.uuid().nullable(), device: z.string().max(60) }),
  maxAttempts: 5,
  retryDelaySeconds: 5,
  // Token and mail are written in one transaction, with the fence of the run.
  resumable: true,
  timeoutSeconds: 30,
  concurrency: 2,
}

// Whoever writes here holds the row of the person first (`lockPerson`, or an update of it): all in the same order, so
// that a link that is asked for, used and voided at one moment waits for nobody in a circle.

/** Where to write to a person, whose row stays locked to the end of the transaction; undefined for a disabled account. */
async function lockPerson(trx: Db, userId: string): Promise<{ email: string } | undefined> {
  const { rows } = await sql<{ email: string }>`
    select email from app_user where id = ${userId} and disabled_at is null for no key update
  `.execute(trx)
  return rows[0]
}

async function countResetsSince(trx: Db, userId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from password_reset where user_id = ${userId} and created_at > ${since}
  `.execute(trx)
  return rows[0]?.count ?? 0
}

async function insertReset(
  trx: Db,
  reset: { tokenHash: Buffer; userId: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into password_reset (token_hash, user_id, created_at, expires_at)
    values (${reset.tokenHash}, ${reset.userId}, ${reset.createdAt}, ${reset.expiresAt})
  `.execute(trx)
}

/** Links that are still open for this person open nothing any more. */
export async function voidResets(trx: Db, userId: string, now: Date): Promise<void> {
  await sql`
    update password_reset set used_at = ${now} where user_id = ${userId} and used_at is null
  `.execute(trx)
}

/** Whose password an open link may set; undefined for one that was used, has expired or never was. */
async function findReset(db: Db, tokenHash: Buffer, now: Date) {
  const { rows } = await sql<{ userId: string; name: string; email: string }>`
    select u.id as "userId", u.name, u.email
    from password_reset r join app_user u on u.id = r.user_id and u.disabled_at is null
    where r.token_hash = ${tokenHash} and r.used_at is null and r.expires_at > ${now}
  `.execute(db)
  return rows[0]
}

/** Uses a link up; false where somebody else was faster, or time. */
async function markResetUsed(trx: Db, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update password_reset set used_at = ${now}
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}
  `.execute(trx)
  return numAffectedRows === 1n
}

/** Sets a forgotten password. Whoever had the link reads mail to this address. */
async function setPassword(
  trx: Db,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: Date },
): Promise<{ email: string } | undefined> {
  const { rows } = await sql<{ email: string }>`
    update app_user set password_hash = ${passwordHash}, email_verified_at = coalesce(email_verified_at, ${now})
    where id = ${userId} and disabled_at is null
    returning email
  `.execute(trx)
  return rows[0]
}

/**
 * Notes that somebody forgot a password. Unknown, disabled and known addresses are the same statements with other
 * values; what differs is done by the job, when the answer is long gone.
 */
export async function askPasswordReset(db: Db, email: string, caller: Caller): Promise<void> {
  const userId = (await findCredentials(db, email))?.userId
  await db.transaction().execute(async (trx) => {
    await writeAudit(trx, {
      action: 'password-reset-asked',
      ip: caller.ip,
      requestId: caller.requestId,
      ...(userId !== undefined && { target: userId }),
    })
    const payload = { userId: userId ?? null, device: deviceInWords(caller.userAgent) }
    await enqueueJob(trx, { queue: sendResetLinkQueue, payload })
  })
}

type Deps = { now: () => Date; letterhead: Letterhead }

/**
 * Mails a one-time link to whoever forgot a password; earlier links open nothing any more. Nothing happens for an
 * account that is not there or disabled, or that had its mails of this hour: then the link of the last one stays good.
 */
export async function sendResetLink(
  { now, letterhead }: Deps,
  job: JobRun<{ userId: string | null; device: string }>,
): Promise<void> {
  const { userId, device } = job.payload
  if (userId === null) return
  await job.withFence(async (trx) => {
    const person = await lockPerson(trx, userId)
    const at = now()
    const lastHour = new Date(at.getTime() - HOUR_MS)
    if (!person || (await countResetsSince(trx, userId, lastHour)) >= LINKS_AN_HOUR) return
    await voidResets(trx, userId, at)
    const token = newToken()
    const expiresAt = new Date(at.getTime() + LINK_LIFETIME_MS)
    await insertReset(trx, { tokenHash: tokenHash(token), userId, createdAt: at, expiresAt })
    await queueMail(trx, resetLinkMail(letterhead, { to: person.email, token, device }))
  })
}

type ResetPasswordDeps = { db: Db; now: () => Date; letterhead: Letterhead }

/**
 * Sets a new password with the token of a mailed link: the person is signed out everywhere, and may sign in at once,
 * whatever wrong passwords were tried before. A password that is refused leaves the link good.
 * @throws AppError LINK_EXPIRED for a link that was used, has expired or was never sent, VALIDATION_FAILED, BUSY
 */
export async function resetPassword(
  { db, now, letterhead }: ResetPasswordDeps,
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
