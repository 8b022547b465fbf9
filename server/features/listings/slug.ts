import slugify from '@sindresorhus/slugify'

// With the six characters of the id it stays below the column's 120 and readable in an address bar.
const LONGEST = 80

/** The readable part of a listing's address; never empty, whatever the script of its words. */
function slugWords(words: readonly string[]): string {
  const slug = slugify(words.join(' ').slice(0, 400), { decamelize: false })
    .slice(0, LONGEST)
    .replace(/-+$/, '')
  return slug || 'part'
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
