import type { Db } from '#server/platform/database.ts'
import { AppError } from '#server/platform/http/app-error.ts'
import { violatesUnique } from '#server/platform/unique-violation.ts'
import { ownSlug } from './slug.ts'
import { isSlugTaken } from './write-queries.ts'

export const slugTaken = () => {
  const sentence = 'That friendly address is already taken. Choose another, or leave it empty.'
  return new AppError('CONFLICT', sentence, { fields: { partslug: sentence } })
}

/**
 * The seller's own address for a listing, made safe. Two at once are told apart by the unique index; this look tells
 * the usual case in words, former addresses of other listings included.
 * @throws AppError VALIDATION_FAILED or CONFLICT on `partslug`
 */
export async function chooseSlug(db: Db, typed: string, listingId: string): Promise<string> {
  const slug = ownSlug(typed)
  if (slug === undefined) {
    const sentence = 'A friendly address needs letters or digits, such as 2014-camry-alternator.'
    throw new AppError('VALIDATION_FAILED', sentence, { fields: { partslug: sentence } })
  }
  if (await isSlugTaken(db, slug, listingId)) throw slugTaken()
  return slug
}

/** The unique index said no: somebody took the address between our look and our write. */
export function isSlugViolation(error: unknown): boolean {
  return violatesUnique(error, 'listing_slug_unique')
}
