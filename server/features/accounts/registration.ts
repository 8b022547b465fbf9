import slugify from '@sindresorhus/slugify'
import type { NewAccount } from '#contract/accounts.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError, Refusal } from '#server/platform/errors.ts'
import { hashPassword, passwordProblem } from './passwords.ts'
import { insertOwner, insertPerson, insertSeller, type NewPerson, updateRoleToAdmin } from './persons.ts'
import { type Caller, deleteSessionsOf } from './sessions.ts'

// Long enough for "southside-auto-salvage-and-recycling"; the whole with its ending stays below 60 characters.
const LONGEST = 50

/** The readable beginning of a seller's address; the ending that makes it unique comes from the seller's id. */
export function sellerSlugWords(name: string): string {
  const words = slugify(name).slice(0, LONGEST).replace(/-+$/, '')
  return words === '' ? 'seller' : words
}

/** Registration and profile tell of a taken e-mail in the same words, beside the same field. */
export function emailTaken(cause?: unknown): AppError {
  const sentence = 'That e-mail is already registered'
  return new AppError('CONFLICT', sentence, { fields: { email: sentence }, cause })
}

export type OpenedAccount = { userId: string; sellerId: string; sellerSlug: string }

// Two sellers of one name share an ending once in 16 million; three times in a row is a fault elsewhere.
const SLUG_ATTEMPTS = 3

/**
 * Makes a person, a seller on the free tier and their belonging together, in the caller's transaction. Undefined
 * where the e-mail has an account already; nothing was written then.
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

type Deps = { now: () => Date; letterhead: { productName: string } }

/**
 * Prepares an account with a seller on the free tier (the password is checked and hashed) and answers with what writes
 * it. Registering is accepting the terms; the form says so.
 * @throws AppError VALIDATION_FAILED for a password that would be guessed; the writing: CONFLICT for an e-mail with an
 * account
 */
export async function registerAccount(
  deps: Deps,
  account: NewAccount,
  caller: Caller,
): Promise<(db: Db) => Promise<void>> {
  const { name, email, password } = account
  const problem = passwordProblem(password, { name, email, productName: deps.letterhead.productName })
  if (problem) throw new AppError('VALIDATION_FAILED', problem, { fields: { password: problem } })
  const passwordHash = await hashPassword(password)
  const person = { name, email, passwordHash, role: 0 as const, termsAcceptedAt: deps.now() }
  return (db) =>
    inTransaction(db, async (trx) => {
      const opened = await openAccount(trx, person)
      if (!opened) throw emailTaken()
      await writeAudit(trx, { action: 'registered', actorUserId: opened.userId, ...caller })
    })
}

/**
 * Makes a new administrator, with a seller like everyone else. There is none from the start and no call of the API
 * makes one: this is how the first one comes to be.
 * @throws Refusal where the e-mail has an account or the password would be guessed
 */
export async function createAdmin(
  { db, productName }: { db: Db; productName: string },
  { name, email, password }: NewAccount,
): Promise<void> {
  const problem = passwordProblem(password, { name, email, productName })
  if (problem) throw new Refusal(problem)
  const passwordHash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    const opened = await openAccount(trx, { name, email, passwordHash, role: 1 })
    if (!opened) {
      throw new Refusal(
        `${email} has an account already. To make it an administrator's, run this again with --promote and without --name.`,
      )
    }
    await writeAudit(trx, { action: 'admin-created', target: opened.userId, detail: { from: 'terminal' } })
  })
}

/**
 * Makes an existing account an administrator's. Its sessions end: a token that was good enough for a seller's phone
 * must not become an administrator's by itself.
 * @throws Refusal where the e-mail has no account, or a disabled one
 */
export async function promoteToAdmin(db: Db, email: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const userId = await updateRoleToAdmin(trx, email)
    if (userId === undefined) {
      throw new Refusal(
        `There is no account with the e-mail ${email} that can sign in. Leave out --promote to make one.`,
      )
    }
    await deleteSessionsOf(trx, userId)
    await writeAudit(trx, { action: 'admin-promoted', target: userId, detail: { from: 'terminal' } })
  })
}
