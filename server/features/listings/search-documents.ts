import type { Db } from '#server/platform/database.ts'
import { findLexemes } from './lexeme-queries.ts'
import { eachWord, foldText, ownMark, wordKey, yearMark } from './search-words.ts'

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
    const { read, words } = phraseReader()
    const phrases = round.map((listing) => phrasesOf(listing).map(read))
    const lexemes = await findLexemes(db, words)
    round.forEach((listing, at) => {
      documents.push(toDocument(phrases[at] ?? [], lexemes, listing))
    })
  }
  return documents
}

/** Reads each different text once: names, categories and vehicles come again from row to row. */
function phraseReader() {
  const words = new Set<string>()
  const phrases = new Map<string, string[]>()
  const read = (text: string): string[] => {
    const known = phrases.get(text)
    if (known) return known
    const phrase: string[] = []
    eachWord(foldText(text), (word) => {
      phrase.push(word)
      words.add(word)
    })
    phrases.set(text, phrase)
    return phrase
  }
  return { read, words }
}

function phrasesOf(listing: SearchedText): string[] {
  return [
    listing.name,
    years(listing),
    listing.manufacturerName,
    listing.modelName,
    listing.trimName ?? '',
    listing.categoryWords,
    listing.manufacturerWords,
    listing.description?.slice(0, DESCRIPTION_READ) ?? '',
  ]
}

function years({ yearFrom, yearTo }: SearchedText): string {
  let text = String(yearFrom)
  for (let year = yearFrom + 1; year <= yearTo; year++) text += ` ${year}`
  return text
}

function toDocument(
  phrases: readonly (readonly string[])[],
  lexemes: ReadonlyMap<string, string>,
  { partNumber, stockNumber, vin, yearFrom, yearTo }: SearchedText,
): string {
  const found = new Set<string>()
  for (const phrase of phrases) for (const word of phrase) found.add(lexemes.get(word) ?? '')
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
