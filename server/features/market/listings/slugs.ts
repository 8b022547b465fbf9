import slugify from '@sindresorhus/slugify'
import { type Db, violatesUnique } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { isSlugTaken } from './write-queries.ts'

// With the six characters of the id it stays below the column's 120 and readable in an address bar.
const LONGEST = 80

/** The readable part of a listing's slug; never empty, in any script. */
function slugWords(words: readonly string[]): string {
  const slug = words.map(slugOf).filter(Boolean).join('-').slice(0, LONGEST).replace(/-+$/, '')
  return slug || 'part'
}

// Years, makes, models and part names repeat in a yard's file, and a slug takes 25 µs.
const MAX_REMEMBERED = 5_000
const LONGEST_REMEMBERED = 100
const remembered = new Map<string, string>()

function slugOf(text: string): string {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const slug = slugify(text.slice(0, 400), { decamelize: false })
  if (text.length > LONGEST_REMEMBERED) return slug
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(text, slug)
  return slug
}

/**
 * A generated slug: the words and the last six characters of the listing's id, which make it unique; if very many listings
 * have the same words, twelve.
 */
export function generatedSlug(words: readonly string[], id: string, tail: 6 | 12 = 6): string {
  return `${slugWords(words)}-${id.slice(-tail)}`
}

// Words that the web app or the API uses after the same prefix.
const RESERVED = new Set(['edit', 'image', 'new'])

/** A seller's own slug made safe; undefined if nothing is left of it or the word is reserved. */
export function ownSlug(text: string): string | undefined {
  const slug = slugify(text, { decamelize: false }).slice(0, 120).replace(/-+$/, '')
  return slug === '' || RESERVED.has(slug) ? undefined : slug
}

export function slugTaken(): AppError {
  const sentence = 'That friendly address is already taken. Choose another, or leave it empty.'
  return new AppError('CONFLICT', sentence, { fields: { partslug: sentence } })
}

/** Someone took the slug between our check and our write. */
export function isSlugViolation(error: unknown): boolean {
  return violatesUnique(error, 'listing_slug_unique')
}

/**
 * The seller's own slug for a listing, made safe. The unique index decides between two at once; this check explains the
 * usual case, including former slugs of other listings.
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
