import { sql } from 'kysely'
import { z } from 'zod'
import { queueMail } from '#server/features/talk/mail/mail.ts'
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

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** Links of one kind for one account that one address may ask for: who asks is limited before whose mailbox it is. */
const ASKED_BY_ONE = [
  { most: 5, seconds: HOUR_SECONDS },
  { most: 15, seconds: DAY_SECONDS },
]
/** By everybody: strangers at six addresses may ask, and the owner still gets a link. */
const ASKED_BY_ALL = [
  { most: 30, seconds: HOUR_SECONDS },
  { most: 100, seconds: DAY_SECONDS },
]

type LinkRequest = { kind: 'sign-in' | 'reset'; email: string; ip: string }

/**
 * Counts a request for a link, whether there is such an account or not.
 * @throws AppError TOO_MANY
 */
export async function takeLinkRequest(db: Db, { kind, email, ip }: LinkRequest): Promise<void> {
  const account = `${kind}-link:${throttlePrefix(email)}`
  for (const limit of ASKED_BY_ONE) {
    await takeFromWindow(db, `${account}${networkOf(ip)}:${limit.seconds}`, limit)
  }
  for (const limit of ASKED_BY_ALL) await takeFromWindow(db, `${account}everywhere:${limit.seconds}`, limit)
}

type NewLink = { userId: string; now: Date; lifetimeMs: number }

/** Stores a new link of a person whose row is locked, and returns its token. Of the earlier ones, only the newest still work. */
export async function openLink(
  trx: Db,
  table: 'sign_in_link' | 'password_reset',
  { userId, now, lifetimeMs }: NewLink,
): Promise<string> {
  const token = newToken()
  const hash = tokenHash(token)
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  await sql`
    insert into ${sql.table(table)} (token_hash, user_id, created_at, expires_at)
    values (${hash}, ${userId}, ${now}, ${expiresAt})
  `.execute(trx)
  await sql`
    update ${sql.table(table)} set used_at = ${now} where token_hash in (
      select token_hash from ${sql.table(table)} where user_id = ${userId} and used_at is null
      order by token_hash = ${hash} desc, created_at desc offset ${LINKS_OPEN}
    )
  `.execute(trx)
  return token
}

/**
 * Queues the link. Unknown, disabled and known addresses differ only in the job, after the response is sent.
 * @throws AppError TOO_MANY as `claimLinkRequest`
 */
export async function requestSignInLink(db: Db, email: string, caller: Caller): Promise<void> {
  await takeLinkRequest(db, { kind: 'sign-in', email, ip: caller.ip })
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

/** Emails the link. Earlier ones stay valid as `openLink` says, since a stranger may have requested the last one. */
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
    const lifetimeMs = SIGN_IN_LINK_MINUTES * 60_000
    const token = await openLink(trx, 'sign_in_link', { userId, now: at, lifetimeMs })
    await queueMail(trx, signInLinkMail(letterhead, { to: person.email, token, device }))
  })
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
