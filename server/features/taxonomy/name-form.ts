/* The forms under which two spellings of a name are compared. All of them are made of a-z and 0-9 alone. */

/** "Müller & Söhne" as plain lower-case text; "A.C." and "A/C" are one word, as are "P/S" and "M-B". */
function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/\b([a-z])[./](?=[a-z]\b)/g, '$1')
}

/** The words of a name, cut wherever there is neither a letter nor a digit. */
export const wordsOf = (text: string): string[] => plainText(text).match(/[a-z0-9]+/g) ?? []

/** The words as the spaces cut them: "EX-L" is one word. */
export const spacedWordsOf = (text: string): string[] =>
  plainText(text)
    .split(/\s+/)
    .map((word) => word.replaceAll(/[^a-z0-9.]/g, '').replaceAll(/^\.+|\.+$/g, ''))
    .filter((word) => word !== '')

/** Nothing but letters and digits: "F-150", "F 150" and "f150" are one. */
export const squash = (words: readonly string[] | string): string =>
  (typeof words === 'string' ? wordsOf(words) : words).join('').replaceAll('.', '')

// Words that end in s and are not a plural.
const SINGULAR_IN_S = /(ss|us|is)$|^(abs|gas|lens|brass|series|gps|tpms|chassis|dvs)$/

/** One of them: "switches" is a switch, "bodies" a body. Only for words of parts; a Genesis is no two of anything. */
export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || SINGULAR_IN_S.test(word)) return word
  if (word.endsWith('ies') && word.length > 5) return `${word.slice(0, -3)}y`
  return /(x|ch|sh|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}
