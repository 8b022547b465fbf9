import type { YearSpan } from '#contract/listing/year-span.ts'
import { lookupKey, nameKey } from './names.ts'
import type { TrigramIndex } from './spelling.ts'

/*
 * The result for a typed name: a known lookup, a new name, or unsure with candidates; and the confidence of each kind
 * of match.
 */

/** What an alias implies besides its model: "F150 Regular Cab" a body style, "328i" a trim. */
export type BesideModel = { readonly bodyStyle?: string; readonly trim?: string }

/** A lookup that a name can match. */
export type KnownName = {
  readonly id: string
  readonly name: string
  /** Other names that people use for it. */
  readonly aliases: readonly string[]
  /** False for a name from a file that no one has reviewed. */
  readonly confirmed: boolean
  /** For a category, its group if it has one. */
  readonly group?: string | null
  /** For a category whose parts need no vehicle. */
  readonly universal?: boolean
}

/** First and last year, both included. */
export type YearRange = readonly [from: number, to: number]

export type KnownModel = KnownName & {
  readonly manufacturerId: string
  /** Model years; empty if unknown. */
  readonly years: readonly YearRange[]
  /** The trim and body style that an alias implies, by the alias's `lookupKey`. */
  readonly beside?: Readonly<Record<string, BesideModel>>
}

/**
 * How a name matched: its own spelling (`exact`), an alias, the same letters and digits (`spelling`), an abbreviation, with
 * extra words (`within`), or as a typo (`similar`).
 */
export type MatchMethod = 'exact' | 'alias' | 'spelling' | 'abbreviation' | 'within' | 'similar'

export type Candidate = { readonly id: string; readonly name: string; readonly confidence: number }

type Match = {
  readonly how: MatchMethod
  readonly confidence: number
  readonly years?: readonly YearRange[]
}

export type KnownVerdict = Match & {
  readonly kind: 'known'
  readonly id: string
  readonly name: string
} & BesideModel

export type NameVerdict =
  | KnownVerdict
  /** No lookup has this name. */
  | ({
      readonly kind: 'new'
      readonly name: string
      /** Set if several catalog models share this name: "F150" with any cab. */
      readonly family?: Match
    } & BesideModel)
  /** A person has to decide; until then the name stays as text. */
  | { readonly kind: 'unsure'; readonly reason: string; readonly candidates: readonly Candidate[] }

/** `similar` loses CONFIDENCE_PER_EDIT for each letter that differs. */
const CONFIDENCE: Record<MatchMethod, number> = {
  exact: 1,
  alias: 1,
  spelling: 0.98,
  abbreviation: 0.96,
  within: 0.93,
  similar: 0.95,
}
const CONFIDENCE_PER_EDIT = 0.04

/** An automatic match needs this much; anything below is a candidate. */
export const MIN_CONFIDENCE = 0.85

/** If a match is at least this certain, no new name is created (CONTRACT.md, third edition, "New names"). */
export const CERTAIN_ANSWER = 0.9

export const MAX_CANDIDATES = 5

export const confidenceOf = (how: MatchMethod, edits = 0): number =>
  Math.round((CONFIDENCE[how] - CONFIDENCE_PER_EDIT * edits) * 100) / 100

type Found = { id: string; name: string; years?: readonly YearRange[] }

export const known = ({ id, name, years }: Found, how: MatchMethod, edits = 0): KnownVerdict => ({
  kind: 'known',
  id,
  name,
  how,
  confidence: confidenceOf(how, edits),
  ...(years && { years }),
})

export const unsure = (
  reason: string,
  candidates: readonly Candidate[] = [],
): NameVerdict & { kind: 'unsure' } => ({ kind: 'unsure', reason, candidates })

/** A name that could be any of these. */
export const oneOfSeveral = (entries: Iterable<Found>): NameVerdict =>
  unsure(
    'This could be one of several names.',
    [...entries].map(({ id, name }) => ({ id, name, confidence: 0.5 })),
  )

/** A name is new unless `names` has similar ones. `key` is its form in that index. */
export function newUnlessSimilar(
  names: TrigramIndex<KnownName>,
  { key, name, min }: { key: string; name: string; min: number },
): NameVerdict {
  const similar = names.find(key, { min, limit: MAX_CANDIDATES })
  if (similar.length === 0) return { kind: 'new', name }
  return unsure(
    'This looks like another name.',
    similar.map(({ entry, similarity }) => ({ id: entry.id, name: entry.name, confidence: similarity })),
  )
}

/** The only candidate that is as good as an answer, if there is one. */
export function surely(verdict: NameVerdict & { kind: 'unsure' }): NameVerdict {
  const [best, ...others] = verdict.candidates.filter(({ confidence }) => confidence >= CERTAIN_ANSWER)
  return best && others.length === 0 ? { ...known(best, 'similar'), confidence: best.confidence } : verdict
}

/** How a name matched the catalog; undefined if it is new or unsure. */
export function matchOf(verdict: NameVerdict): Match | undefined {
  if (verdict.kind === 'known') return verdict
  return verdict.kind === 'new' ? verdict.family : undefined
}

/** True if unknown. One year of tolerance: a car built in 2011 may be sold as a 2010. */
export function wasBuiltIn(years: readonly YearRange[] | undefined, span: YearSpan | undefined): boolean {
  if (!years || years.length === 0 || span === undefined) return true
  return years.some(([from, to]) => span.to >= from - 1 && span.from <= to + 1)
}

/**
 * Names from files that no one has reviewed. They may be typos themselves, so only equal spellings match them, and only if
 * no confirmed name matches. An alias of such a name is a person's decision and counts as confirmed.
 */
export class ProvisionalNames {
  readonly #byKey = new Map<string, KnownName>()
  readonly #byLetters = new Map<string, KnownName>()

  constructor(names: readonly KnownName[]) {
    for (const entry of names) {
      if (entry.confirmed) continue
      this.#byKey.set(lookupKey(entry.name), entry)
      const letters = nameKey(entry.name)
      if (letters !== '' && !this.#byLetters.has(letters)) this.#byLetters.set(letters, entry)
    }
  }

  match(text: string): KnownVerdict | undefined {
    const exact = this.#byKey.get(lookupKey(text))
    if (exact) return known(exact, 'exact')
    const spelled = this.#byLetters.get(nameKey(text))
    return spelled && known(spelled, 'spelling')
  }
}
