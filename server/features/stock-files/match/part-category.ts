import { type CategoryMatcher, partWords, withoutExtras } from './category-matcher.ts'
import { isPlaceholder } from './name-form.ts'
import { type Candidate, type KnownName, MAX_CANDIDATES } from './name-verdict.ts'
import { LOOSE, PIECES, QUALIFIERS, SECTIONS } from './part-words.ts'

/*
 * The category of a part: its own name decides first, since the last noun of a part name is nearly always its category;
 * the yard's word for it ("Body", "Doors", "Glass") is a hint. Both together say how certain that is.
 */

/**
 * How often such a match is right, as measured with `yard-parts.csv` (see its test, which keeps them true): the name is
 * exactly a category's; it has further words; it fits several categories and the yard's word names one of them; only the
 * word says it; the word contradicts the name.
 */
const CERTAINTY = { exact: 0.99, longer: 0.97, hinted: 0.95, worded: 0.95, mistyped: 0.93, loose: 0.6, torn: 0.5 } as const

/** Below this, nothing is published: the seller is asked. */
export const SURE_ENOUGH = 0.9

type CategoryVerdict =
  | { readonly kind: 'known'; readonly id: string; readonly name: string; readonly certainty: number }
  | { readonly kind: 'unsure'; readonly candidates: readonly Candidate[] }

/** `partType`: what the name says the part is, without side, vehicle and numbers; '' if it says nothing. */
export type PartReading = { readonly verdict: CategoryVerdict; readonly partType: string }

/** A category found in a name: in its words from `from` up to `to`. */
type Found = { readonly entry: KnownName; readonly from: number; readonly to: number; readonly inOrder: boolean }

type NameReading = {
  /** Words of parts, without side, condition and numbers. */
  readonly words: readonly string[]
  /** The place of the noun that the part is; -1 if there is none. */
  readonly head: number
  /** The category that the head belongs to. */
  readonly best: Found | undefined
  /** Other categories in the name. */
  readonly others: readonly Found[]
  readonly certainty: number
}

// A name has a handful of words; a pasted description has hundreds.
const MAX_WORDS = 12

/** What follows belongs to the part's description: "Door mirror with signal", "Radiator for F-150". */
const ASIDE = /\s(?:with|w\/o?|without|for|fits|from|under|behind|incl(?:udes|uding)?|off of|out of)(?:\s|$).*$/i

/** "130 amp", "6 speed": measures, whose units are also words of parts. */
const MEASURE = /\b\d[\d.,x/-]*\s*(?:amps?|speed|spd|inch|in|volts?|ft|gal|spokes?|cyl(?:inders?)?|liters?|mm|doors?|dr)\b/gi

/** Built once, then used for any number of parts. */
export class PartCategoryMatcher {
  readonly #categories: CategoryMatcher

  constructor(categories: CategoryMatcher) {
    this.#categories = categories
  }

  /** `word`: the yard's own category; '' if it has none. */
  match(name: string, word: string): PartReading {
    const reading = this.#read(name)
    const partType = reading.words.join(' ')
    return { verdict: this.#decide(reading, word), partType }
  }

  #decide(name: NameReading, word: string): CategoryVerdict {
    const groups = SECTIONS.get(partWords(word).join(' '))
    const said = word === '' || groups || isPlaceholder(word) ? undefined : this.#saidBy(word)
    const { best, certainty } = name
    if (best && certainty >= SURE_ENOUGH) return known(best.entry, certainty)
    if (said && this.#agrees(name, said)) return known(said, CERTAINTY.worded)
    const possible = this.#possible(name)
    const hinted = this.#narrowed(name, possible, word, groups)
    if (hinted) return known(hinted, CERTAINTY.hinted)
    const likely = [...(best ? [best.entry] : []), ...possible, ...(said ? [said] : [])]
    return unsureAmong(likely.length > 0 ? likely : this.#namedBy(word))
  }

  /** The confirmed category that the yard's word names. */
  #saidBy(word: string): KnownName | undefined {
    const verdict = this.#categories.match(word)
    return verdict.kind === 'known' ? { ...verdict, aliases: [], confirmed: true } : undefined
  }

  /** Whether the name leaves room for the category that the yard named: an alternator bracket is no alternator. */
  #agrees({ words, head }: NameReading, said: KnownName): boolean {
    const noun = words[head]
    if (noun === undefined) return true
    return this.#formsOf(said).some((form) => form.includes(noun))
  }

  #formsOf({ id, name }: KnownName): string[][] {
    return this.#categories.formsOf(id) ?? [partWords(name)]
  }

  /** Categories with all words of the name and more. */
  #possible({ words, head }: NameReading): KnownName[] {
    const noun = words[head]
    if (noun === undefined) return []
    const all = this.#categories.havingAll(words)
    if (all.length > 0) return all
    const around = words.filter((word, at) => at === head || !QUALIFIERS.has(word))
    return around.length < words.length ? this.#categories.havingAll(around) : []
  }

  /** The only one of them that the yard's word allows. */
  #narrowed(
    name: NameReading,
    possible: readonly KnownName[],
    word: string,
    groups: readonly string[] | undefined,
  ): KnownName | undefined {
    const { best } = name
    if (best && LOOSE.has(name.words[best.from] ?? '') && groups?.includes(best.entry.group ?? '') && name.others.length === 0)
      return name.words.length === best.to - best.from ? best.entry : undefined
    const hint = new Set([...partWords(word), ...name.words])
    const noun = name.words[name.head] ?? ''
    const named = possible.filter((entry) => this.#formsOf(entry).some((form) => form.at(-1) === noun && form.every((each) => hint.has(each) || each === 'assembly')))
    const [only, ...more] = named
    return only && more.length === 0 ? only : undefined
  }

  #namedBy(word: string): KnownName[] {
    const words = withoutExtras(partWords(word))
    return words.length === 0 ? [] : this.#categories.havingAll(words)
  }

  #read(text: string): NameReading {
    const whole = this.#readWords(text)
    const cut = text.replace(ASIDE, '')
    if (cut === text || (whole.best && whole.certainty >= SURE_ENOUGH && whole.best.to - whole.best.from > 1)) return whole
    return this.#readWords(cut)
  }

  #readWords(text: string): NameReading {
    const all = partWords(text.replaceAll(MEASURE, ' ')).filter((word) => !/\d/.test(word) || this.#categories.isWord(word))
    const spelled = withoutExtras(all).slice(0, MAX_WORDS)
    const asTyped = this.#readSpelled(spelled)
    if (asTyped.best) return asTyped
    const corrected = this.#categories.corrected(spelled)
    if (!corrected) return asTyped
    const read = this.#readSpelled(corrected.words)
    return read.best ? { ...read, certainty: Math.min(read.certainty, CERTAINTY.mistyped) } : asTyped
  }

  #readSpelled(spelled: readonly string[]): NameReading {
    const words = spelled.filter((word) => this.#isPartWord(word))
    const head = headOf(words)
    const found = this.#findAll(words)
    const best = found
      .filter(({ from, to }) => from <= head && head < to)
      .toSorted((a, b) => b.to - b.from - (a.to - a.from) || Number(b.inOrder) - Number(a.inOrder) || b.to - a.to)[0]
    const others = found.filter(({ entry }) => entry.id !== best?.entry.id)
    // Words that are no part's, such as a brand or a vehicle.
    const hasMore = words.length < spelled.length
    return { words, head, best, others, certainty: best ? certaintyOf(best, { words, others, hasMore }) : 0 }
  }

  #isPartWord(word: string): boolean {
    return this.#categories.isWord(word) || PIECES.has(word) || QUALIFIERS.has(word)
  }

  /** The categories in a name; none that another one contains: in "wheel bearing" there is no wheel. */
  #findAll(words: readonly string[]): Found[] {
    const found: Found[] = []
    for (let size = words.length; size > 0; size -= 1) {
      for (let from = words.length - size; from >= 0; from -= 1) {
        const to = from + size
        if (found.some((other) => other.from <= from && to <= other.to)) continue
        const span = words.slice(from, to)
        const entry = this.#categories.formOf(span)
        if (entry) found.push({ entry, from, to, inOrder: this.#formsOf(entry).some((form) => form.join() === span.join()) })
      }
    }
    return found
  }
}

/** The last noun; words about its place may follow: "door glass front". */
const headOf = (words: readonly string[]): number => words.findLastIndex((word) => !QUALIFIERS.has(word))

type Beside = { readonly words: readonly string[]; readonly others: readonly Found[]; readonly hasMore: boolean }

function certaintyOf({ entry, from, to }: Found, { words, others, hasMore }: Beside): number {
  const rest = words.filter((word, at) => (at < from || at >= to) && !QUALIFIERS.has(word))
  if (to - from === 1) {
    const word = words[from] ?? ''
    const isOwnName = partWords(entry.name).join(' ') === word && rest.length === 0
    if (!isOwnName && (LOOSE.has(word) || (PIECES.has(word) && rest.length > 0))) return CERTAINTY.loose
  }
  // A piece before the name belongs to it ("hinge cover"), one behind it would be the head.
  if (rest.length === 0) return hasMore ? CERTAINTY.longer : CERTAINTY.exact
  return others.some((other) => other.from > to) ? CERTAINTY.torn : CERTAINTY.longer
}

const known = ({ id, name }: KnownName, certainty: number): CategoryVerdict => ({ kind: 'known', id, name, certainty })

/** The likeliest first; together they are less certain than one match would have to be. */
function unsureAmong(entries: readonly KnownName[]): CategoryVerdict {
  const distinct = [...new Map(entries.map((entry) => [entry.id, entry])).values()].slice(0, MAX_CANDIDATES)
  const share = Math.round((CERTAINTY.loose / Math.max(1, distinct.length)) * 100) / 100
  return { kind: 'unsure', candidates: distinct.map(({ id, name }) => ({ id, name, confidence: share })) }
}
