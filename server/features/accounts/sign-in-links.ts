import { sql } from 'kysely'
import { z } from 'zod'
import { queueMail } from '#server/features/mail/mail.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { takeFromWindow } from '#server/platform/http/limits/rate-limits.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue, JobRun } from '#server/platform/jobs/job-definition.ts'
import { networkOf } from '#server/platform/net/addresses.ts'
import {
  guessingWarningMail,
  type Letterhead,
  LINKS_OPEN,
  SIGN_IN_LINK_MINUTES,
  signInLinkMail,
} from './account-mails.ts'
import { findCredentials } from './persons.ts'
import { type Caller, deviceInWords, newToken, tokenHash } from './sessions.ts'
import { throttlePrefix } from './wrong-passwords.ts'

/*
 * Sign-in links: the way into an account while strangers guess its password. A link proves access to the mailbox, as a
 * password reset does, but leaves the password unchanged.
 */

type LinkMail = {
  /** Null if the email has no account. It is enqueued anyway, so that every address takes the same work. */
  userId: string | null
  /** From `deviceInWords`. */
  device: string
  /** `guessed` warns the owner and contains no token. */
  mail: 'link' | 'guessed'
}

export const sendSignInLinkQueue: JobQueue<LinkMail> = {
  name: 'send-sign-in-link',
  title: 'Send sign-in links',
  payload: z.object({
    userId: z.uuid().nullable(),
    device: z.string().max(60),
    mail: z.enum(['link', 'guessed']),
  }),
  maxAttempts: 5,
  retryDelaySeconds: 5,
  // The token and the email are written in one transaction with the run's fence.
  resumable: true,
  timeoutSeconds: 30,
  concurrency: 2,
}

/** Links for one account that one address may ask for: who asks is limited before whose account it is. */
const LINK_REQUESTS = { most: 10, seconds: 3_600 }

/**
 * Counts a request for a link, whether there is such an account or not.
 * @throws AppError TOO_MANY
 */
export const claimLinkRequest = (db: Db, email: string, ip: string): Promise<void> =>
  takeFromWindow(db, `link:${throttlePrefix(email)}${networkOf(ip)}`, LINK_REQUESTS)

/**
 * Queues the link. Unknown, disabled and known addresses differ only in the job, after the response is sent.
 * @throws AppError TOO_MANY as `claimLinkRequest`
 */
export async function requestSignInLink(db: Db, email: string, caller: Caller): Promise<void> {
  await claimLinkRequest(db, email, caller.ip)
  const userId = (await findCredentials(db, email))?.userId
  await db.transaction().execute(async (trx) => {
    await writeAudit(trx, {
      action: 'sign-in-link-asked',
      ip: caller.ip,
      requestId: caller.requestId,
      ...(userId !== undefined && { target: userId }),
    })
    await enqueue(trx, { userId: userId ?? null, device: deviceInWords(caller.userAgent), mail: 'link' })
  })
}

/** Warns the owner of an account whose password is being guessed; once, since that state lasts at least a day. */
export async function queueGuessingWarning(
  db: Db,
  { userId, caller }: { userId: string | undefined; caller: Caller },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await writeAudit(trx, {
      action: 'password-guessed',
      ip: caller.ip,
      requestId: caller.requestId,
      ...(userId !== undefined && { target: userId }),
    })
    await enqueue(trx, { userId: userId ?? null, device: deviceInWords(caller.userAgent), mail: 'guessed' })
  })
}

const enqueue = (trx: Db, payload: LinkMail) => enqueueJob(trx, { queue: sendSignInLinkQueue, payload })

/**
 * Emails the link, unless `LINKS_OPEN` earlier ones still work. Those stay valid, since a stranger may have requested the
 * last one.
 */
export async function sendSignInLink(
  { now, letterhead }: { now: () => Date; letterhead: Letterhead },
  job: JobRun<LinkMail>,
): Promise<void> {
  const { userId, device, mail } = job.payload
  if (userId === null) return
  await job.withFence(async (trx) => {
    const { rows } = await sql<{ email: string }>`
      select email from app_user where id = ${userId} and disabled_at is null for no key update
    `.execute(trx)
    const [person] = rows
    if (!person) return
    if (mail === 'guessed') return queueMail(trx, guessingWarningMail(letterhead, person.email))
    const at = now()
    if ((await countOpenLinks(trx, userId, at)) >= LINKS_OPEN) return
    const token = newToken()
    const expiresAt = new Date(at.getTime() + SIGN_IN_LINK_MINUTES * 60_000)
    await sql`
      insert into sign_in_link (token_hash, user_id, created_at, expires_at)
      values (${tokenHash(token)}, ${userId}, ${at}, ${expiresAt})
    `.execute(trx)
    await queueMail(trx, signInLinkMail(letterhead, { to: person.email, token, device }))
  })
}

async function countOpenLinks(trx: Db, userId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sign_in_link
    where user_id = ${userId} and used_at is null and expires_at > ${now}
  `.execute(trx)
  return rows[0]?.count ?? 0
}

/**
 * Uses up a link and all others of the account, and returns the account. The link proves access to the mailbox, so the
 * address counts as verified.
 * @throws AppError LINK_EXPIRED if the link was used, has expired or was never sent
 */
export async function takeSignInLink(
  db: Db,
  token: string,
  now: Date,
): Promise<{ userId: string; passwordHash: string }> {
  const { rows } = await sql<{ userId: string; passwordHash: string }>`
    with link as (
      select user_id from sign_in_link
      where token_hash = ${tokenHash(token)} and used_at is null and expires_at > ${now}
    ), used as (
      update sign_in_link set used_at = ${now} from link
      where sign_in_link.user_id = link.user_id and used_at is null
      returning token_hash
    )
    update app_user set email_verified_at = coalesce(email_verified_at, ${now})
    from link
    where id = link.user_id and disabled_at is null
      and exists (select from used where token_hash = ${tokenHash(token)})
    returning id as "userId", password_hash as "passwordHash"
  `.execute(db)
  const [owner] = rows
  if (owner) return owner
  throw new AppError(
    'LINK_EXPIRED',
    `This link was already used or is older than ${SIGN_IN_LINK_MINUTES} minutes. Request a new one.`,
  )
}

/** Cancels the person's open links: their address may belong to someone else by now. */
export async function voidSignInLinks(trx: Db, userId: string, now: Date): Promise<void> {
  await sql`
    update sign_in_link set used_at = ${now} where user_id = ${userId} and used_at is null
  `.execute(trx)
}
