import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { accountEndpoints } from '#contract/account/accounts.ts'
import type { Reply } from '#contract/endpoint.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { diskFailure } from '#server/platform/disk-failure.ts'
import { AppError } from '#server/platform/errors.ts'
import { plainAddress } from '#server/platform/net/addresses.ts'
import type { EndedToken } from './account-mails.ts'

/** Where a request came from, for the audit log and the list of sessions. */
export type Caller = { ip: string; requestId: string; userAgent: string | undefined }

export function callerOf({
  ip,
  requestId,
  headers,
}: Pick<Caller, 'ip' | 'requestId'> & { headers: Record<string, string | string[] | undefined> }): Caller {
  return { ip, requestId, userAgent: headers['user-agent']?.toString() }
}

// The first match counts: most browsers also name those they are based on, and iPads and Androids name other systems.
const BROWSERS: readonly [mark: RegExp, name: string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
]
const SYSTEMS: readonly [mark: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'Chromebook'],
  [/\b(Macintosh|Mac OS X)\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Describes a User-Agent header as "Chrome on Windows" or "Safari on iPhone". Uses only our own words, so that no
 * sender can put text into an email. Anything but a browser is "A program".
 */
export function deviceInWords(userAgent: string | null | undefined): string {
  const text = userAgent ?? ''
  if (!text.startsWith('Mozilla/')) return 'A program'
  const browser = firstMatch(BROWSERS, text) ?? 'A browser'
  const system = firstMatch(SYSTEMS, text)
  return system === undefined ? browser : `${browser} on ${system}`
}

function firstMatch(marks: readonly [mark: RegExp, name: string][], text: string): string | undefined {
  return marks.find(([mark]) => mark.test(text))?.[1]
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** A session ends after a week without use: a shared computer in the yard does not stay signed in. */
export const SESSION_IDLE_MS = 7 * DAY_MS
/** A session ends after a month at the latest, so that a stolen token is worth little. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS
/** How long a sign-in or password check counts for calls that need a fresh one: one sitting at the desk. */
const FRESH_MS = 10 * MINUTE_MS
/** How precise the last use is. Writing it on every request would make each read a write. */
const SEEN_EVERY_MS = 5 * MINUTE_MS

/** A bearer token: 32 random bytes as base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * The stored form of a token. One round of SHA-256 is enough: unlike a password, 32 random bytes cannot be guessed from
 * their hash.
 */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

type NewSession = {
  tokenHash: Buffer
  userId: string
  verifiedHash: string
  ip: string
  userAgent: string | undefined
  /** Whether a second step was passed. */
  secondFactor?: boolean
  now: Date
}

// Real browsers send fewer than 200 characters; a header may have thousands.
const USER_AGENT_LENGTH = 400
// More than anyone reads; signing out everywhere ends the others, too.
const MAX_LISTED = 100

/**
 * Opens a session for a person whose password was just checked against `verifiedHash`; false if the password was
 * changed or the account disabled in the meantime. The row's lock makes a password change wait for this session, so
 * that it ends it too.
 */
export async function insertSession(db: Db, session: NewSession) {
  const { tokenHash, userId, verifiedHash, now } = session
  const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_MS)
  const userAgent = session.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null
  const { rows } = await sql`
    with person as (
      update app_user set last_seen_at = greatest(last_seen_at, ${now})
      where id = ${userId} and password_hash = ${verifiedHash} and disabled_at is null
      returning id
    )
    insert into session
      (token_hash, user_id, created_at, last_seen_at, checked_at, expires_at, user_agent, ip, second_factor)
    select ${tokenHash}, id, ${now}, ${now}, ${now}, ${expiresAt}, ${userAgent}, ${plainAddress(session.ip)}::inet,
           ${session.secondFactor ?? false}
    from person
    returning user_id
  `.execute(db)
  return rows.length === 1
}

type ActorRow = Omit<Actor, 'isFresh' | 'lacksFactor'> & {
  lastSeenAt: Date
  checkedAt: Date
  secondFactor: boolean
}

/** The token's owner with current role and tier; undefined if the session has ended. */
async function findActor(db: Db, tokenHash: Buffer, now: Date) {
  const { rows } = await sql<ActorRow>`/* prepared */
    select s.token_hash as "sessionHash", s.last_seen_at as "lastSeenAt",
           s.checked_at as "checkedAt", s.second_factor as "secondFactor",
           u.id as "userId", u.name, u.email, u.role,
           u.email_verified_at is not null as "emailConfirmed", u.created_at as "registeredAt",
           seller.id as "sellerId", seller.slug as "sellerSlug", seller.tier,
           seller.connect_status as "connectStatus", seller.trusted
    from session s
    join app_user u on u.id = s.user_id and u.disabled_at is null
    join lateral (
      select seller.id, seller.slug, seller.tier, seller.connect_status, seller.trusted
      from seller_member m join seller on seller.id = m.seller_id
      where m.user_id = u.id
      order by m.role = 'owner' desc, seller.id
      limit 1
    ) seller on true
    where s.token_hash = ${tokenHash} and s.expires_at > ${now} and s.last_seen_at > ${idleSince(now)}
  `.execute(db)
  return rows[0]
}

/** Filters these sessions to open ones of administrators. */
export async function findAdminSessions(
  db: Db,
  tokenHashes: readonly Buffer[],
  now: Date,
): Promise<Buffer[]> {
  const { rows } = await sql<{ tokenHash: Buffer }>`
    select s.token_hash as "tokenHash"
    from session s
    join app_user u on u.id = s.user_id and u.disabled_at is null and u.role = 1
    where s.token_hash = any(${tokenHashes}::bytea[]) and s.expires_at > ${now} and s.last_seen_at > ${idleSince(now)}
  `.execute(db)
  return rows.map(({ tokenHash }) => tokenHash)
}

async function updateLastSeen(db: Db, tokenHash: Buffer, now: Date): Promise<void> {
  await sql`
    with seen as (
      update session set last_seen_at = ${now} where token_hash = ${tokenHash} and last_seen_at < ${now}
      returning user_id
    )
    update app_user set last_seen_at = greatest(last_seen_at, ${now}) from seen where id = seen.user_id
  `.execute(db)
}

/** Records that the session's user just confirmed the password; false if the session has ended. */
export async function markChecked(db: Db, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update session set checked_at = ${now} where token_hash = ${tokenHash}
  `.execute(db)
  return numAffectedRows === 1n
}

/**
 * Signs a person out everywhere except in the kept session, and forgets their devices; returns how many sessions ended.
 */
export async function deleteSessionsOf(db: Db, userId: string, kept?: Buffer): Promise<number> {
  await sql`delete from known_device where user_id = ${userId}`.execute(db)
  const { numAffectedRows } = await sql`
    delete from session where user_id = ${userId} and token_hash is distinct from ${kept ?? null}::bytea
  `.execute(db)
  return Number(numAffectedRows)
}

/** Whether a session exists, no matter how old. */
export async function hasSession(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await sql`select from session where token_hash = ${tokenHash}`.execute(db)
  return rows.length === 1
}

type SessionRow = {
  id: string
  tokenHash: Buffer
  userAgent: string | null
  ip: string | null
  createdAt: Date
  lastSeenAt: Date
}

/** A person's open sessions, last used first. */
export async function listSessions(db: Db, userId: string, now: Date): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select id, token_hash as "tokenHash", user_agent as "userAgent", host(ip) as ip,
           created_at as "createdAt", last_seen_at as "lastSeenAt"
    from session
    where user_id = ${userId} and expires_at > ${now} and last_seen_at > ${idleSince(now)}
    order by last_seen_at desc, id desc
    limit ${MAX_LISTED}
  `.execute(db)
  return rows
}

function idleSince(now: Date): Date {
  return new Date(now.getTime() - SESSION_IDLE_MS)
}

type Policy = {
  now: Date
  /** Administrators have their role only in sessions that passed a second step. */
  adminsNeedFactor: boolean
}

/**
 * The owner of a bearer token with current role and tier; undefined if the token was never issued, its session has
 * ended or expired, or the account is disabled.
 */
export async function authenticate(
  db: Db,
  token: string,
  { now, adminsNeedFactor }: Policy,
): Promise<Actor | undefined> {
  const found = await findActor(db, tokenHash(token), now)
  if (!found) return undefined
  const { lastSeenAt, checkedAt, secondFactor, ...person } = found
  const lacksFactor = adminsNeedFactor && person.role === 1 && !secondFactor
  const actor: Actor = {
    ...person,
    // Applied here only, so that no rule for administrators can forget it.
    role: lacksFactor ? 0 : person.role,
    lacksFactor,
    isFresh: now.getTime() - checkedAt.getTime() < FRESH_MS,
  }
  if (now.getTime() - lastSeenAt.getTime() >= SEEN_EVERY_MS) {
    await updateLastSeen(db, actor.sessionHash, now).catch((error: unknown) => {
      // Reading must keep working while the disk is full.
      if (!diskFailure(error)) throw error
    })
  }
  return actor
}

type Session = Reply<typeof accountEndpoints.listSessions>['items'][number]

export function presentSession(row: SessionRow, actor: Actor): Session {
  return {
    id: row.id,
    device: deviceInWords(row.userAgent),
    ip: row.ip,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    current: row.tokenHash.equals(actor.sessionHash),
  }
}

/** Ends this session only; its token is refused from the next request on. */
export function signOut(db: Db, actor: Actor, caller: Caller): Promise<void> {
  return inTransaction(db, async (trx) => {
    await sql`delete from session where token_hash = ${actor.sessionHash}`.execute(trx)
    await writeAudit(trx, { action: 'signed-out', actorUserId: actor.userId, ...caller })
  })
}

/**
 * Signs out one of the person's devices, which may be the current one.
 * @throws AppError NOT_FOUND if the session has ended or is someone else's
 */
export async function endSession(
  db: Db,
  actor: Actor,
  { sessionId, caller }: { sessionId: string; caller: Caller },
): Promise<void> {
  const { userId: actorUserId } = actor
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ userAgent: string | null }>`
      delete from session where id = ${sessionId} and user_id = ${actorUserId} returning user_agent as "userAgent"
    `.execute(trx)
    if (!rows[0]) throw new AppError('NOT_FOUND', 'This device is already signed out.')
    const detail = { name: deviceInWords(rows[0].userAgent) }
    await writeAudit(trx, { action: 'session-ended', actorUserId, target: sessionId, detail, ...caller })
  })
}

/** Ends a person's API tokens, except one that is kept, and returns them. */
export type EndTokens = (trx: Db, userId: string, kept?: string) => Promise<EndedToken[]>

/** Signs a person out everywhere, including here, and ends their API tokens. */
export async function endAllSessions(
  { db, endTokens }: { db: Db; endTokens: EndTokens },
  actor: Actor,
  caller: Caller,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { userId: actorUserId } = actor
    const apiTokens = (await endTokens(trx, actorUserId)).length
    const sessions = await deleteSessionsOf(trx, actorUserId)
    const detail = { sessions, apiTokens }
    await writeAudit(trx, { action: 'all-sessions-ended', actorUserId, ...caller, detail })
  })
}
