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

/**
 * How many letters are added, left out, wrong or swapped with their neighbour between two words (Damerau and Levenshtein,
 * restricted); more than `most` is answered as `most + 1`.
 */
export function editsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  let leastBefore = 0
  for (let row = 1; row <= a.length; row += 1) {
    const current = nextRow(a, b, { row, beforeLast, last })
    const least = Math.min(...current)
    // Most words have nothing to do with each other, which shows at their first letters.
    if (least > most && leastBefore > most) return most + 1
    leastBefore = least
    beforeLast = last
    last = current
  }
  return Math.min(last[b.length] ?? 0, most + 1)
}

type Rows = { readonly row: number; readonly beforeLast: readonly number[]; readonly last: readonly number[] }

function nextRow(a: string, b: string, { row, beforeLast, last }: Rows): number[] {
  const current = [row]
  for (let column = 1; column <= b.length; column += 1) {
    const [x, y] = [a[row - 1], b[column - 1]]
    const changed = (last[column - 1] ?? 0) + (x === y ? 0 : 1)
    const best = Math.min(changed, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
    const isSwap = row > 1 && column > 1 && x === b[column - 2] && y === a[row - 2]
    current.push(isSwap ? Math.min(best, (beforeLast[column - 2] ?? 0) + 1) : best)
  }
  return current
}

/**
 * How many edits make one word of the other, if so few that it is the same word mistyped; undefined if not. Short words and
 * numbers are not mistyped but others: Fit and Kit, E150 and E250.
 */
export function typoBetween(typed: string, known: string): number | undefined {
  // The first letter is the last one to be mistyped; swapped with the second it is. Asked first, since it is told fastest.
  if (typed[0] !== known[0] && !(typed[0] === known[1] && typed[1] === known[0])) return undefined
  const length = Math.min(typed.length, known.length)
  if (length < 4 || /\d/.test(typed) || /\d/.test(known)) return undefined
  const most = length >= 8 ? 2 : 1
  const edits = editsBetween(typed, known, most)
  if (edits === 0 || edits > most) return undefined
  // Of four letters only two that are swapped: Axel, Frod.
  return length > 4 || isSwapped(typed, known) ? edits : undefined
}

const isSwapped = (a: string, b: string) =>
  a.length === b.length && [...a].sort().join('') === [...b].sort().join('')

/** Trigrams as PostgreSQL's pg_trgm makes them of one word. */
function trigramsOf(text: string): Set<string> {
  const padded = `  ${text} `
  const trigrams = new Set<string>()
  for (let place = 0; place + 3 <= padded.length; place += 1) trigrams.add(padded.slice(place, place + 3))
  return trigrams
}

export type Similar<T> = { readonly entry: T; readonly similarity: number }

/** Names by their trigrams, for asking which of them look like a text. */
export class TrigramIndex<T> {
  readonly #sizes: number[] = []
  readonly #entries: T[] = []
  readonly #places = new Map<string, number[]>()

  add(text: string, entry: T): void {
    const trigrams = trigramsOf(text)
    for (const trigram of trigrams) {
      const places = this.#places.get(trigram)
      if (places) places.push(this.#entries.length)
      else this.#places.set(trigram, [this.#entries.length])
    }
    this.#sizes.push(trigrams.size)
    this.#entries.push(entry)
  }

  /** What shares at least `least` of its trigrams with the text, most alike first; each entry once, at most `most`. */
  find(text: string, { least, most }: { least: number; most: number }): Similar<T>[] {
    const trigrams = trigramsOf(text)
    const shared = new Map<number, number>()
    for (const trigram of trigrams) {
      for (const place of this.#places.get(trigram) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1)
    }
    const best = new Map<T, number>()
    for (const [place, count] of shared) {
      const similarity = count / (trigrams.size + (this.#sizes[place] ?? 0) - count)
      const entry = this.#entries[place] as T
      if (similarity >= least && similarity > (best.get(entry) ?? 0)) best.set(entry, similarity)
    }
    return [...best]
      .map(([entry, similarity]) => ({ entry, similarity: Math.round(similarity * 100) / 100 }))
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, most)
  }
}

const PLACEHOLDERS = new Set([
  ...[
    '',
    'na',
    'none',
    'null',
    'nil',
    'tbd',
    'unknown',
    'unk',
    'unspecified',
    'undefined',
    'blank',
    'empty',
    'test',
  ],
  ...[
    'other',
    'others',
    'misc',
    'miscellaneous',
    'various',
    'varies',
    'general',
    'generic',
    'assorted',
    'multiple',
  ],
  ...[
    'all',
    'any',
    'universal',
    'allmakes',
    'allmodels',
    'multifit',
    'foreign',
    'import',
    'imports',
    'domestic',
  ],
  ...[
    'part',
    'parts',
    'autopart',
    'autoparts',
    'usedparts',
    'carparts',
    'accessory',
    'accessories',
    'oem',
    'stock',
  ],
  ...[
    'car',
    'cars',
    'truck',
    'trucks',
    'van',
    'vans',
    'minivan',
    'pickup',
    'suv',
    'auto',
    'vehicle',
    'sedan',
    'coupe',
  ],
  ...['see', 'seedescription', 'seenotes', 'asdescribed', 'xx', 'xxx', 'zz', 'zzz'],
])

/** Typed into a field because something had to be: it names nothing. */
export const isPlaceholder = (text: string): boolean => PLACEHOLDERS.has(squash(text))

/** "Toyota/Lexus", "Focus, Fusion": two names in one field. */
export const namesOf = (text: string): string[] =>
  text
    .split(/[/,;+|]|\band\b|\bor\b|&/i)
    .map((name) => name.trim())
    .filter((name) => name !== '')
