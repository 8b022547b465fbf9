import { sql } from 'kysely'
import type { Factor, NewPasskey } from '#contract/account/accounts.ts'
import {
  type EndedToken,
  endedParagraph,
  type Letterhead,
} from '#server/features/people/accounts/account-mails.ts'
import { type Caller, deleteSessionsOf } from '#server/features/people/accounts/sessions.ts'
import { endTokens } from '#server/features/people/api-tokens/api-tokens.ts'
import { type NewMail, queueMail } from '#server/features/talk/mail/mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, violatesUnique } from '#server/platform/database/database.ts'
import { AppError, Refusal } from '#server/platform/errors.ts'
import { checkNewPasskey, newPasskeyOptions, type PasskeySite } from './passkeys.ts'
import { deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'
import { closeTicket, deleteTicketsOf, openTicket, type Ticket, tryTicket } from './tickets.ts'
import { newTotpSecret, newTotpStep, totpAddress } from './totp.ts'

export type FactorDeps = {
  db: Db
  now: () => Date
  letterhead: Letterhead
  /** Undefined if browsers cannot use passkeys at this server's address. */
  site: PasskeySite | undefined
}

/** Enough for a phone, a laptop, a key ring and a spare key, with room to spare. */
const MAX_FACTORS = 10

type FactorRow = Pick<Factor, 'id' | 'kind' | 'name'> & { createdAt: Date; lastUsedAt: Date | null }

/** A person's two-step methods, oldest first. */
export async function listFactors(db: Db, userId: string): Promise<Factor[]> {
  const { rows } = await sql<FactorRow>`
    select id, kind, name, created_at as "createdAt", last_used_at as "lastUsedAt"
    from factor where user_id = ${userId} order by id
  `.execute(db)
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }))
}

/** @throws AppError CONFLICT if the person has too many, or passkeys do not work at this server's address */
export async function startPasskey({ db, now, site }: FactorDeps, actor: Actor) {
  if (!site) throw new AppError('CONFLICT', 'Passkeys need a server with a domain name, not an IP address.')
  await requireCapacity(db, actor.userId)
  const options = await newPasskeyOptions(db, site, actor)
  const { challenge } = options
  const ticket = await openTicket(db, { userId: actor.userId, purpose: 'add-passkey', challenge }, now())
  return { ticket, options: { ...options } }
}

/** @throws AppError CONFLICT if the person has too many */
export async function startTotp({ db, now, letterhead }: FactorDeps, { userId, email }: Actor) {
  await requireCapacity(db, userId)
  const secret = newTotpSecret()
  const ticket = await openTicket(db, { userId, purpose: 'add-totp', secret }, now())
  return { ticket, secret, address: totpAddress(secret, { issuer: letterhead.productName, email }) }
}

type Added = { factor: Factor; recoveryCodes?: string[] }

/** @throws AppError VALIDATION_FAILED if the passkey did not sign the ticket's challenge, CONFLICT, SIGNED_OUT */
export async function addPasskey(
  deps: FactorDeps,
  actor: Actor,
  sent: { ticket: string; name?: string | undefined; credential: NewPasskey; caller: Caller },
): Promise<Added> {
  const ticket = await tryTicket(
    deps.db,
    { ticket: sent.ticket, purpose: 'add-passkey', userId: actor.userId },
    deps.now(),
  )
  const passkey =
    deps.site && ticket?.challenge
      ? await checkNewPasskey(deps.site, sent.credential, ticket.challenge)
      : undefined
  if (!passkey) throw refused('credential', 'This passkey could not be checked. Please try again.')
  return addFactor(deps, actor, {
    ...sent,
    kind: 'passkey',
    name: sent.name ?? 'Passkey',
    insert: (trx, { id, name }) =>
      sql`
        insert into factor (id, user_id, kind, name, created_at, credential_id, public_key, sign_count, transports)
        values (${id}, ${actor.userId}, 'passkey', ${name}, ${deps.now()}, ${passkey.credentialId},
                ${passkey.publicKey}, ${passkey.signCount}, ${passkey.transports}::text[])
      `.execute(trx),
  }).catch((error: unknown) => {
    if (!violatesUnique(error, 'factor_credential_id_key')) throw error
    throw new AppError('CONFLICT', 'This passkey was already added.', { cause: error })
  })
}

/** @throws AppError VALIDATION_FAILED for a wrong code or an old ticket, CONFLICT, SIGNED_OUT */
export async function addTotp(
  deps: FactorDeps,
  actor: Actor,
  sent: { ticket: string; name?: string | undefined; code: string; caller: Caller },
): Promise<Added> {
  const { userId } = actor
  const at = deps.now()
  const ticket = await tryTicket(deps.db, { ticket: sent.ticket, purpose: 'add-totp', userId }, at)
  const secret = secretOf(ticket)
  const step = newTotpStep(secret, sent.code, at)
  if (step === undefined) throw refused('code', 'This isn’t the code your app shows now.')
  return addFactor(deps, actor, {
    ...sent,
    kind: 'totp',
    name: sent.name ?? 'Authenticator app',
    insert: (trx, { id, name }) =>
      sql`
        insert into factor (id, user_id, kind, name, created_at, secret, last_step)
        values (${id}, ${userId}, 'totp', ${name}, ${at}, ${secret}, ${step})
      `.execute(trx),
  })
}

function secretOf(ticket: Ticket | undefined): string {
  if (ticket?.secret) return ticket.secret
  throw refused('code', 'This took too long or there were too many tries. Close this window and start again.')
}

type NewFactor = Pick<Factor, 'kind' | 'name'> & {
  ticket: string
  caller: Caller
  insert: (trx: Db, factor: { id: string; name: string }) => Promise<unknown>
}

/**
 * Adds a factor. The first one creates recovery codes and signs the person out everywhere else, because those sessions
 * were opened with only a password.
 */
function addFactor(deps: FactorDeps, actor: Actor, factor: NewFactor): Promise<Added> {
  const { userId, email, sessionHash } = actor
  const { ticket, caller, kind, name } = factor
  return deps.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select uuidv7() as id from app_user where id = ${userId} for no key update
    `.execute(trx)
    const id = rows[0]?.id
    if (id === undefined) throw signedOut()
    const before = await requireCapacity(trx, userId)
    if (!(await closeTicket(trx, ticket))) {
      throw refused(kind === 'totp' ? 'code' : 'credential', 'This was already added.')
    }
    await factor.insert(trx, { id, name })
    await markSession(trx, sessionHash)
    if (before === 0) await deleteSessionsOf(trx, userId, sessionHash)
    await writeAudit(trx, {
      action: 'factor-added',
      actorUserId: userId,
      target: id,
      ...caller,
      detail: { kind },
    })
    await queueMail(
      trx,
      factorMail(deps.letterhead, { to: email, what: `${words[kind]} “${name}” was added` }),
    )
    const added = (await listFactors(trx, userId)).find((each) => each.id === id)
    if (!added) throw new Error('a factor was not written')
    if (before > 0) return { factor: added }
    return { factor: added, recoveryCodes: await replaceRecoveryCodes(trx, userId) }
  })
}

/** @throws AppError SIGNED_OUT if the session ended in the meantime */
async function markSession(trx: Db, sessionHash: Buffer): Promise<void> {
  const { numAffectedRows } = await sql`
    update session set second_factor = true where token_hash = ${sessionHash}
  `.execute(trx)
  if (numAffectedRows === 0n) throw signedOut()
}

const signedOut = () => new AppError('SIGNED_OUT', 'Please login to continue')

/** Returns how many factors the person has. */
async function requireCapacity(db: Db, userId: string): Promise<number> {
  const { length } = await listFactors(db, userId)
  if (length < MAX_FACTORS) return length
  throw new AppError('CONFLICT', `You have ${MAX_FACTORS} second steps. Remove one you no longer use first.`)
}

/**
 * Removes a second step. Removing the last one also deletes the recovery codes; sign-in then needs only the password.
 * @throws AppError NOT_FOUND
 */
export async function removeFactor(
  { db, letterhead }: FactorDeps,
  actor: Actor,
  { id, caller }: { id: string; caller: Caller },
): Promise<void> {
  const { userId, email } = actor
  await db.transaction().execute(async (trx) => {
    await sql`select from app_user where id = ${userId} for no key update`.execute(trx)
    const { rows } = await sql<Pick<Factor, 'kind' | 'name'>>`
      delete from factor where id = ${id} and user_id = ${userId} returning kind, name
    `.execute(trx)
    const [removed] = rows
    if (!removed) throw new AppError('NOT_FOUND', 'This second step was already removed.')
    if ((await listFactors(trx, userId)).length === 0) await endTwoSteps(trx, userId)
    const { kind, name } = removed
    await writeAudit(trx, {
      action: 'factor-removed',
      actorUserId: userId,
      target: id,
      ...caller,
      detail: { kind, name },
    })
    await queueMail(trx, factorMail(letterhead, { to: email, what: `${words[kind]} “${name}” was removed` }))
  })
}

async function endTwoSteps(trx: Db, userId: string): Promise<void> {
  await deleteRecoveryCodes(trx, userId)
  await deleteTicketsOf(trx, userId)
  await sql`update session set second_factor = false where user_id = ${userId}`.execute(trx)
}

/** @throws AppError CONFLICT without a second step, for which the codes would be a substitute */
export async function newRecoveryCodes(
  { db, letterhead }: FactorDeps,
  { userId, email }: Actor,
  caller: Caller,
): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    await sql`select from app_user where id = ${userId} for no key update`.execute(trx)
    if ((await listFactors(trx, userId)).length === 0) {
      throw new AppError('CONFLICT', 'Add a passkey or an authenticator app first.')
    }
    await writeAudit(trx, { action: 'recovery-codes-replaced', actorUserId: userId, ...caller })
    await queueMail(trx, factorMail(letterhead, { to: email, what: 'your recovery codes were replaced' }))
    return replaceRecoveryCodes(trx, userId)
  })
}

/**
 * Removes all second steps of a person who lost theirs, and signs them out everywhere, which ends API tokens as well. Only for the terminal, whose
 * operator has checked who is asking. Returns how many were removed.
 * @throws Refusal if the email has no account
 */
export async function resetFactors(
  { db, letterhead }: Pick<FactorDeps, 'db' | 'letterhead'>,
  email: string,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; email: string }>`
      select id, email from app_user where email = ${email} for no key update
    `.execute(trx)
    const [person] = rows
    if (!person) throw new Refusal(`There is no account with the email ${email}.`)
    const { numAffectedRows } = await sql`delete from factor where user_id = ${person.id}`.execute(trx)
    await endTwoSteps(trx, person.id)
    await deleteSessionsOf(trx, person.id)
    const ended = await endTokens(trx, person.id)
    const removed = Number(numAffectedRows)
    await writeAudit(trx, {
      action: 'factors-reset',
      target: person.id,
      detail: { from: 'terminal', removed, apiTokens: ended.length },
    })
    if (removed > 0 || ended.length > 0) {
      const what = 'two-step sign-in was turned off by our support, and all devices were signed out'
      await queueMail(trx, factorMail(letterhead, { to: person.email, what, ended }))
    }
    return removed
  })
}

/**
 * Removes second steps that an intruder may have added since then, with all recovery codes, which may have been
 * replaced, and unfinished sign-ins. Returns how many second steps were removed.
 */
export async function removeFactorsSince(trx: Db, userId: string, since: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from factor where user_id = ${userId} and created_at >= ${since}
  `.execute(trx)
  await deleteRecoveryCodes(trx, userId)
  await deleteTicketsOf(trx, userId)
  return Number(numAffectedRows)
}

const words = { passkey: 'the passkey', totp: 'the authenticator app' } as const

/** Notifies the owner of every change, because a stolen session does not include the mailbox. */
export function factorMail(
  { productName, publicUrl, supportEmail }: Letterhead,
  { to, what, ended = [] }: { to: string; what: string; ended?: readonly EndedToken[] },
): NewMail {
  return {
    to,
    subject: `Your ${productName} sign-in was changed`,
    body: `Hello,

Something about the sign-in of your ${productName} account was just changed: ${what}.
${endedParagraph(ended)}
If this was you, there is nothing to do.

If this wasn't you, choose a new password right away at
${publicUrl}/forgot-password
and write to ${supportEmail}.

${productName}
`,
  }
}

function refused(field: string, sentence: string): AppError {
  return new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
}
