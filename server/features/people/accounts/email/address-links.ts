import { sql } from 'kysely'
import { z } from 'zod'
import { HOUR_MS, type Letterhead } from '#server/features/people/accounts/account-mails.ts'
import { emailTaken } from '#server/features/people/accounts/persons.ts'
import { openReset, voidResets } from '#server/features/people/accounts/reset.ts'
import {
  type Caller,
  deleteSessionsOf,
  newToken,
  SESSION_LIFETIME_MS,
  tokenHash,
} from '#server/features/people/accounts/sessions.ts'
import { voidSignInLinks } from '#server/features/people/accounts/sign-in-links.ts'
import { queueMail, takeUnconfirmedMailSlot } from '#server/features/talk/mail/mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, violatesUnique } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { takeFromWindow } from '#server/platform/http/limits/rate-limits.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import {
  CHANGE_HOURS,
  CONFIRM_DAYS,
  changeAskedMail,
  changeMail,
  confirmMail,
  emailChangedMail,
  RESTORE_DAYS,
} from './address-mails.ts'

/*
 * One-time links to the addresses of an account. A `confirm` link proves ownership of the registered address, or of the
 * new one in a pending change, which then takes effect. A `restore` link goes to the former address and can undo a
 * change for 7 days. Every writer locks the person's row first.
 */

const DAY_MS = 24 * HOUR_MS
const CHANGE_MS = CHANGE_HOURS * HOUR_MS
const RESTORE_MS = RESTORE_DAYS * DAY_MS

/** A person requests another link once or twice. */
const LINKS_OF_ACCOUNT = [
  { most: 5, seconds: 3_600 },
  { most: 15, seconds: 86_400 },
]

type Purpose = 'confirm' | 'restore'
type Deps = { now: () => Date; letterhead: Letterhead }

type Person = { userId: string; email: string; isConfirmed: boolean; pendingEmail: string | null }

async function lockPerson(trx: Db, userId: string): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    select id as "userId", email, email_verified_at is not null as "isConfirmed", pending_email as "pendingEmail"
    from app_user where id = ${userId} and disabled_at is null for no key update
  `.execute(trx)
  return rows[0]
}

type NewLink = { userId: string; purpose: Purpose; email: string; now: Date; lifetimeMs: number }

async function openLink(trx: Db, { userId, purpose, email, now, lifetimeMs }: NewLink): Promise<string> {
  const token = newToken()
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  await sql`
    insert into address_link (token_hash, user_id, purpose, email, created_at, expires_at)
    values (${tokenHash(token)}, ${userId}, ${purpose}, ${email}, ${now}, ${expiresAt})
  `.execute(trx)
  return token
}

/** Earlier links that confirm an address stop working. */
async function voidConfirmLinks(trx: Db, userId: string, now: Date): Promise<void> {
  await sql`
    update address_link set used_at = ${now} where user_id = ${userId} and purpose = 'confirm' and used_at is null
  `.execute(trx)
}

/**
 * Voids every link by which somebody could get into a disabled account once it is enabled: an intruder may hold them, or wait
 * for an address of their own. Links that restore a former address stay, since they are the owner's.
 */
export async function voidAllLinks(trx: Db, userId: string, now: Date): Promise<void> {
  await sql`update app_user set pending_email = null where id = ${userId}`.execute(trx)
  await voidConfirmLinks(trx, userId, now)
  await voidResets(trx, userId, now)
  await voidSignInLinks(trx, userId, now)
}

/** Voids restore links to the same address and all later ones, which went to addresses that this restore undoes. */
async function voidRestoreLinks(trx: Db, { userId, email, createdAt }: FoundLink, now: Date): Promise<void> {
  await sql`
    update address_link set used_at = ${now}
    where user_id = ${userId} and purpose = 'restore' and used_at is null
      and (email = ${email} or created_at >= ${createdAt})
  `.execute(trx)
}

type FoundLink = { userId: string; purpose: Purpose; email: string; createdAt: Date; isUsed: boolean }

async function findLink(db: Db, token: string, now: Date): Promise<FoundLink> {
  const { rows } = await sql<FoundLink>`
    select l.user_id as "userId", l.purpose, l.email::text as email, l.created_at as "createdAt",
           l.used_at is not null as "isUsed"
    from address_link l join app_user u on u.id = l.user_id and u.disabled_at is null
    where l.token_hash = ${tokenHash(token)} and l.expires_at > ${now}
  `.execute(db)
  if (!rows[0]) throw linkExpired()
  return rows[0]
}

function linkExpired(): AppError {
  return new AppError(
    'LINK_EXPIRED',
    'This link was already used, was replaced by a newer one, or has expired. You can get a new one in your account settings.',
  )
}

type Asked = { userId: string; to: string; ip: string }

/** Limits how many links one account can make us send, and how many an unconfirmed address receives. */
async function takeLinkMail(trx: Db, { userId, to, ip }: Asked): Promise<void> {
  for (const limit of LINKS_OF_ACCOUNT) {
    await takeFromWindow(trx, `address-link-${limit.seconds}:${userId}`, limit)
  }
  await takeUnconfirmedMailSlot(trx, to, { ip })
}

/** Mails a new account the link that confirms its address. */
export async function mailConfirmLink(
  trx: Db,
  { now, letterhead }: Deps,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const at = now()
  await voidConfirmLinks(trx, userId, at)
  const link = { userId, purpose: 'confirm', email, now: at, lifetimeMs: CONFIRM_DAYS * DAY_MS } as const
  await queueMail(trx, confirmMail(letterhead, { to: email, token: await openLink(trx, link) }))
}

/**
 * Begins an address change in the transaction that locked the person's row. Mails a link to the new address, and to the
 * current one, if confirmed, a link that cancels or undoes the change.
 * @throws AppError CONFLICT if the address has an account, TOO_MANY
 */
export async function requestEmailChange(
  trx: Db,
  deps: Deps,
  {
    person,
    email,
    ip,
  }: { person: { userId: string; email: string; isConfirmed: boolean }; email: string; ip: string },
): Promise<void> {
  const { rows } = await sql`select from app_user where email = ${email}`.execute(trx)
  if (rows.length > 0) throw emailTaken()
  await takeLinkMail(trx, { userId: person.userId, to: email, ip })
  await sql`update app_user set pending_email = ${email} where id = ${person.userId}`.execute(trx)
  await mailChangeLink(trx, deps, { userId: person.userId, email })
  if (!person.isConfirmed) return
  const lifetimeMs = CHANGE_MS + RESTORE_MS
  await mailRestoreLink(trx, deps, { ...person, lifetimeMs, newEmail: email, letter: changeAskedMail })
}

async function mailChangeLink(trx: Db, deps: Deps, { userId, email }: { userId: string; email: string }) {
  const now = deps.now()
  await voidConfirmLinks(trx, userId, now)
  const token = await openLink(trx, { userId, purpose: 'confirm', email, now, lifetimeMs: CHANGE_MS })
  await queueMail(trx, changeMail(deps.letterhead, { to: email, token }))
}

type RestoreLink = {
  userId: string
  /** The address to restore. */
  email: string
  newEmail: string
  lifetimeMs: number
  letter: typeof changeAskedMail
}

async function mailRestoreLink(trx: Db, deps: Deps, restore: RestoreLink): Promise<void> {
  const { userId, email, newEmail, lifetimeMs, letter } = restore
  const token = await openLink(trx, { userId, purpose: 'restore', email, now: deps.now(), lifetimeMs })
  await queueMail(trx, letter(deps.letterhead, { to: email, token, email: newEmail }))
}

/** Sends a person's current address to the payment provider, which mails receipts there. */
export const customerEmailQueue: JobQueue<{ userId: string }> = {
  name: 'customer-email',
  title: 'Update customer email',
  payload: z.object({ userId: z.uuid() }).strict(),
  // About nine hours including the pauses, because the payment provider may be down for a while.
  maxAttempts: 16,
  retryDelaySeconds: 5,
  resumable: true,
  timeoutSeconds: 60,
  concurrency: 2,
}

/**
 * Sets the account's address, which counts as confirmed. The former address gets a link that undoes it, but only if it
 * was confirmed: an unconfirmed one may be a stranger's.
 * @throws the database's unique violation if the address has an account
 */
export async function changeEmail(
  trx: Db,
  deps: Deps,
  { person, email }: { person: { userId: string; email: string; isConfirmed: boolean }; email: string },
): Promise<void> {
  const now = deps.now()
  const { userId } = person
  await sql`
    update app_user set email = ${email}, email_verified_at = ${now}, pending_email = null where id = ${userId}
  `.execute(trx)
  // Links already sent to the former address must neither undo this nor open the account.
  await voidResets(trx, userId, now)
  await voidSignInLinks(trx, userId, now)
  await enqueueJob(trx, { queue: customerEmailQueue, payload: { userId } })
  if (!person.isConfirmed) return
  await mailRestoreLink(trx, deps, {
    ...person,
    lifetimeMs: RESTORE_MS,
    newEmail: email,
    letter: emailChangedMail,
  })
}

/**
 * Mails the link to the pending or unconfirmed address again; earlier ones stop working.
 * @throws AppError CONFLICT if there is nothing to confirm, TOO_MANY
 */
export async function mailLinkAgain(
  db: Db,
  deps: Deps,
  { userId, ip }: { userId: string; ip: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const person = await lockPerson(trx, userId)
    const email = person?.pendingEmail ?? (person?.isConfirmed ? undefined : person?.email)
    if (!person || email === undefined) {
      throw new AppError('CONFLICT', 'Your email address is already confirmed.')
    }
    await takeLinkMail(trx, { userId: person.userId, to: email, ip })
    const send = person.pendingEmail === null ? mailConfirmLink : mailChangeLink
    await send(trx, deps, { userId: person.userId, email })
  })
}

/** Cancels a pending address change, if any. */
export async function cancelEmailChange(db: Db, actor: Actor): Promise<void> {
  await sql`update app_user set pending_email = null where id = ${actor.userId}`.execute(db)
}

/**
 * Returns what a link is for, so that its page can show it before anything happens.
 * @throws AppError LINK_EXPIRED
 */
export async function checkAddressLink(db: Db, { now }: Deps, token: string) {
  const link = await findLink(db, token, now())
  if (link.isUsed) throw linkExpired()
  return { purpose: link.purpose, email: link.email }
}

type LinkUse = { token: string; caller: Caller }

/**
 * Confirms an address; a pending new address replaces the current one. Confirming twice is not an error.
 * @throws AppError LINK_EXPIRED, CONFLICT if the address got an account meanwhile
 */
export async function confirmAddress(db: Db, deps: Deps, { token, caller }: LinkUse): Promise<string> {
  const now = deps.now()
  const link = await findLink(db, token, now)
  if (link.purpose !== 'confirm') throw linkExpired()
  const write = async (trx: Db) => {
    const person = await lockPerson(trx, link.userId)
    const { email, isUsed } = await findLink(trx, token, now)
    if (!person) throw linkExpired()
    const audit = (action: string) => writeAudit(trx, { action, actorUserId: person.userId, ...caller })
    if (same(email, person.email)) {
      if (person.isConfirmed) return
      if (isUsed) throw linkExpired()
      await sql`update app_user set email_verified_at = ${now} where id = ${person.userId}`.execute(trx)
      await audit('email-confirmed')
    } else {
      if (isUsed || person.pendingEmail === null || !same(email, person.pendingEmail)) throw linkExpired()
      await changeEmail(trx, deps, { person, email: person.pendingEmail })
      await audit('email-changed')
    }
    await voidConfirmLinks(trx, person.userId, now)
  }
  await db.transaction().execute(write).catch(rethrowEmailTaken)
  return link.email
}

/** Rethrows a unique violation as an error of the email field. */
export function rethrowEmailTaken(error: unknown): never {
  throw violatesUnique(error, 'app_user_email_key') ? emailTaken(error) : error
}

export type RestoreDeps = Deps & {
  /** Removes API tokens and second steps added since then, and returns how many of each. */
  removeAccessSince(trx: Db, userId: string, since: Date): Promise<Record<string, number>>
}

/**
 * Restores a former address, or cancels a pending change. The person who made the change knew the password, so every
 * session ends and the returned token sets a new password. Second steps and API tokens added since then, or within one
 * session lifetime before, may be that person's, so they are removed. Older ones stay: someone who reads an abandoned
 * mailbox must not be able to turn off two-step sign-in.
 * @throws AppError LINK_EXPIRED, CONFLICT if the address got another account meanwhile
 */
export async function restoreAddress(db: Db, deps: RestoreDeps, { token, caller }: LinkUse) {
  const now = deps.now()
  const link = await findLink(db, token, now)
  if (link.purpose !== 'restore') throw linkExpired()
  const write = async (trx: Db) => {
    const person = await lockPerson(trx, link.userId)
    const current = await findLink(trx, token, now)
    if (!person || current.isUsed) throw linkExpired()
    const { userId, email } = current
    await sql`
      update app_user set email = ${email}, email_verified_at = ${now}, pending_email = null where id = ${userId}
    `.execute(trx)
    await voidConfirmLinks(trx, userId, now)
    await voidRestoreLinks(trx, current, now)
    await deleteSessionsOf(trx, userId)
    await voidResets(trx, userId, now)
    await voidSignInLinks(trx, userId, now)
    // An intruder's session cannot be older, so nothing added earlier came from it.
    const since = new Date(current.createdAt.getTime() - SESSION_LIFETIME_MS)
    const removed = await deps.removeAccessSince(trx, userId, since)
    const action = same(person.email, email) ? 'email-change-stopped' : 'email-restored'
    await writeAudit(trx, { action, actorUserId: userId, ...caller, detail: removed })
    return { email, passwordToken: await openReset(trx, userId, now) }
  }
  return db.transaction().execute(write).catch(rethrowEmailTaken)
}

/** Compares as the database does, ignoring case. The contract allows only ASCII. */
export const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
