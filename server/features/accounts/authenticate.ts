import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { SEEN_EVERY_MS, tokenHash } from './session.ts'
import { findActor, updateLastSeen } from './session-queries.ts'

/**
 * The person behind a bearer token, with role and tier as they are now; undefined if the token was never issued, its
 * session has ended or expired, or the account is disabled.
 */
export async function authenticate(db: Db, token: string, now: Date): Promise<Actor | undefined> {
  const found = await findActor(db, tokenHash(token), now)
  if (!found) return undefined
  const { lastSeenAt, ...actor } = found
  if (now.getTime() - lastSeenAt.getTime() >= SEEN_EVERY_MS) await updateLastSeen(db, actor.sessionHash, now)
  return actor
}
