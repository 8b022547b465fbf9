import { foldText } from '#contract/trade-language/names.ts'
import { lexemePrefix, quotedLexeme } from '#server/platform/database/quoted-text.ts'

/*
 * How text becomes search words, the same way for listings and for what people type: a difference between the two would
 * make listings impossible to find.
 */

const ASCII_ONLY = /^[\0-\x7f]*$/

// A PostgreSQL lexeme has at most 2,046 bytes, and a character at most three per code unit.
const MAX_WORD_LENGTH = 500

// "F-150", "A/C", "2.5", "R&R", "driver's" are one word and also its parts.
const asciiTokens = /[a-z0-9]+(?:[-/.&'][a-z0-9]+)*/g
const anyTokens = /[\p{L}\p{N}]+(?:[-/.&'’][\p{L}\p{N}]+)*/gu
const joints = /[-/.&'’]/

/** Calls back with every word of a folded text: "f-150" gives f, 150 and f150. */
export function eachWord(folded: string, callback: (word: string) => void): void {
  const tokens = folded.match(ASCII_ONLY.test(folded) ? asciiTokens : anyTokens)
  if (!tokens) return
  for (const token of tokens) {
    const parts = joints.test(token) ? token.split(joints) : [token]
    for (const part of parts) callback(cut(part))
    if (parts.length > 1) callback(cut(parts.join('')))
  }
}

const plainKey = /^[a-z0-9]*$/

/** Only the letters and digits of a folded text: a part number in any spelling is one key. */
export function wordKey(folded: string): string {
  // Most are plain already, and the pattern for all letters takes a microsecond.
  return cut(plainKey.test(folded) ? folded : folded.replaceAll(/[^\p{L}\p{N}]+/gu, ''))
}

/** Words with a digit (years, sizes, numbers) are searched for as they are, all others by their stem. */
export const hasStem = (word: string): boolean => !/\p{N}/u.test(word)

/** A stock number or VIN. They are private to the seller: no public search can contain the `#`. */
export const ownMark = (key: string): string => `#${key}`

const cut = (word: string) => (word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH) : word)

// More words than anyone types; each costs a lookup in the index.
const MAX_WORDS = 10

type Term = { parts: readonly string[]; joined: string }

/** The typed words, and all of them together, which may be a part number. */
export type SearchTerms = { terms: readonly Term[]; whole: string }

/** Undefined if nothing was typed. Punctuation alone gives no terms. */
export function readTerms(typed: string | undefined): SearchTerms | undefined {
  const text = foldText(typed ?? '').trim()
  if (text === '') return undefined
  const terms = text
    .split(/\s+/)
    .map(toTerm)
    .filter(({ joined }) => joined !== '')
  return { terms: terms.slice(0, MAX_WORDS), whole: wordKey(text) }
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

/**
 * The text of a tsquery: every word must be the beginning of a word, or all of them together the beginning of a part number
 * in any spelling. '' finds everything, undefined nothing. `own` also searches the seller's own numbers.
 */
export function toQuery(
  terms: SearchTerms | undefined,
  lexemes: ReadonlyMap<string, string>,
  { own }: { own: boolean },
): string | undefined {
  if (!terms) return ''
  const typed = eitherOf([
    allOf(terms.terms.map((term) => termQuery(term, lexemes))),
    // A part number may be typed with spaces; without a digit it is not one, and a single word is searched already.
    terms.terms.length > 1 && /\p{N}/u.test(terms.whole) ? beginning(terms.whole) : '',
    own ? beginning(ownMark(terms.whole)) : '',
  ])
  return terms.whole === '' || typed === '' ? undefined : typed
}

/** '' for a stop word. */
function termQuery({ parts, joined }: Term, lexemes: ReadonlyMap<string, string>): string {
  const lexemeOf = (word: string) => lexemes.get(word) ?? ''
  const found = parts.map(lexemeOf).filter((lexeme) => lexeme !== '')
  // What is left of "nothing-is-called-this" without its stop words is in any prose.
  const isPhrase = parts.length > 2 && found.length * 2 <= parts.length
  return eitherOf([isPhrase ? '' : allOf(found.map(beginning)), beginning(lexemeOf(joined))])
}

/** A single letter or digit matches whole words only: as a prefix it would match a tenth of all words. */
function beginning(lexeme: string): string {
  if (lexeme === '') return ''
  return lexeme.length === 1 ? quotedLexeme(lexeme) : lexemePrefix(lexeme)
}

const allOf = (queries: readonly string[]) => combine(queries, ' & ')
const eitherOf = (queries: readonly string[]) => combine(queries, ' | ')

function combine(queries: readonly string[], operator: string): string {
  const asked = [...new Set(queries)].filter((query) => query !== '')
  return asked.length > 1 ? `(${asked.join(operator)})` : (asked[0] ?? '')
}
