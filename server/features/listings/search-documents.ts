import type { Db } from '#server/platform/database/database.ts'
import { findWordLexemes } from './find-word-lexemes.ts'
import { foldText, ownMark, wordKey, yearMark } from './search-words.ts'

/** What a listing is found by. */
export type SearchedText = {
  name: string
  yearFrom: number
  yearTo: number
  manufacturerName: string
  modelName: string
  trimName: string | null | undefined
  /** Name, group and aliases, from `loadSearchNames`. */
  categoryWords: string
  manufacturerWords: string
  partNumber: string | null | undefined
  stockNumber: string | null | undefined
  vin: string | null | undefined
  description: string | null | undefined
}

// Longer descriptions say the same again.
const DESCRIPTION_READ = 2_000
// Bounds what one call holds in memory, however many listings come.
const LISTINGS_A_ROUND = 1_000

/**
 * The search documents of listings, as text of tsvectors, in the same order. Forms and imports both make them here. The
 * whole part number is one word, without dashes, so that any spelling of it finds the part. Years, stock number and VIN
 * also stand there marked (`search-words.ts`). Nothing ranks, so words have no places.
 */
export async function searchDocuments(db: Db, listings: readonly SearchedText[]): Promise<string[]> {
  const documents: string[] = []
  for (let from = 0; from < listings.length; from += LISTINGS_A_ROUND) {
    const round = listings.slice(from, from + LISTINGS_A_ROUND)
    const texts = round.map(saidOf)
    const lexemes = await findWordLexemes(db, texts)
    round.forEach((listing, at) => {
      documents.push(toDocument(lexemes[at] ?? [], listing))
    })
  }
  return documents
}

/** All that is said of it: names, which many listings share, as they are, and its description cut at its spaces. */
function saidOf(listing: SearchedText): string[] {
  const description = listing.description?.slice(0, DESCRIPTION_READ) ?? ''
  const said = description.split(' ')
  said.push(
    listing.name,
    years(listing),
    listing.manufacturerName,
    listing.modelName,
    listing.trimName ?? '',
    listing.categoryWords,
    listing.manufacturerWords,
  )
  return said
}

function years({ yearFrom, yearTo }: SearchedText): string {
  let text = String(yearFrom)
  for (let year = yearFrom + 1; year <= yearTo; year++) text += ` ${year}`
  return text
}

function toDocument(
  words: readonly (readonly string[])[],
  { partNumber, stockNumber, vin, yearFrom, yearTo }: SearchedText,
): string {
  const found = new Set<string>()
  for (const lexemes of words) for (const lexeme of lexemes) found.add(lexeme)
  if (partNumber) found.add(wordKey(foldText(partNumber)))
  found.delete('')
  for (let year = yearFrom; year <= yearTo; year++) found.add(yearMark(year))
  for (const own of [stockNumber, vin]) {
    const key = own ? wordKey(foldText(own)) : ''
    if (key) found.add(ownMark(key))
  }
  // Letters, digits and our marks need no quotes in the text of a tsvector.
  return [...found].join(' ')
}
