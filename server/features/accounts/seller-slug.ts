import slugify from '@sindresorhus/slugify'

// Long enough for "southside-auto-salvage-and-recycling"; the whole with its ending stays below 60 characters.
const LONGEST = 50

/** The readable beginning of a seller's address; the ending that makes it unique comes from the seller's id. */
export function sellerSlugWords(name: string): string {
  const words = slugify(name).slice(0, LONGEST).replace(/-+$/, '')
  return words === '' ? 'seller' : words
}
