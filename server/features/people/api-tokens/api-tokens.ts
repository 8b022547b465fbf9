import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { type ApiToken, MAX_TOKENS, type NewApiToken } from '#contract/account/api-tokens.ts'
import { type ApiScope, apiScopes } from '#contract/routes.ts'
import type { EndedToken, Letterhead } from '#server/features/people/accounts/account-mails.ts'
import { type Caller, hasSession, tokenHash } from '#server/features/people/accounts/sessions.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/*
 * API tokens for a dealer's own system: `ph_`, 40 random characters and a 6-character checksum. Prefix and checksum let
 * secret scanners detect leaked tokens without asking us.
 */

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'ph_'
/** 238 bits, so a fast hash is safe, as for sessions. */
const RANDOM_LENGTH = 40
const CHECKSUM_LENGTH = 6
const SHAPE = /^ph_[0-9A-Za-z]{46}$/
const ENDING_LENGTH = 4

export function newApiToken(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)])
  const start = PREFIX + random.join('')
  return start + checksumOf(start)
}

function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = CHARACTERS[rest % CHARACTERS.length] + digits
    rest = Math.floor(rest / CHARACTERS.length)
  }
  return digits
}

/** Whether a token has the format of `newApiToken`. Session tokens are shorter, so they never match. */
export function isApiToken(token: string): boolean {
  return SHAPE.test(token) && token.endsWith(checksumOf(token.slice(0, -CHECKSUM_LENGTH)))
}

const DAY_MS = 24 * 60 * 60_000
/** Precision of the last use; writing it on every request would make each read a write. */
const USED_EVERY_MS = 5 * 60_000

/**
 * Finds the owner of an API token with the current tier and the token's scopes; undefined if it was revoked, has
 * expired, or the account is disabled or closed. The role is never an administrator's, so no token can make admin
 * calls.
 */
export async function authenticateToken(db: Db, token: string, now: Date): Promise<Actor | undefined> {
  const hash = tokenHash(token)
  const { rows } = await sql<
    Actor & { id: string; scopes: ApiScope[]; lastUsedAt: Date | null }
  >`/* prepared */
    select t.id, t.token_hash as "sessionHash", t.scopes, t.last_used_at as "lastUsedAt",
           u.id as "userId", u.name, u.email::text as email, 0 as role,
           false as "isFresh", false as "lacksFactor",
           u.email_verified_at is not null as "emailConfirmed", u.created_at as "registeredAt",
           seller.id as "sellerId", seller.slug as "sellerSlug", seller.tier,
           seller.connect_status as "connectStatus", seller.trusted
    from api_token t
    join app_user u on u.id = t.user_id and u.disabled_at is null
    join seller_member m on m.user_id = u.id and m.seller_id = t.seller_id
    join seller on seller.id = t.seller_id
    where t.token_hash = ${hash} and (t.expires_at is null or t.expires_at > ${now})
      and not exists (select from account_closure c where c.user_id = u.id and c.reopened_at is null)
  `.execute(db)
  const [found] = rows
  if (!found) return undefined
  const { id, lastUsedAt, ...actor } = found
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= USED_EVERY_MS) {
    await sql`
      update api_token set last_used_at = ${now}
      where id = ${id} and (last_used_at is null or last_used_at < ${now})
    `.execute(db)
  }
  return actor
}

type TokenRow = Omit<ApiToken, 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'isExpired'> & {
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
}

const columns = sql`
  id, name, ending, scopes, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
`

/** A person's tokens, newest first. */
export async function listTokens(db: Db, userId: string, now: Date): Promise<ApiToken[]> {
  const { rows } = await sql<TokenRow>`
    select ${columns} from api_token where user_id = ${userId} order by id desc
  `.execute(db)
  return rows.map((row) => presentToken(row, now))
}

function presentToken(row: TokenRow, now: Date): ApiToken {
  return {
    id: row.id,
    name: row.name,
    ending: row.ending,
    scopes: apiScopes.filter((scope) => row.scopes.includes(scope)),
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    isExpired: row.expiresAt !== null && row.expiresAt <= now,
  }
}

type Deps = { db: Db; now: () => Date; letterhead: Letterhead }

/**
 * Creates a token for the person's seller and notifies them by email, because an intruder might create one.
 * @throws AppError SIGNED_OUT, CONFLICT with `MAX_TOKENS` tokens
 */
export async function createToken(
  deps: Deps,
  actor: Actor,
  { wanted, caller }: { wanted: NewApiToken; caller: Caller },
): Promise<{ token: string; item: ApiToken }> {
  const { userId, sellerId, email } = actor
  const { name, scopes, expiresInDays } = wanted
  const now = deps.now()
  const token = newApiToken()
  const expiresAt = expiresInDays === null ? null : new Date(now.getTime() + expiresInDays * DAY_MS)
  return deps.db.transaction().execute(async (trx) => {
    // Locks the person, so that concurrent calls count each other's token.
    await sql`select from app_user where id = ${userId} for no key update`.execute(trx)
    // A session that the owner just ended must not leave a token behind.
    if (!(await hasSession(trx, actor.sessionHash))) {
      throw new AppError('SIGNED_OUT', 'Please login to continue')
    }
    const { rows: kept } = await sql`select from api_token where user_id = ${userId}`.execute(trx)
    if (kept.length >= MAX_TOKENS) {
      throw new AppError('CONFLICT', `You have ${MAX_TOKENS} tokens. Revoke one that is no longer used.`)
    }
    const { rows } = await sql<TokenRow>`
      insert into api_token (token_hash, user_id, seller_id, name, ending, scopes, created_at, expires_at)
      values (${tokenHash(token)}, ${userId}, ${sellerId}, ${name}, ${token.slice(-ENDING_LENGTH)}, ${scopes},
              ${now}, ${expiresAt})
      returning ${columns}
    `.execute(trx)
    const item = presentToken(onlyRow(rows), now)
    const detail = { scopes: scopes.join(', '), expires: item.expiresAt }
    await writeAudit(trx, {
      action: 'api-token-created',
      actorUserId: userId,
      target: item.id,
      detail,
      ...caller,
    })
    await queueMail(trx, tokenCreatedMail(deps.letterhead, { to: email, scopes }))
    return { token, item }
  })
}

/**
 * Revokes one of the person's tokens.
 * @throws AppError NOT_FOUND if it was revoked before or is someone else's
 */
export async function revokeToken(
  db: Db,
  actor: Actor,
  { tokenId, caller }: { tokenId: string; caller: Caller },
): Promise<void> {
  const { userId: actorUserId } = actor
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ name: string }>`
      delete from api_token where id = ${tokenId} and user_id = ${actorUserId} returning name
    `.execute(trx)
    const [detail] = rows
    if (!detail) throw new AppError('NOT_FOUND', 'This token is already revoked.')
    await writeAudit(trx, { action: 'api-token-revoked', actorUserId, target: tokenId, detail, ...caller })
  })
}

/** Omits the token's name, which an intruder may have chosen. */
function tokenCreatedMail(
  { productName, publicUrl, supportEmail }: Letterhead,
  { to, scopes }: { to: string; scopes: readonly ApiScope[] },
) {
  return {
    to,
    subject: `A new API token for your ${productName} account`,
    body: `Hello,

An API token was just created for your ${productName} account. It can use: ${scopes.join(', ')}.

If this was you, there is nothing to do.

If this wasn't you, revoke it and change your password right away:
${publicUrl}/dashboard/seller/account-settings
or write to ${supportEmail}.

${productName}
`,
  }
}

/** Revokes the tokens created since then; returns how many. */
export async function revokeTokensSince(trx: Db, userId: string, since: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from api_token where user_id = ${userId} and created_at >= ${since}
  `.execute(trx)
  return Number(numAffectedRows)
}

/** Ends all of the person's tokens, except one that is kept, and returns them. */
export async function endTokens(trx: Db, userId: string, kept?: string): Promise<EndedToken[]> {
  // Waits for a token that is being created in a session that just ends.
  await sql`select from app_user where id = ${userId} for no key update`.execute(trx)
  const { rows } = await sql<EndedToken>`
    delete from api_token where user_id = ${userId} and id is distinct from ${kept ?? null}::uuid
    returning ending, created_at as "createdAt", last_used_at as "lastUsedAt"
  `.execute(trx)
  return rows
}
