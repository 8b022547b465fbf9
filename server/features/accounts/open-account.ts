import type { Db } from '#server/platform/database/database.ts'
import { insertOwner, insertPerson, insertSeller, type NewPerson } from './queries.ts'
import { sellerSlugWords } from './seller-slug.ts'

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
