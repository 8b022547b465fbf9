import slugify from '@sindresorhus/slugify'
import type { NewAccount } from '#contract/account/accounts.ts'
import { isNameOrOffice } from '#contract/text/look-alikes.ts'
import { mayMailUnconfirmed } from '#server/features/talk/mail/mail.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError, Refusal } from '#server/platform/errors.ts'
import type { Letterhead } from './account-mails.ts'
import { mailConfirmLink } from './email/address-links.ts'
import { hashPassword, passwordProblem } from './passwords.ts'
import {
  emailTaken,
  insertOwner,
  insertPerson,
  insertSeller,
  type NewPerson,
  updateRoleToAdmin,
} from './persons.ts'
import { type Caller, deleteSessionsOf } from './sessions.ts'

// Long enough for "southside-auto-salvage-and-recycling"; with its suffix the slug stays below 60 characters.
const LONGEST = 50

/** The readable part of a seller's slug; the suffix that makes it unique comes from the seller's id. */
export function sellerSlugWords(name: string): string {
  const words = slugify(name).slice(0, LONGEST).replace(/-+$/, '')
  return words === '' ? 'seller' : words
}

export type OpenedAccount = { userId: string; sellerId: string; sellerSlug: string }

// Two sellers of one name share a suffix once in 16 million; three times in a row is a bug elsewhere.
const SLUG_ATTEMPTS = 3

/**
 * Creates a person with a seller on the free tier, in the caller's transaction. If the email already has an account,
 * writes nothing and returns undefined.
 */
export async function openAccount(trx: Db, person: NewPerson): Promise<OpenedAccount | undefined> {
  const userId = await insertPerson(trx, person)
  if (userId === undefined) return undefined
  const seller = await makeSeller(trx, person.name)
  await insertOwner(trx, { userId, sellerId: seller.id })
  return { userId, sellerId: seller.id, sellerSlug: seller.slug }
}

async function makeSeller(trx: Db, name: string) {
  for (let attempt = 0; attempt < SLUG_ATTEMPTS; attempt += 1) {
    const seller = await insertSeller(trx, { name, slugWords: sellerSlugWords(name) })
    if (seller) return seller
  }
  throw new Error('no free slug for a new seller')
}

/**
 * Refuses our name as somebody's: it signs messages.
 * @throws AppError VALIDATION_FAILED
 */
export function requireOwnName(name: string, productName: string): void {
  if (!isNameOrOffice(name, productName)) return
  const sentence = `“${productName}” is our name. Enter your own, or your yard’s.`
  throw new AppError('VALIDATION_FAILED', sentence, { fields: { name: sentence } })
}

/** Which addresses are confirmed with a link; otherwise they count as confirmed. */
export type ConfirmationPolicy = { readonly registrations: boolean; readonly changes: boolean }

type Deps = { now: () => Date; letterhead: Letterhead; confirming: ConfirmationPolicy }

/**
 * Checks and hashes the password, and returns the function that writes the account with a seller on the free tier.
 * Registering accepts the terms, as the form says. The account is usable at once; its address is confirmed with a link.
 * @throws AppError VALIDATION_FAILED if the password is easy to guess; the returned function: CONFLICT if the email has
 * an account
 */
export async function registerAccount(
  deps: Deps,
  account: NewAccount,
  caller: Caller,
): Promise<(db: Db) => Promise<void>> {
  const { name, email, password } = account
  const { productName } = deps.letterhead
  requireOwnName(name, productName)
  const problem = passwordProblem(password, { name, email, productName })
  if (problem) throw new AppError('VALIDATION_FAILED', problem, { fields: { password: problem } })
  const passwordHash = await hashPassword(password, 'registration')
  const now = deps.now()
  const emailConfirmedAt = deps.confirming.registrations ? undefined : now
  const person = { name, email, passwordHash, role: 0 as const, termsAcceptedAt: now, emailConfirmedAt }
  return (db) =>
    inTransaction(db, async (trx) => {
      const opened = await openAccount(trx, person)
      if (!opened) throw emailTaken()
      // Without it, the account can ask for the link later.
      if (!emailConfirmedAt && (await mayMailUnconfirmed(trx, email, caller))) {
        await mailConfirmLink(trx, deps, { userId: opened.userId, email })
      }
      await writeAudit(trx, { action: 'registered', actorUserId: opened.userId, ...caller })
    })
}

/**
 * Creates an administrator, with a seller like everyone else. The API cannot create administrators, so this is how to
 * get the first one.
 * @throws Refusal if the email has an account or the password is easy to guess
 */
export async function createAdmin(
  { db, productName }: { db: Db; productName: string },
  { name, email, password }: NewAccount,
): Promise<void> {
  const problem = passwordProblem(password, { name, email, productName })
  if (problem) throw new Refusal(problem)
  const passwordHash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    const opened = await openAccount(trx, {
      name,
      email,
      passwordHash,
      role: 1,
      // A user with the server's terminal vouches for the address.
      emailConfirmedAt: new Date(),
    })
    if (!opened) {
      throw new Refusal(
        `${email} already has an account. To make it an administrator, run this again with --promote and without --name.`,
      )
    }
    await writeAudit(trx, { action: 'admin-created', target: opened.userId, detail: { from: 'terminal' } })
  })
}

/**
 * Makes an existing account an administrator and ends its sessions: a token that was good enough for a seller's phone
 * must not silently become an administrator's.
 * @throws Refusal if the email has no account or a disabled one
 */
export async function promoteToAdmin(db: Db, email: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const userId = await updateRoleToAdmin(trx, email)
    if (userId === undefined) {
      throw new Refusal(`There is no account for ${email}. To create it, leave out --promote.`)
    }
    await deleteSessionsOf(trx, userId)
    await writeAudit(trx, { action: 'admin-promoted', target: userId, detail: { from: 'terminal' } })
  })
}
