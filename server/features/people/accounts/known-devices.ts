import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { HandlerRequest } from '#server/platform/http/handler.ts'
import { newToken, tokenHash } from './sessions.ts'

/*
 * A browser that signed in to an account gets a cookie for it. The cookie grants no access; it only lets the browser
 * try a password while strangers guess the account's password. It is sent to the sign-in calls only.
 */

const COOKIE = 'device-'
const COOKIE_PATH = '/api/login'
const DAY_SECONDS = 24 * 60 * 60
/** Half a year: the browser in the office is used more often than that. */
const LIFETIME_SECONDS = 180 * DAY_SECONDS
/** Devices of one account. A person has a few; a program that signs in for every call would leave thousands. */
const MAX_DEVICES = 20
/** Maximum accounts per browser; further cookies are ignored. */
const MAX_COOKIES = 10

/** Browsers send back a `__Secure-` cookie only over https, which demo mode does not have. */
const prefixFor = (publicUrl: string) => (publicUrl.startsWith('https:') ? `__Secure-${COOKIE}` : COOKIE)

/** Each account has a cookie of its own, so that two people can share a browser. */
const nameFor = (owner: string) => createHash('sha256').update(owner).digest('base64url').slice(0, 12)

/** Hashes of the device cookies in a Cookie header. */
export const deviceHashes = (header: string | undefined): Buffer[] =>
  hashesIn(header, /(?:^|;\s*)(?:__Secure-)?device-[\w-]{12}=([\w-]{43})(?=;|$)/g)

const hashesIn = (header: string | undefined, cookies: RegExp): Buffer[] =>
  [...(header ?? '').matchAll(cookies)].slice(0, MAX_COOKIES).map(([, token = '']) => tokenHash(token))

/** Finds which of these devices the account knows. The same query runs for an email without an account. */
export async function findKnownDevice(
  db: Db,
  { userId, hashes, now }: { userId: string | undefined; hashes: readonly Buffer[]; now: Date },
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ tokenHash: Buffer }>`
    select token_hash as "tokenHash" from known_device
    where token_hash = any(${hashes}::bytea[]) and user_id = ${userId ?? null}::uuid and expires_at > ${now}
    limit 1
  `.execute(db)
  return rows[0]?.tokenHash
}

/**
 * Remembers the device of a sign-in and returns its `Set-Cookie` header. Each sign-in issues a new cookie; the previous
 * one stops working.
 */
export async function rememberDevice(
  trx: Db,
  device: { userId: string; knownAs: Buffer | undefined; publicUrl: string; now: Date },
): Promise<string> {
  const { userId, knownAs, publicUrl, now } = device
  const token = newToken()
  const expiresAt = new Date(now.getTime() + LIFETIME_SECONDS * 1000)
  await sql`
    delete from known_device where token_hash = ${knownAs ?? null}::bytea and user_id = ${userId}
  `.execute(trx)
  await sql`
    insert into known_device (token_hash, user_id, returned, created_at, expires_at)
    values (${tokenHash(token)}, ${userId}, ${knownAs !== undefined}, ${now}, ${expiresAt})
  `.execute(trx)
  // The newest is always kept: it was just written.
  await sql`
    delete from known_device where token_hash in (
      select token_hash from known_device where user_id = ${userId}
      order by token_hash = ${tokenHash(token)} desc, returned desc, created_at desc
      offset ${MAX_DEVICES}
    )
  `.execute(trx)
  const isSecure = publicUrl.startsWith('https:')
  return `${prefixFor(publicUrl)}${nameFor(userId)}=${token}; Path=${COOKIE_PATH}; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

/** Moves the cookie of a finished sign-in from the result to a header; the first of two steps has none. */
export function withDeviceCookie<Outcome extends object>(
  request: Pick<HandlerRequest<Endpoint>, 'setHeader'>,
  outcome: Outcome,
): Outcome {
  if ('setCookie' in outcome) request.setHeader('set-cookie', String(outcome.setCookie))
  return outcome
}

/*
 * A browser that opened a link mailed to an address also gets a cookie for that: its next message or saved search
 * with the address needs no other link. So a stranger who types the address and uses up its mails cannot keep its
 * owner waiting.
 */

const CONFIRMED_DAYS = 30
const MAILBOX_COOKIES = /(?:^|;\s*)(?:__Secure-)?mailbox-[\w-]{12}=([\w-]{43})(?=;|$)/g

const emailHash = (email: string): Buffer => createHash('sha256').update(email.toLowerCase()).digest()
const confirmedSince = (now: Date) => new Date(now.getTime() - CONFIRMED_DAYS * DAY_SECONDS * 1000)

type ConfirmedDevice = { email: string; publicUrl: string; now: Date }

/** Remembers that this browser has access to the mailbox. */
export async function rememberMailbox(
  { db, setHeader }: Pick<HandlerRequest<Endpoint>, 'db' | 'setHeader'>,
  { email, publicUrl, now }: ConfirmedDevice,
): Promise<void> {
  const token = newToken()
  const hash = emailHash(email)
  await sql`
    with over as (
      delete from confirmed_device where confirmed_at < ${confirmedSince(now)} or token_hash in (
        select token_hash from confirmed_device where email_hash = ${hash} order by confirmed_at desc offset ${MAX_DEVICES - 1}
      )
    )
    insert into confirmed_device (token_hash, email_hash, confirmed_at) values (${tokenHash(token)}, ${hash}, ${now})
  `.execute(db)
  const isSecure = publicUrl.startsWith('https:')
  const name = `${isSecure ? '__Secure-' : ''}mailbox-${nameFor(email.toLowerCase())}`
  // Pages send forms without scripts to their own paths.
  const cookie = `${name}=${token}; Path=/; Max-Age=${CONFIRMED_DAYS * DAY_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  setHeader('set-cookie', cookie)
}

/** Whether a browser with this Cookie header confirmed the address within the last 30 days. */
export async function hasMailbox(
  db: Db,
  { email, cookie, now }: { email: string; cookie: string | undefined; now: Date },
): Promise<boolean> {
  const hashes = hashesIn(cookie, MAILBOX_COOKIES)
  if (hashes.length === 0) return false
  const { rows } = await sql`
    select from confirmed_device
    where token_hash = any(${hashes}::bytea[]) and email_hash = ${emailHash(email)}
      and confirmed_at >= ${confirmedSince(now)}
    limit 1
  `.execute(db)
  return rows.length > 0
}

/** Forgets the browsers of a mailbox. */
export async function forgetMailbox(db: Db, email: string): Promise<void> {
  await sql`delete from confirmed_device where email_hash = ${emailHash(email)}`.execute(db)
}
