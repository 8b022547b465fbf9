import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { ownSlug } from './slug.ts'
import { slugTaken } from './slug-taken.ts'
import { isSlugTaken } from './write-queries.ts'

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
