import { foldText, ownMark, wordKey, yearMark } from './search-words.ts'

// More words than anybody types; each costs a look-up in the index.
const MOST_WORDS = 10

type Term = { parts: readonly string[]; joined: string }

/** What a person typed, taken apart: its words, and all of it together, which may be a part number. */
export type SearchTerms = { terms: readonly Term[]; whole: string }

/** Undefined where nothing was typed. Signs alone are no terms. */
export function readTerms(typed: string | undefined): SearchTerms | undefined {
  const text = foldText(typed ?? '').trim()
  if (text === '') return undefined
  const terms = text
    .split(/\s+/)
    .map(toTerm)
    .filter(({ joined }) => joined !== '')
  return { terms: terms.slice(0, MOST_WORDS), whole: wordKey(text) }
}

function toTerm(word: string): Term {
  const parts = word.split(/[^\p{L}\p{N}]+/u).flatMap((part) => wordKey(part) || [])
  const joined = wordKey(word)
  // "A/C": single letters are part of the word, not words themselves.
  return { parts: parts.some((part) => part.length > 1) ? parts : [], joined }
}

/** The words whose lexemes the query needs. */
export const wordsOfTerms = ({ terms }: SearchTerms): string[] =>
  terms.flatMap(({ parts, joined }) => [...parts, joined])

/** What to find beside the words: the seller's own numbers too, a year of the part. */
export type QueryMarks = { own: boolean; year: number | undefined }

/**
 * The text of a tsquery: every word must be found as the beginning of a word, or all of it together is the beginning
 * of a part number in any spelling. '' finds everything, undefined nothing. Only letters, digits and our marks reach it,
 * so nothing of the query language can be injected.
 */
export function toQuery(
  terms: SearchTerms | undefined,
  lexemes: ReadonlyMap<string, string>,
  marks: QueryMarks,
): string | undefined {
  const year = marks.year === undefined ? '' : `'${yearMark(marks.year)}'`
  if (!terms) return year
  const typed = eitherOf([
    allOf(terms.terms.map((term) => termQuery(term, lexemes))),
    // A part number may be typed with spaces inside; without a digit it is none, and one word says itself already.
    terms.terms.length > 1 && /\p{N}/u.test(terms.whole) ? beginning(terms.whole) : '',
    marks.own ? beginning(ownMark(terms.whole)) : '',
  ])
  return terms.whole === '' || typed === '' ? undefined : allOf([typed, year])
}

/** A stop word asks for nothing. */
function termQuery({ parts, joined }: Term, lexemes: ReadonlyMap<string, string>): string {
  const lexemeOf = (word: string) => lexemes.get(word) ?? ''
  return eitherOf([allOf(parts.map((part) => beginning(lexemeOf(part)))), beginning(lexemeOf(joined))])
}

/** A single letter or digit is a word of its own: as a beginning it would mean a tenth of all words there are. */
function beginning(lexeme: string): string {
  if (lexeme === '') return ''
  return lexeme.length === 1 ? `'${lexeme}'` : `'${lexeme}':*`
}

const allOf = (queries: readonly string[]) => combine(queries, ' & ')
const eitherOf = (queries: readonly string[]) => combine(queries, ' | ')

function combine(queries: readonly string[], operator: string): string {
  const asked = [...new Set(queries)].filter((query) => query !== '')
  return asked.length > 1 ? `(${asked.join(operator)})` : (asked[0] ?? '')
}
