/*
 * How text becomes the words that are searched for, one way for listings and for what people type. Everything is said
 * here: what the two sides did differently, no search would find.
 */

/** Letters that Unicode does not take apart into a plain letter and a sign. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

const ASCII_ONLY = /^[\0-\x7f]*$/

/** Lower case without accents. */
export function foldText(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[æœøßłđðþı]/g, (letter) => plainLetters[letter] ?? letter)
}

// A lexeme of PostgreSQL has at most 2,046 bytes, and a letter at most three for each of its places here.
const LONGEST_WORD = 500

// "F-150", "A/C", "2.5", "R&R", "driver's" are one word and also what it is made of.
const asciiTokens = /[a-z0-9]+(?:[-/.&'][a-z0-9]+)*/g
const anyTokens = /[\p{L}\p{N}]+(?:[-/.&'’][\p{L}\p{N}]+)*/gu
const joints = /[-/.&'’]/

/** Calls back with every word of a folded text: "f-150" says f, 150 and f150. */
export function eachWord(folded: string, say: (word: string) => void): void {
  const tokens = folded.match(ASCII_ONLY.test(folded) ? asciiTokens : anyTokens)
  if (!tokens) return
  for (const token of tokens) {
    const parts = joints.test(token) ? token.split(joints) : [token]
    for (const part of parts) say(cut(part))
    if (parts.length > 1) say(cut(parts.join('')))
  }
}

const plainKey = /^[a-z0-9]*$/

/** Letters and digits of a folded text alone: a part number in any spelling is one key. */
export function wordKey(folded: string): string {
  // Most are already: the pattern for all letters takes a microsecond.
  return cut(plainKey.test(folded) ? folded : folded.replaceAll(/[^\p{L}\p{N}]+/gu, ''))
}

/** Words with a digit in them (years, sizes, numbers) are searched for as they are, all others by their stem. */
export const hasStem = (word: string): boolean => !/\p{N}/u.test(word)

/** A stock number or VIN. They are the seller's own: no public search can contain the sign. */
export const ownMark = (key: string): string => `#${key}`

/** A year that the part is of, apart from every number in its text. */
export const yearMark = (year: number): string => `@${year}`

const cut = (word: string) => (word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD) : word)

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
