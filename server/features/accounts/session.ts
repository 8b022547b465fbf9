import { createHash, randomBytes } from 'node:crypto'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** A session ends after a week in which nobody used it: a shared computer in the yard does not stay signed in. */
export const SESSION_IDLE_MS = 7 * DAY_MS
/** And after a month in any case, so that a copied token is worth little. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS
/** How exactly the last use is known. Writing it on every request would make each read a write. */
export const SEEN_EVERY_MS = 5 * MINUTE_MS

/** A bearer token: 32 random bytes as base64url, with nothing to read in it and nothing to forge. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * What is kept of a token. One round of SHA-256 is enough: unlike a password, 32 random bytes cannot be guessed from
 * their hash.
 */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
