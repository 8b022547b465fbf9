/* Typos: the distance between two words, and the known word that was probably meant. */

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

const isSwapped = (a: string, b: string) => a.length === b.length && sortedLetters(a) === sortedLetters(b)
const sortedLetters = (word: string) => [...word].sort().join('')

// Short words with one letter changed are usually different words: fit and kit.
const SHORTEST = 4
// Words of this length may have two wrong letters.
const LONG = 8
// More wrong letters would be a guess.
const MOST_EDITS = 2

/** `of`: what the word stands for. `letters`: a bit set, which rules out nearly all words: 20,000 take 0.1 ms and 2 MB. */
type Entry = { readonly word: string; readonly of: string; readonly letters: number; readonly weight: number }

/**
 * The words used in one kind of names. Such a word is never a typo: a "brake motor" is not a brake rotor, though they
 * differ in one letter. Any other word may be a typo of one of them.
 */
export class KnownWords {
  readonly #words = new Set<string>()
  readonly #byLength = new Map<number, Entry[]>()

  /** `weight`: higher for likelier words. */
  add(word: string, of = word, weight = 0): void {
    if (this.#words.has(word)) return
    this.#words.add(word)
    const entry = { word, of, letters: lettersOf(word), weight }
    const sameLength = this.#byLength.get(word.length)
    if (sameLength) sameLength.push(entry)
    else this.#byLength.set(word.length, [entry])
  }

  has(word: string): boolean {
    return this.#words.has(word)
  }

  /** What was mistyped in a file, if one is nearer than all others: a wrong correction there becomes a wrong part. */
  mistyped(typed: string): { of: string; edits: number } | undefined {
    const best = this.#nearest(typed, MOST_EDITS, ({ word }) => typoBetween(typed, word))
    return best?.isOnly ? { of: best.of, edits: best.score } : undefined
  }

  /** Corrects typos in words for which `isWord` is false. Undefined if there are none, or too many wrong letters. */
  correct(
    words: readonly string[],
    isWord: (word: string) => boolean,
  ): { words: string[]; edits: number } | undefined {
    let edits = 0
    const corrected = words.map((word) => {
      const found = isWord(word) ? undefined : this.mistyped(word.replaceAll('.', ''))
      edits += found?.edits ?? 0
      return found?.of ?? word
    })
    return edits === 0 || edits > MOST_EDITS ? undefined : { words: corrected, edits }
  }

  /** What was probably meant in a search. A buyer sees what was corrected and can undo it, so that more is. */
  meant(typed: string): string | undefined {
    if (typed.length < SHORTEST - 1 || !/^[a-z]+$/.test(typed)) return undefined
    const most = typed.length >= LONG ? MOST_EDITS : 1
    return this.#nearest(typed, most, (entry) => {
      const edits = isDoubledElsewhere(typed, entry.word) ? 1 : editsBetween(typed, entry.word, most)
      const isTypo = edits > 0 && edits <= most && isLikely(typed, entry.word, edits)
      return isTypo ? scoreOf(typed, entry, edits) : undefined
    })?.of
  }

  /** The first of those with the lowest score. */
  #nearest(typed: string, most: number, scoreIn: (entry: Entry) => number | undefined): Best | undefined {
    const letters = lettersOf(typed)
    let best: Best | undefined
    for (let length = typed.length - most; length <= typed.length + most; length += 1) {
      for (const entry of this.#byLength.get(length) ?? []) {
        // A wrong letter removes one bit and adds one.
        const score = bits(letters ^ entry.letters) > 2 * most ? undefined : scoreIn(entry)
        if (score !== undefined) best = betterOf(best, entry.of, score)
      }
    }
    return best
  }
}

/** `isOnly`: whether all entries with this score stand for the same. */
type Best = { readonly of: string; readonly score: number; readonly isOnly: boolean }

function betterOf(best: Best | undefined, of: string, score: number): Best {
  if (!best || score < best.score) return { of, score, isOnly: true }
  return score === best.score && of !== best.of ? { ...best, isOnly: false } : best
}

/** The number of edits if `typed` is probably a typo of `known`, or undefined. Fit and Kit, E150 and E250 are other names. */
export function typoBetween(typed: string, known: string): number | undefined {
  // People rarely mistype the first letter, except by swapping it with the second. First, because it is the fastest check.
  if (typed[0] !== known[0] && !(typed[0] === known[1] && typed[1] === known[0])) return undefined
  const length = Math.min(typed.length, known.length)
  if (length < SHORTEST || /\d/.test(typed) || /\d/.test(known)) return undefined
  const max = length >= LONG ? MOST_EDITS : 1
  const edits = editsBetween(typed, known, max)
  if (edits === 0 || edits > max) return undefined
  // In four-letter words only a swap counts: Axel, Frod.
  return length > SHORTEST || isSwapped(typed, known) ? edits : undefined
}

export type Spelling = {
  /** The known word that was probably meant, or undefined. */
  correct(typed: string): string | undefined
}

/** Known words with weights, likelier ones with a higher number. Numbers are never typos of each other. */
export function openSpelling(weights: ReadonlyMap<string, number>): Spelling {
  const words = new KnownWords()
  for (const [word, weight] of weights) {
    if (word.length >= SHORTEST && !/\d/.test(word)) words.add(word, word, weight)
  }
  return { correct: (typed) => words.meant(typed) }
}

/** People rarely mistype the first letter, and of four letters they only swap two, or a double: "dorr", "hod". */
function isLikely(typed: string, known: string, edits: number): boolean {
  const isSwap = isSwapped(typed, known)
  const isDouble = typed[0] === known[0] && lettersOf(typed) === lettersOf(known)
  if (typed.length < SHORTEST) return isDouble
  if (known.length === SHORTEST) return isSwap || isDouble
  // A four-letter word may miss a letter ("weel") or have two swapped.
  if (typed.length === SHORTEST) return isSwap || (known.length > SHORTEST && typed[0] === known[0])
  if (typed[0] === known[0]) return true
  return edits === 1 && (isSwap || (typed.length >= LONG && known.length >= LONG))
}

/** People who know that a letter is doubled often double another one: "corrola". */
const isDoubledElsewhere = (typed: string, known: string): boolean =>
  typed !== known && typed.length === known.length && undoubled(typed) === undoubled(known)
const undoubled = (word: string) => word.replaceAll(/(.)\1/g, '$1')

/** Fewer wrong letters first, then swapped or doubled ones, then the likelier word. */
function scoreOf(typed: string, { word, weight }: Entry, edits: number): number {
  const isSlip = sortedLetters(typed) === sortedLetters(word) || lettersOf(typed) === lettersOf(word)
  return edits * 10 - (isSlip ? 3 : 0) - weight
}

const A = 97

function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at += 1) letters |= 1 << ((word.charCodeAt(at) - A) & 31)
  return letters
}

function bits(letters: number): number {
  let count = 0
  for (let rest = letters; rest !== 0; rest &= rest - 1) count += 1
  return count
}

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
