import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { newToken, tokenHash } from '#server/features/people/accounts/sessions.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/*
 * A ticket connects two calls: the steps of signing in, or the start and end of adding a factor. It is random and valid
 * for one purpose, once, for a few minutes and a few tries.
 */

type Purpose = 'sign-in' | 'known-by-passkey' | 'reauth' | 'add-passkey' | 'add-totp'

/** Long enough to find the phone. */
const TICKET_MINUTES = 5
/** People who mistype need two or three tries. */
const MAX_ATTEMPTS = 5

type NewTicket = {
  /** Null if the passkey will say who it is. */
  userId: string | null
  purpose: Purpose
  /** The challenge that a passkey must sign. */
  challenge?: string | undefined
  /** Secret of the authenticator app being added. */
  secret?: string
  /** The password hash that the first step checked. */
  verifiedHash?: string
}

export async function openTicket(db: Db, ticket: NewTicket, now: Date): Promise<string> {
  const token = newToken()
  const { userId, purpose, challenge = null, secret = null, verifiedHash } = ticket
  const expiresAt = new Date(now.getTime() + TICKET_MINUTES * 60_000)
  await sql`
    insert into factor_ticket (token_hash, user_id, purpose, challenge, secret, verified_digest, expires_at)
    values (${tokenHash(token)}, ${userId}, ${purpose}, ${challenge}, ${secret},
            ${verifiedHash === undefined ? null : digestOf(verifiedHash)}, ${expiresAt})
  `.execute(db)
  return token
}

export type Ticket = {
  /** As the ticket was opened with. */
  userId: string
  challenge: string | null
  secret: string | null
  verifiedDigest: Buffer | null
}

type Presented = { ticket: string; purpose: Purpose /** Unknown before sign-in. */; userId?: string }

/** Counts a try with a ticket; undefined if it is unknown, too old, used, or had too many tries. */
export async function tryTicket(
  db: Db,
  { ticket, purpose, userId }: Presented,
  now: Date,
): Promise<Ticket | undefined> {
  const { rows } = await sql<Ticket>`
    update factor_ticket set attempts = attempts + 1
    where token_hash = ${tokenHash(ticket)} and purpose = ${purpose} and expires_at > ${now}
      and attempts < ${MAX_ATTEMPTS} and (${userId ?? null}::uuid is null or user_id = ${userId ?? null})
    returning user_id as "userId", challenge, secret, verified_digest as "verifiedDigest"
  `.execute(db)
  return rows[0]
}

/**
 * Uses up a ticket in the transaction of its purpose, so that only one of two concurrent calls succeeds. Returns false
 * if another call was first.
 */
export async function closeTicket(trx: Db, ticket: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from factor_ticket where token_hash = ${tokenHash(ticket)}
  `.execute(trx)
  return numAffectedRows === 1n
}

/** Ends all unfinished sign-ins and setups of a person. */
export async function deleteTicketsOf(trx: Db, userId: string): Promise<void> {
  await sql`delete from factor_ticket where user_id = ${userId}`.execute(trx)
}

export function ticketExpired(): AppError {
  return new AppError(
    'TICKET_EXPIRED',
    'This sign-in took too long or had too many tries. Please login again.',
  )
}

/** Identifies a password hash without containing it. */
export function digestOf(passwordHash: string): Buffer {
  return createHash('sha256').update(passwordHash).digest()
}
