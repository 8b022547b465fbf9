import {
  type Candidate,
  type KnownName,
  MAX_CANDIDATES,
  type NameVerdict,
} from '#contract/trade-language/verdicts.ts'

/* Which part type a name has, and how certain that is. */

/** How often each kind of match is right, measured with `examples/yard-parts.csv`; its test compares the two. */
export const CERTAINTY = {
  /** The name is exactly a category's, or a word for it. */
  exact: 0.99,
  /** It has more words. */
  longer: 0.97,
  /** It fits several categories, and the yard's word leaves only one of them. */
  hinted: 0.95,
  /** The yard's word names the category, and the name does not contradict it. */
  fromWord: 0.95,
  /** It matches after typos are corrected. */
  mistyped: 0.93,
  /** It is a single word, which may refer to another part here. */
  loose: 0.6,
  /** Another category follows in the name. */
  ambiguous: 0.5,
} as const

/** Below this, nothing is published: the seller is asked. */
export const MIN_PART_CERTAINTY = 0.9

/** The part type of a name, or the ones to choose from. */
export type TypeVerdict =
  | { readonly kind: 'known'; readonly id: string; readonly name: string; readonly certainty: number }
  | { readonly kind: 'unsure'; readonly candidates: readonly Candidate[] }

/** A type that is as good as certain. */
export const knownType = ({ id, name }: KnownName, certainty: number): TypeVerdict => ({
  kind: 'known',
  id,
  name,
  certainty,
})

/** Adds an unsure word's candidates after those of the part's own name. */
export function withNamed(
  word: NameVerdict & { kind: 'unsure' },
  named: TypeVerdict,
): NameVerdict & { kind: 'unsure' } {
  const own =
    named.kind === 'known'
      ? [{ id: named.id, name: named.name, confidence: named.certainty }]
      : named.candidates
  const all = [...own, ...word.candidates.filter(({ id }) => !own.some((one) => one.id === id))]
  return { ...word, candidates: all.slice(0, MAX_CANDIDATES) }
}

/** Most likely first; together they are less certain than a match has to be. */
export function unsureAmong(entries: readonly KnownName[]): TypeVerdict {
  const distinct = [...new Map(entries.map((entry) => [entry.id, entry])).values()]
  const share = Math.round((CERTAINTY.loose / Math.max(1, distinct.length)) * 100) / 100
  return { kind: 'unsure', candidates: distinct.map(({ id, name }) => ({ id, name, confidence: share })) }
}
