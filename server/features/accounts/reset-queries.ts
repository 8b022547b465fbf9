import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

// Whoever writes here holds the row of the person first (`lockPerson`, or an update of it): all in the same order, so
// that a link that is asked for, used and voided at one moment waits for nobody in a circle.

/** Where to write to a person, whose row stays locked to the end of the transaction; undefined for a disabled account. */
export async function lockPerson(trx: Db, userId: string): Promise<{ email: string } | undefined> {
  const { rows } = await sql<{ email: string }>`
    select email from app_user where id = ${userId} and disabled_at is null for no key update
  `.execute(trx)
  return rows[0]
}

export async function countResetsSince(trx: Db, userId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from password_reset where user_id = ${userId} and created_at > ${since}
  `.execute(trx)
  return rows[0]?.count ?? 0
}

export async function insertReset(
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
export async function findReset(db: Db, tokenHash: Buffer, now: Date) {
  const { rows } = await sql<{ userId: string; name: string; email: string }>`
    select u.id as "userId", u.name, u.email
    from password_reset r join app_user u on u.id = r.user_id and u.disabled_at is null
    where r.token_hash = ${tokenHash} and r.used_at is null and r.expires_at > ${now}
  `.execute(db)
  return rows[0]
}

/** Uses a link up; false where somebody else was faster, or time. */
export async function markResetUsed(trx: Db, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update password_reset set used_at = ${now}
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}
  `.execute(trx)
  return numAffectedRows === 1n
}

/** Sets a forgotten password. Whoever had the link reads mail to this address. */
export async function setPassword(
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
