import { sql } from 'kysely'
import { z } from 'zod'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue, JobRun } from '#server/platform/jobs/job-definition.ts'
import {
  type Letterhead,
  LINK_LIFETIME_MS,
  LINK_MINUTES,
  passwordChangedMail,
  resetLinkMail,
} from './account-mails.ts'
import { hashPassword, passwordProblem } from './passwords.ts'
import { findCredentials } from './persons.ts'
import { type Caller, deleteSessionsOf, deviceInWords, type EndTokens, tokenHash } from './sessions.ts'
import { openLink, takeLinkRequest, voidSignInLinks } from './sign-in-links.ts'
import { deleteAttemptsBelow, throttlePrefix } from './wrong-passwords.ts'

type ResetRequest = {
  /** Null if the email has no account. It is enqueued anyway, so that every address takes the same work. */
  userId: string | null
  /** From `deviceInWords`. */
  device: string
}

export const sendResetLinkQueue: JobQueue<ResetRequest> = {
  name: 'send-reset-link',
  title: 'Send password links',
  payload: z.object({ userId: z.uuid().nullable(), device: z.string().max(60) }),
  maxAttempts: 5,
  retryDelaySeconds: 5,
  // The token and the email are written in one transaction with the run's fence.
  resumable: true,
  timeoutSeconds: 30,
  concurrency: 2,
}

// Every writer locks the person's row first (`lockPerson`, or an update of it), so that a link that is requested, used
// and voided at the same moment cannot deadlock.

/** Locks a person until the end of the transaction; undefined for a disabled account. */
async function lockPerson(trx: Db, userId: string): Promise<{ email: string } | undefined> {
  const { rows } = await sql<{ email: string }>`
    select email from app_user where id = ${userId} and disabled_at is null for no key update
  `.execute(trx)
  return rows[0]
}

/** A new token that sets the person's password once. */
export const openReset = (trx: Db, userId: string, now: Date): Promise<string> =>
  openLink(trx, 'password_reset', { userId, now, lifetimeMs: LINK_LIFETIME_MS })

/** Cancels the person's open links. */
export async function voidResets(trx: Db, userId: string, now: Date): Promise<void> {
  await sql`
    update password_reset set used_at = ${now} where user_id = ${userId} and used_at is null
  `.execute(trx)
}

/** The person whose password an open link may set; undefined if the link was used, has expired or never existed. */
async function findReset(db: Db, tokenHash: Buffer, now: Date) {
  const { rows } = await sql<{ userId: string; name: string; email: string }>`
    select u.id as "userId", u.name, u.email
    from password_reset r join app_user u on u.id = r.user_id and u.disabled_at is null
    where r.token_hash = ${tokenHash} and r.used_at is null and r.expires_at > ${now}
  `.execute(db)
  return rows[0]
}

/** False if the link was used or expired in the meantime. */
async function markResetUsed(trx: Db, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update password_reset set used_at = ${now}
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}
  `.execute(trx)
  return numAffectedRows === 1n
}

/** Sets a forgotten password. The link came by email, so it also verifies the address. */
async function setPassword(
  trx: Db,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: Date },
): Promise<{ email: string } | undefined> {
  const { rows } = await sql<{ email: string }>`
    update app_user set password_hash = ${passwordHash}, email_verified_at = coalesce(email_verified_at, ${now}),
      -- The person who asked for another address knew the old password.
      pending_email = null
    where id = ${userId} and disabled_at is null
    returning email
  `.execute(trx)
  return rows[0]
}

/**
 * Queues a reset link. Unknown, disabled and known addresses run the same statements and differ only in the job, after
 * the response is sent.
 * @throws AppError TOO_MANY as `claimLinkRequest`
 */
export async function requestPasswordReset(db: Db, email: string, caller: Caller): Promise<void> {
  await takeLinkRequest(db, { kind: 'reset', email, ip: caller.ip })
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
 * Emails a one-time link; earlier ones stay valid as `openLink` says, since a stranger may have requested the last one. Does
 * nothing for a missing or disabled account.
 */
export async function sendResetLink({ now, letterhead }: Deps, job: JobRun<ResetRequest>): Promise<void> {
  const { userId, device } = job.payload
  if (userId === null) return
  await job.withFence(async (trx) => {
    const person = await lockPerson(trx, userId)
    if (!person) return
    const token = await openReset(trx, userId, now())
    await queueMail(trx, resetLinkMail(letterhead, { to: person.email, token, device }))
  })
}

/**
 * Checks a link, so that its page can report a used one before a password is typed.
 * @throws AppError LINK_EXPIRED as `resetPassword`
 */
export async function checkPasswordLink({ db, now }: Deps & { db: Db }, token: string): Promise<void> {
  if (!(await findReset(db, tokenHash(token), now()))) throw linkExpired()
}

/**
 * Sets a new password with the token of an emailed link. The person is signed out everywhere, all API tokens end, since an
 * intruder may have made or copied them, and the person may sign in at once, no matter how many wrong passwords were tried
 * before. If the password is rejected, the link stays valid. Returns the address that the link came to.
 * @throws AppError LINK_EXPIRED if the link was used, has expired or was never sent, VALIDATION_FAILED, BUSY
 */
export async function resetPassword(
  { db, now, letterhead, endTokens }: Deps & { db: Db; endTokens: EndTokens },
  { token, password }: { token: string; password: string },
  caller: Caller,
): Promise<string> {
  const hash = tokenHash(token)
  const found = await findReset(db, hash, now())
  if (!found) throw linkExpired()
  const { userId, name, email } = found
  const problem = passwordProblem(password, { name, email, productName: letterhead.productName })
  if (problem) throw new AppError('VALIDATION_FAILED', problem, { fields: { password: problem } })
  const passwordHash = await hashPassword(password)
  return db.transaction().execute(async (trx) => {
    const at = now()
    // Locks the person first: a concurrent sign-in with the old password waits for this row, and its session is ended
    // below.
    const person = await setPassword(trx, { userId, passwordHash, now: at })
    if (!person || !(await markResetUsed(trx, hash, at))) throw linkExpired()
    await voidResets(trx, userId, at)
    await deleteSessionsOf(trx, userId)
    const ended = await endTokens(trx, userId)
    await voidSignInLinks(trx, userId, at)
    await deleteAttemptsBelow(trx, throttlePrefix(person.email))
    const detail = { apiTokens: ended.length }
    await writeAudit(trx, { action: 'password-reset', actorUserId: userId, ...caller, detail })
    await queueMail(trx, passwordChangedMail(letterhead, { to: person.email, ended }))
    return person.email
  })
}

function linkExpired(): AppError {
  return new AppError(
    'LINK_EXPIRED',
    `This link was already used or is older than ${LINK_MINUTES} minutes. Request a new one on the login page.`,
  )
}
