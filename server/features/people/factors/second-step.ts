import { sql } from 'kysely'
import type { FactorProof, LoginProof, PasskeyAssertion } from '#contract/account/accounts.ts'
import { deviceHashes, findKnownDevice } from '#server/features/people/accounts/known-devices.ts'
import { getProfile, presentUser } from '#server/features/people/accounts/persons.ts'
import { type Caller, markChecked } from '#server/features/people/accounts/sessions.ts'
import {
  type Credentials,
  type OpenSecondStep,
  openSession,
  type SecondSteps,
  type ShownProof,
  type SignedIn,
} from '#server/features/people/accounts/sign-in.ts'
import { checkPassword } from '#server/features/people/accounts/wrong-passwords.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { takeFromWindow } from '#server/platform/http/limits/rate-limits.ts'
import { type FactorDeps, factorMail, listFactors } from './factors.ts'
import { assertionOptions, checkAssertion, listPasskeys, takeAssertion } from './passkeys.ts'
import { countRecoveryCodes, findRecoveryCode, takeRecoveryCode } from './recovery-codes.ts'
import { closeTicket, digestOf, openTicket, type Ticket, ticketExpired, tryTicket } from './tickets.ts'
import { isTotpCode, takeTotpCode } from './totp.ts'

/** The second step as signing in uses it. */
export const openSecondSteps = (deps: FactorDeps): SecondSteps => ({
  findSecondStep: (userId) => findSecondStep(deps, userId),
  checkLoginProof: (userId, proof) => checkLoginProof(deps, userId, proof),
  finishSignIn: (sent, caller) => finishSignIn(deps, sent, caller),
})

async function findSecondStep(
  { db, now, site }: FactorDeps,
  userId: string,
): Promise<OpenSecondStep | undefined> {
  const factors = [...new Set((await listFactors(db, userId)).map(({ kind }) => kind))]
  if (factors.length === 0) return undefined
  return async (verifiedHash, signed) => {
    const passkeys = site ? await listPasskeys(db, userId) : []
    const passkey = site && passkeys.length > 0 ? { ...(await assertionOptions(site, passkeys)) } : undefined
    const challenge = signed ?? passkey?.challenge
    const opened = { userId, purpose: 'sign-in', challenge, verifiedHash } as const
    return { ticket: await openTicket(db, opened, now()), factors, ...(passkey && { passkey }) }
  }
}

/** A challenge for any passkey: a reply must not reveal who has one. */
export async function startPasskeyLogin({ db, now, site }: FactorDeps) {
  if (!site) throw new AppError('CONFLICT', 'Passkeys need a server with a domain name, not an IP address.')
  const passkey = { ...(await assertionOptions(site)) }
  const { challenge } = passkey
  return {
    ticket: await openTicket(db, { userId: null, purpose: 'known-by-passkey', challenge }, now()),
    passkey,
  }
}

/**
 * Checks what is sent along with a password: a recovery code, which stays unused, or the passkey's signature of a ticket, which
 * is used up. Undefined if it is not this person's.
 */
async function checkLoginProof(
  { db, now, site }: FactorDeps,
  userId: string | undefined,
  proof: LoginProof,
): Promise<ShownProof | undefined> {
  if ('code' in proof) {
    const knownAs = await findRecoveryCode(db, { userId, code: proof.code })
    return knownAs && { knownAs }
  }
  const { ticket, assertion } = proof
  const challenge = (await tryTicket(db, { ticket, purpose: 'known-by-passkey' }, now()))?.challenge
  if (!site || !challenge || userId === undefined) return undefined
  if (!(await checkAssertion(db, site, { userId, assertion, challenge }))) return undefined
  if (!(await closeTicket(db, ticket))) return undefined
  return { knownAs: digestOf(assertion.id), challenge }
}

// Callers already know the password, so a stranger cannot use this to lock out the owner. Three codes are valid at a
// time: ten tries an hour find one of a million in about four years. A correct code resets the count. Passkeys and recovery
// codes cannot be guessed, so no number of wrong codes keeps their owner out.
const TRIES = { most: 10, seconds: 3_600 }
const triesKey = (userId: string) => `second-step:${userId}`

/**
 * Finishes signing in.
 * @throws AppError TICKET_EXPIRED for an unknown, old or used ticket or one with too many tries, CREDENTIALS_WRONG for a
 * wrong or used code, TOO_MANY
 */
export async function finishSignIn(
  deps: FactorDeps,
  { ticket, ...proof }: FactorProof & { ticket: string },
  { cookie, ...caller }: Caller & { cookie: string | undefined },
): Promise<SignedIn> {
  const { db, now, letterhead } = deps
  const found = await tryTicket(db, { ticket, purpose: 'sign-in' }, now())
  if (!found) throw ticketExpired()
  const { userId } = found
  if ('code' in proof && isTotpCode(proof.code)) await takeFromWindow(db, triesKey(userId), TRIES)
  const knownAs = await findKnownDevice(db, { userId, hashes: deviceHashes(cookie), now: now() })
  const opened = await db.transaction().execute(async (trx) => {
    // Locked first, so that a reset of the factors waits for this sign-in and then ends its session.
    const credentials = await lockCredentials(trx, found)
    if (!credentials) throw ticketExpired()
    const way = await takeProof(trx, deps, { proof, ticket: found })
    if (!way) return undefined
    if (!(await closeTicket(trx, ticket))) throw ticketExpired()
    await sql`delete from rate_window where key = ${triesKey(userId)}`.execute(trx)
    if (way === 'recovery-code') await mailRecoveryUse(trx, deps, credentials)
    const opening = { caller, knownAs, how: 'signed-in', secondStep: way } as const
    return openSession({ db: trx, now, letterhead }, credentials, opening)
  })
  if (opened) return { ...opened, user: presentUser(await getProfile(db, userId)) }
  await writeAudit(db, { action: 'second-step-failed', target: userId, ...caller })
  throw new AppError('CREDENTIALS_WRONG', 'assertion' in proof ? NOT_THE_PASSKEY : NOT_THE_CODE)
}

const NOT_THE_CODE = 'This code is wrong or was already used. Enter the one that the app shows now.'
const NOT_THE_PASSKEY = 'This passkey could not be checked. Please try again.'

/** Returns undefined if the account was disabled or the password changed since the first step. */
async function lockCredentials(trx: Db, { userId, verifiedDigest }: Ticket) {
  const { rows } = await sql<Credentials & { email: string }>`
    select id as "userId", email, password_hash as "passwordHash"
    from app_user where id = ${userId} and disabled_at is null
    for no key update
  `.execute(trx)
  const [person] = rows
  return person && verifiedDigest?.equals(digestOf(person.passwordHash)) ? person : undefined
}

type ProofKind = 'code' | 'recovery-code' | 'passkey'

/** Checks and uses up the proof; undefined if it is wrong. */
async function takeProof(
  trx: Db,
  { now, site }: FactorDeps,
  { proof, ticket: { userId, challenge } }: { proof: FactorProof; ticket: Ticket },
): Promise<ProofKind | undefined> {
  if ('assertion' in proof) {
    const { assertion } = proof
    if (!site || challenge === null) return undefined
    return (await takeAssertion(trx, site, { userId, assertion, challenge, now: now() }))
      ? 'passkey'
      : undefined
  }
  const { code } = proof
  if (await takeTotpCode(trx, { userId, code, now: now() })) return 'code'
  return (await takeRecoveryCode(trx, { userId, code })) ? 'recovery-code' : undefined
}

async function mailRecoveryUse(
  trx: Db,
  { letterhead }: FactorDeps,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const left = await countRecoveryCodes(trx, userId)
  const what = `someone signed in with one of your recovery codes. Codes left: ${left}`
  await queueMail(trx, factorMail(letterhead, { to: email, what }))
}

/** Returns what the browser needs to confirm with a passkey; empty for people without one. */
export async function startReauth({ db, now, site }: FactorDeps, { userId }: Actor) {
  const passkeys = site ? await listPasskeys(db, userId) : []
  if (!site || passkeys.length === 0) return {}
  const passkey = { ...(await assertionOptions(site, passkeys)) }
  const { challenge } = passkey
  return { ticket: await openTicket(db, { userId, purpose: 'reauth', challenge }, now()), passkey }
}

/**
 * Confirms the user of a session by password or passkey.
 * @throws AppError VALIDATION_FAILED if it is wrong (401 would mean that the session has ended), TOO_MANY, SIGNED_OUT
 */
export async function reauth(
  deps: FactorDeps,
  actor: Actor,
  {
    sent,
    caller,
  }: { sent: { password: string } | { ticket: string; assertion: PasskeyAssertion }; caller: Caller },
): Promise<void> {
  if ('password' in sent) await confirmPassword(deps, actor, sent.password, caller.ip)
  else await confirmPasskey(deps, actor, sent)
  if (!(await markChecked(deps.db, actor.sessionHash, deps.now()))) {
    throw new AppError('SIGNED_OUT', 'Please login to continue')
  }
}

async function confirmPassword(
  { db, now }: FactorDeps,
  actor: Actor,
  plain: string,
  ip: string,
): Promise<void> {
  const { rows } = await sql<{ passwordHash: string }>`
    select password_hash as "passwordHash" from app_user where id = ${actor.userId}
  `.execute(db)
  const storedHash = rows[0]?.passwordHash
  // Guessing at the login page must not lock out a signed-in owner.
  const attempt = { email: actor.email, ip, plain, storedHash, knownAs: actor.sessionHash }
  if (await checkPassword({ db, now }, attempt)) return
  const sentence = 'This is not your current password'
  throw new AppError('VALIDATION_FAILED', sentence, { fields: { password: sentence } })
}

async function confirmPasskey(
  deps: FactorDeps,
  { userId }: Actor,
  { ticket, ...proof }: { ticket: string; assertion: PasskeyAssertion },
): Promise<void> {
  const found = await tryTicket(deps.db, { ticket, purpose: 'reauth', userId }, deps.now())
  const isRight =
    found &&
    (await deps.db.transaction().execute(async (trx) => {
      const way = await takeProof(trx, deps, { proof, ticket: found })
      return way !== undefined && closeTicket(trx, ticket)
    }))
  if (!isRight)
    throw new AppError('VALIDATION_FAILED', NOT_THE_PASSKEY, { fields: { assertion: NOT_THE_PASSKEY } })
}
