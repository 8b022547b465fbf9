import type { KnownName } from '#contract/trade-language/verdicts.ts'
import type { PartMeaning } from './part-types.ts'
import { CERTAINTY, knownType, MIN_PART_CERTAINTY, type TypeVerdict, unsureAmong } from './type-verdicts.ts'

/* What was read of a part's name or of a yard's word for it, and what that says by itself. */

/** Part types found in a name: in its words from `from` up to `to`. */
export type Found = {
  readonly meaning: PartMeaning
  readonly from: number
  readonly to: number
  readonly inOrder: boolean
}

export type NameReading = {
  /** Words of parts, without side, condition and numbers. */
  readonly words: readonly string[]
  /** The index of the noun that names the part; -1 if there is none. */
  readonly head: number
  /** The larger part that the head noun belongs to. */
  readonly best: Found | undefined
  /** Other parts in the name. */
  readonly others: readonly Found[]
  readonly certainty: number
  /** It has words that do not describe a part, such as a brand or a vehicle. */
  readonly hasMore?: boolean
  readonly isSided: boolean
  /** Said by a corner such as LF, which is no word of the part. */
  readonly end?: 'front' | 'rear' | undefined
  /** The whole name is a single phrase with one meaning. */
  readonly isPhrase?: boolean
}

/** A yard's word for a category. */
export type HintReading = {
  readonly words: readonly string[]
  /** The groups of a whole section ("Body"), which is not a category. */
  readonly groups: readonly string[] | undefined
  /** The category that it names. */
  readonly category: KnownName | undefined
  /** It is a general word for several types. */
  readonly general: PartMeaning | undefined
}

/** A word that may mean another part beside a second noun, such as "hub", means its own part if it is all there is. */
export const certaintyAlone = ({ certainty, isPhrase, best }: NameReading, { words }: HintReading): number =>
  isPhrase && words.length === 0 && best?.meaning.types.length === 1
    ? Math.max(certainty, CERTAINTY.hinted)
    : certainty

/** The one that the yard's word names, or a question. */
export const oneAmong = (types: readonly KnownName[], { category }: HintReading): TypeVerdict =>
  category && types.some(({ id }) => id === category.id)
    ? knownType(category, CERTAINTY.fromWord)
    : unsureAmong(types)

/** If a word names several types, only another word can choose one: "blwr motor" could be any motor. */
export function needsHint({ best, words, hasMore, certainty }: NameReading): boolean {
  const isAlone = best && best.to - best.from === words.length && !hasMore
  return (best?.meaning.types.length ?? 0) > 1 || (!isAlone && certainty === CERTAINTY.loose)
}

/** Whether all words are one category's: "Carrier (Differential)". */
export const isAll = ({ words, best, certainty }: NameReading): boolean =>
  best !== undefined && certainty >= MIN_PART_CERTAINTY && best.to - best.from === words.length

export type Beside = {
  readonly words: readonly string[]
  readonly others: readonly Found[]
  readonly hasMore: boolean
}

export const isRelated = (type: KnownName, { types }: PartMeaning): boolean =>
  types.some(({ group }) => group === type.group)

export function onlyOf(types: readonly KnownName[]): KnownName | undefined {
  const [only, ...others] = types
  return others.length === 0 ? only : undefined
}
