import { sql } from 'kysely'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { plainAddress } from '#server/platform/net/addresses.ts'
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from './session.ts'

type NewSession = {
  tokenHash: Buffer
  userId: string
  verifiedHash: string
  ip: string
  userAgent: string | undefined
  now: Date
}

// Those of real browsers have below 200 characters; a header may have thousands.
const USER_AGENT_LENGTH = 400
// More than anybody looks through; signing out everywhere ends the others, too.
const LISTED = 100

/**
 * Opens a session for a person whose password was just checked against `verifiedHash`; false if the password was
 * changed or the account disabled in the meantime. The share lock makes a password change wait for the session to be
 * there, so that it ends this one too.
 */
export async function insertSession(db: Db, session: NewSession) {
  const { tokenHash, userId, verifiedHash, now } = session
  const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_MS)
  const userAgent = session.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null
  const { rows } = await sql`
    with person as (
      select id from app_user
      where id = ${userId} and password_hash = ${verifiedHash} and disabled_at is null
      for share
    )
    insert into session (token_hash, user_id, created_at, last_seen_at, expires_at, user_agent, ip)
    select ${tokenHash}, id, ${now}, ${now}, ${expiresAt}, ${userAgent}, ${plainAddress(session.ip)}::inet
    from person
    returning user_id
  `.execute(db)
  return rows.length === 1
}

/** Who stands behind a token, with the role and tier of this moment; undefined for a session that has ended. */
export async function findActor(db: Db, tokenHash: Buffer, now: Date) {
  const { rows } = await sql<Actor & { lastSeenAt: Date }>`/* prepared */
    select s.token_hash as "sessionHash", s.last_seen_at as "lastSeenAt",
           u.id as "userId", u.name, u.email, u.role,
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

/** Of these sessions, the ones that still let an administrator in. */
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

export async function updateLastSeen(db: Db, tokenHash: Buffer, now: Date): Promise<void> {
  await sql`
    update session set last_seen_at = ${now} where token_hash = ${tokenHash} and last_seen_at < ${now}
  `.execute(db)
}

export async function deleteSession(db: Db, tokenHash: Buffer): Promise<void> {
  await sql`delete from session where token_hash = ${tokenHash}`.execute(db)
}

/** Signs a person out everywhere, except in the session that is kept; answers how many sessions that were. */
export async function deleteSessionsOf(db: Db, userId: string, kept?: Buffer): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from session where user_id = ${userId} and token_hash is distinct from ${kept ?? null}::bytea
  `.execute(db)
  return Number(numAffectedRows)
}

/** Whether a session is still there, whatever its age. */
export async function hasSession(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await sql`select from session where token_hash = ${tokenHash}`.execute(db)
  return rows.length === 1
}

/** Ends one session of a person; false where the person has none of this id. */
export async function deleteOwnSession(
  db: Db,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from session where id = ${id} and user_id = ${userId}
  `.execute(db)
  return numAffectedRows === 1n
}

export type SessionRow = {
  id: string
  tokenHash: Buffer
  userAgent: string | null
  ip: string | null
  createdAt: Date
  lastSeenAt: Date
}

/** The sessions that still let a person in, last used first. */
export async function listSessions(db: Db, userId: string, now: Date): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select id, token_hash as "tokenHash", user_agent as "userAgent", host(ip) as ip,
           created_at as "createdAt", last_seen_at as "lastSeenAt"
    from session
    where user_id = ${userId} and expires_at > ${now} and last_seen_at > ${idleSince(now)}
    order by last_seen_at desc, id desc
    limit ${LISTED}
  `.execute(db)
  return rows
}

function idleSince(now: Date): Date {
  return new Date(now.getTime() - SESSION_IDLE_MS)
}
