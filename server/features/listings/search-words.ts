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
