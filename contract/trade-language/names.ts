/*
 * The one normal form of a name. Whatever compares what people wrote (searches, files, titles, the catalog) folds it here:
 * lower case, no accents, and words of letters and digits only.
 */

/** Letters that Unicode does not decompose into a plain letter and an accent. */
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

/** Lower case without accents and invisible characters. */
export function foldText(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replaceAll(/[æœøßłđðþı]/g, (letter) => plainLetters[letter] ?? letter)
}

/** Folded, with "&" as a word; "A.C." and "A/C" are one word, as are "P/S" and "M-B". */
const plainText = (text: string): string =>
  foldText(text)
    .replaceAll('&', ' and ')
    .replaceAll(/\b([a-z])[./](?=[a-z]\b)/g, '$1')

/** The words of a name, split at everything except letters and digits. */
export const wordsOf = (text: string): string[] => plainText(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** The words of a name, split at spaces only: "EX-L" is one word. */
export const spacedWordsOf = (text: string): string[] =>
  plainText(text)
    .split(/\s+/)
    .map((word) => word.replaceAll(/[^\p{L}\p{N}.]/gu, '').replaceAll(/^\.+|\.+$/g, ''))
    .filter((word) => word !== '')

// The catalog has about 10,000 names, which are compared again and again; a map of twice as many takes 3 MB.
const MOST_REMEMBERED = 20_000
const keys = new Map<string, string>()

/** The key of a name, letters and digits only: "F-150", "F 150" and "f150" are equal, as are "T & C" and "T and C". */
export function nameKey(name: string | readonly string[]): string {
  if (typeof name !== 'string') return nameKey(name.join(' '))
  const known = keys.get(name)
  if (known !== undefined) return known
  const key = wordsOf(name).join('')
  if (keys.size >= MOST_REMEMBERED) keys.clear()
  keys.set(name, key)
  return key
}

// Words that end in s but are not plurals.
const SINGULAR_IN_S = /(ss|us|is)$|^(abs|gas|lens|brass|series|trans|gps|tpms|chassis|dvs)$/

/** "switches" → "switch", "bodies" → "body". For words of parts only: a Genesis is not a plural. */
export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || SINGULAR_IN_S.test(word)) return word
  if (word.endsWith('ies') && word.length > 5) return `${word.slice(0, -3)}y`
  return /(x|ch|sh|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

/** Splits several names in one field: "Toyota/Lexus", "Focus, Fusion". */
export const splitNames = (text: string): string[] =>
  text
    .split(/[/,;+|]|\band\b|\bor\b|&/i)
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** A text without characters that show nothing, its letters composed: "ë" is one character, however it was typed. */
export const visibleText = (text: string): string =>
  ASCII_ONLY.test(text) ? text : text.normalize('NFC').replaceAll(/\p{Cf}/gu, '')

/** The stored form of a name. */
export const plainName = (name: string): string => visibleText(name).trim().replaceAll(/\s+/g, ' ')

/**
 * The key under which the database stores a lookup's name, as its `name_key()`: names that differ only in case and spaces
 * are one lookup, all other spellings are matched.
 */
export const lookupKey = (name: string): string => visibleText(name).replaceAll(/\s+/g, '').toLowerCase()

// A platform such as GMT800 is that of thirty models.
const MOST_NAMED = 4

/** "Wrangler or Hardtop"; a 328i and a 328I are one to a reader. */
export function oneOf(names: readonly string[]): string {
  const named = [...Map.groupBy(names, (name) => name.toLowerCase()).values()].map(([first]) => first ?? '')
  if (named.length <= MOST_NAMED) return named.join(' or ')
  return `${named.slice(0, 2).join(', ')} or ${named.length - 2} more`
}
