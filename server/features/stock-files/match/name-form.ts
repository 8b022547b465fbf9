import { remembering } from '#server/platform/recent-values.ts'

/*
 * Normalized forms of names, so that different spellings can be compared: words, squashed letters, typos, trigrams. Every
 * form consists of a-z and 0-9 only.
 */

// All names of the catalog are read again whenever one changes, and each is compared in several forms.
export const NAMES_REMEMBERED = 10_000

/** "Müller & Söhne" as plain lower-case text. "A.C." and "A/C" become one word, as do "P/S" and "M-B". */
const plainText = remembering(
  (text) =>
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll('&', ' and ')
      .replaceAll(/\b([a-z])[./](?=[a-z]\b)/g, '$1'),
  NAMES_REMEMBERED,
)

/** The words of a name, split at everything except letters and digits. */
export const wordsOf = (text: string): string[] => plainText(text).match(/[a-z0-9]+/g) ?? []

/** The words of a name, split at spaces only: "EX-L" is one word. */
export const spacedWordsOf = (text: string): string[] =>
  plainText(text)
    .split(/\s+/)
    .map((word) => word.replaceAll(/[^a-z0-9.]/g, '').replaceAll(/^\.+|\.+$/g, ''))
    .filter((word) => word !== '')

const squashText = remembering((text) => wordsOf(text).join(''), NAMES_REMEMBERED)

/** Letters and digits only: "F-150", "F 150" and "f150" are equal. */
export const squash = (words: readonly string[] | string): string =>
  typeof words === 'string' ? squashText(words) : words.join('').replaceAll('.', '')

// Words that end in s but are not plurals.
const SINGULAR_IN_S = /(ss|us|is)$|^(abs|gas|lens|brass|series|trans|gps|tpms|chassis|dvs)$/

/** "switches" → "switch", "bodies" → "body". For words of parts only: a Genesis is not a plural. */
export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || SINGULAR_IN_S.test(word)) return word
  if (word.endsWith('ies') && word.length > 5) return `${word.slice(0, -3)}y`
  return /(x|ch|sh|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

/**
 * How many letters are added, missing, wrong or swapped with a neighbor between two words (restricted Damerau-Levenshtein
 * distance). Returns `max + 1` for anything above `max`.
 */
export function editsBetween(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  let previousMin = 0
  for (let row = 1; row <= a.length; row += 1) {
    const current = nextRow(a, b, { row, beforePrevious, previous })
    const min = Math.min(...current)
    // Most words are unrelated, which shows after a few letters.
    if (min > max && previousMin > max) return max + 1
    previousMin = min
    beforePrevious = previous
    previous = current
  }
  return Math.min(previous[b.length] ?? 0, max + 1)
}

type Rows = {
  readonly row: number
  readonly beforePrevious: readonly number[]
  readonly previous: readonly number[]
}

function nextRow(a: string, b: string, { row, beforePrevious, previous }: Rows): number[] {
  const current = [row]
  for (let column = 1; column <= b.length; column += 1) {
    const [x, y] = [a[row - 1], b[column - 1]]
    const changed = (previous[column - 1] ?? 0) + (x === y ? 0 : 1)
    const best = Math.min(changed, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
    const isSwap = row > 1 && column > 1 && x === b[column - 2] && y === a[row - 2]
    current.push(isSwap ? Math.min(best, (beforePrevious[column - 2] ?? 0) + 1) : best)
  }
  return current
}

/**
 * The number of edits if `typed` is probably a typo of `known`, or undefined. Short words and numbers are other names, not
 * typos: Fit and Kit, E150 and E250.
 */
export function typoBetween(typed: string, known: string): number | undefined {
  // People rarely mistype the first letter, except by swapping it with the second. First, because it is the fastest check.
  if (typed[0] !== known[0] && !(typed[0] === known[1] && typed[1] === known[0])) return undefined
  const length = Math.min(typed.length, known.length)
  if (length < 4 || /\d/.test(typed) || /\d/.test(known)) return undefined
  const max = length >= 8 ? 2 : 1
  const edits = editsBetween(typed, known, max)
  if (edits === 0 || edits > max) return undefined
  // In four-letter words only a swap counts: Axel, Frod.
  return length > 4 || isSwapped(typed, known) ? edits : undefined
}

const isSwapped = (a: string, b: string) =>
  a.length === b.length && [...a].sort().join('') === [...b].sort().join('')

/** The trigrams of one word, as in PostgreSQL's pg_trgm. */
function trigramsOf(text: string): Set<string> {
  const padded = `  ${text} `
  return new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3)))
}

/** Finds entries by names that share trigrams with a text. Most names match without it, so it is built when first used. */
export class TrigramIndex<T> {
  #waiting: { readonly text: string; readonly entry: T }[] = []
  readonly #names: { readonly size: number; readonly entry: T }[] = []
  /** Positions in `#names` by trigram. */
  readonly #positions = new Map<string, number[]>()

  add(text: string, entry: T): void {
    this.#waiting.push({ text, entry })
  }

  #build(): void {
    for (const { text, entry } of this.#waiting) {
      const trigrams = trigramsOf(text)
      for (const trigram of trigrams) {
        const positions = this.#positions.get(trigram)
        if (positions) positions.push(this.#names.length)
        else this.#positions.set(trigram, [this.#names.length])
      }
      this.#names.push({ size: trigrams.size, entry })
    }
    this.#waiting = []
  }

  /** Up to `limit` entries with a similarity of at least `min`, most similar first; each entry once. */
  find(text: string, { min, limit }: { min: number; limit: number }): { entry: T; similarity: number }[] {
    this.#build()
    const trigrams = trigramsOf(text)
    const shared = new Map<number, number>()
    for (const trigram of trigrams) {
      for (const at of this.#positions.get(trigram) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1)
    }
    const best = new Map<T, number>()
    for (const [at, count] of shared) {
      const { size, entry } = this.#names[at] as { size: number; entry: T }
      const similarity = count / (trigrams.size + size - count)
      if (similarity >= min && similarity > (best.get(entry) ?? 0)) best.set(entry, similarity)
    }
    return [...best]
      .map(([entry, similarity]) => ({ entry, similarity: Math.round(similarity * 100) / 100 }))
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, limit)
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

/** Whether a text only fills the field and names nothing. */
export const isPlaceholder = (text: string): boolean => PLACEHOLDERS.has(squash(text))

/** Splits several names in one field: "Toyota/Lexus", "Focus, Fusion". */
export const splitNames = (text: string): string[] =>
  text
    .split(/[/,;+|]|\band\b|\bor\b|&/i)
    .map((name) => name.trim())
    .filter((name) => name !== '')
