import slugify from '@sindresorhus/slugify'

// With the six characters of the id it stays below the column's 120 and readable in an address bar.
const LONGEST = 80

/** The readable part of a listing's address; never empty, whatever the script of its words. */
function slugWords(words: readonly string[]): string {
  const slug = words.map(slugOf).filter(Boolean).join('-').slice(0, LONGEST).replace(/-+$/, '')
  return slug || 'part'
}

// Years, makes, models and names of parts come again and again in a yard's file, and a slug takes 25 µs.
const MOST_REMEMBERED = 5_000
const LONGEST_REMEMBERED = 100
const remembered = new Map<string, string>()

function slugOf(text: string): string {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const slug = slugify(text.slice(0, 400), { decamelize: false })
  if (text.length > LONGEST_REMEMBERED) return slug
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(text, slug)
  return slug
}

/**
 * A generated address: its words and the last six characters of the listing's id, which make it unique. Where very many
 * listings have the same words more of them are needed.
 */
export function generatedSlug(words: readonly string[], id: string, tail: 6 | 12 = 6): string {
  return `${slugWords(words)}-${id.slice(-tail)}`
}

// Words that the web app or the API uses after the same prefix.
const RESERVED = new Set(['edit', 'image', 'new'])

/** A seller's own address made safe; undefined where nothing is left of it or the word is taken by the program. */
export function ownSlug(text: string): string | undefined {
  const slug = slugify(text, { decamelize: false }).slice(0, 120).replace(/-+$/, '')
  return slug === '' || RESERVED.has(slug) ? undefined : slug
}
