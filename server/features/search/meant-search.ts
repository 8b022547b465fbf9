import { numberKey } from '#contract/listing/interchange.ts'
import type { Interchange } from '#server/features/interchange/number-claims.ts'
import { sideMark, yearMark } from '#server/features/listings/search-row/fact-marks.ts'
import type { MeantVehicle } from '#server/features/listings/search-row/fitment-marks.ts'
import { findLexemes } from '#server/features/listings/search-row/search-rows.ts'
import {
  foldText,
  readTerms,
  toQuery,
  wordKey,
  wordsOfTerms,
} from '#server/features/listings/search-row/search-terms.ts'
import type { Meant, Search } from '#server/features/search/query/search.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Understanding } from './words/understand.ts'

/* Turns the understood words into a search, with all of their conditions or without some. */

/** The interpretation of the words, their lexemes, and the interchange of the part number. */
export type Meanings = {
  meant: Understanding
  lexemes: ReadonlyMap<string, string>
  interchange?: Interchange
}

/** Conditions that can be dropped if nothing meets all of them, least important first. */
const conditionKinds = [
  'end',
  'size',
  'side',
  'year',
  'words',
  'seller',
  'model',
  'number',
  'make',
  'part',
] as const
export type ConditionKind = (typeof conditionKinds)[number]

/** Lists the conditions that a buyer's words set. */
export function conditionsOf(meant: Understanding): ConditionKind[] {
  const { end, sizes, side, years, words, sellerId, vehicle, numbers, part } = meant
  const has: Record<ConditionKind, boolean> = {
    end: end !== undefined,
    size: sizes.length > 0,
    side: side !== undefined,
    year: years !== undefined,
    words: words.length > 0,
    seller: sellerId !== undefined,
    model: (vehicle?.models.length ?? 0) > 0,
    number: numbers.length > 0,
    make: vehicle !== undefined,
    part: part !== undefined,
  }
  return conditionKinds.filter((kind) => has[kind])
}

/** What a relaxed search leaves out. */
export type DroppedConditions = {
  readonly dropped: readonly ConditionKind[]
  /** Also accept listings that only mention the part. */
  readonly mentions?: boolean
  /** Require only one of the unknown words. */
  readonly anyWord?: boolean
}

/** Looks up the lexemes of all words that a search may need. */
export function lexemesOf(db: Db, meant: Understanding): Promise<ReadonlyMap<string, string>> {
  const texts = [...meant.words, ...(meant.part?.words ?? []), ...labelsOf(meant)]
  const terms = texts.flatMap((text) => readTerms(text) ?? [])
  return findLexemes(db, new Set([...terms.flatMap(wordsOfTerms)]))
}

const labelsOf = ({ vehicle }: Understanding) => vehicle?.models.map(({ label }) => label) ?? []

/** `base` has the filters. Undefined if the words are too common to search for. */
export function toSearch(base: Search, meanings: Meanings, without: DroppedConditions): Search | undefined {
  const { meant } = meanings
  const has = (kind: ConditionKind) => !without.dropped.includes(kind)
  const queries = queriesOf(meanings, without)
  if (meant.words.length > 0 && has('words') && queries.words === '') return undefined
  // The years are the vehicle's: see `fitment-marks.ts`.
  const years = has('year') && has('make') && meant.vehicle ? meant.years : undefined
  const words = conditionKinds.map((kind) => (has(kind) && !(kind === 'year' && years) ? queries[kind] : ''))
  const categoryIds = meant.part && has('part') && !without.mentions ? meant.part.ids : undefined
  // Whole words: too many listings contain the prefixes of a model's words, and looking those up takes 30 ms.
  const modelWords = bothOf(labelsOf(meant), meanings, ' | ').replaceAll(':*', '')
  const vehicle = vehicleOf(meant, { has, modelWords, years: years && eachYear(years) })
  const { limits } = base
  // A chosen seller takes precedence over one named in the words.
  const sellerId = limits.sellerId ?? (has('seller') ? meant.sellerId : undefined)
  return {
    ...base,
    // A year chosen in the filters matters no more than one in the words.
    facts: has('year') ? base.facts : { ...base.facts, year: undefined },
    limits: { ...limits, sellerId },
    words: combined(words, ' & '),
    ...((categoryIds || vehicle) && { meant: { categoryIds, vehicle } }),
  }
}

/** The conditions on a listing's words and marks, as texts of tsqueries; '' for none. */
function queriesOf(meanings: Meanings, without: DroppedConditions): Record<ConditionKind, string> {
  const { part, years, side, end, sizes, words, numbers } = meanings.meant
  const { mentions = false, anyWord = false } = without
  return {
    words: bothOf(words, meanings, anyWord ? ' | ' : ' & '),
    number: combined(
      numbers.map((number) => numberQuery(number, meanings)),
      ' & ',
    ),
    part: mentions && part ? bothOf(part.words, meanings, ' & ') : '',
    year: years ? anyYear(years) : '',
    size: combined(
      sizes.map(({ spellings }) => anyOf(spellings)),
      ' & ',
    ),
    // Sellers often omit the side, so this excludes only the opposite side.
    side: side ? `!'${sideMark(side === 'left' ? 'right' : 'left')}'` : '',
    end: end ? `('${end}' | !'${end === 'front' ? 'rear' : 'front'}')` : '',
    make: '',
    model: '',
    seller: '',
  }
}

/** Matches the number as a prefix, or any whole number that interchanges with it. */
function numberQuery(number: string, { interchange }: Meanings): string {
  const others = interchange?.asked === numberKey(number) ? interchange.keys : []
  const queries = [`'${wordKey(number)}':*`, ...others.map((key) => `'${wordKey(foldText(key))}'`)]
  return combined(queries, ' | ')
}

function bothOf(texts: readonly string[], { lexemes }: Meanings, operator: ' & ' | ' | '): string {
  return combined(
    texts.map((text) => toQuery(readTerms(text), lexemes, { own: false })),
    operator,
  )
}

function vehicleOf(
  { vehicle }: Understanding,
  {
    has,
    modelWords,
    years,
  }: { has: (kind: ConditionKind) => boolean } & Pick<MeantVehicle, 'modelWords' | 'years'>,
): Meant['vehicle'] {
  if (!vehicle || !has('make')) return undefined
  const { makeIds, makeModelIds, models } = vehicle
  if (models.length > 0 && has('model')) {
    return {
      manufacturerIds: [],
      modelIds: [...new Set(models.flatMap(({ ids }) => ids))],
      modelWords,
      years,
    }
  }
  return { manufacturerIds: makeIds, modelIds: makeModelIds, modelWords: '', years }
}

const eachYear = ({ from, to }: { from: number; to: number }) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

const anyYear = (years: { from: number; to: number }) => anyOf(eachYear(years).map(yearMark))

const anyOf = (words: readonly string[]) =>
  combined(
    words.map((word) => `'${word}'`),
    ' | ',
  )

function combined(queries: readonly (string | undefined)[], operator: ' & ' | ' | '): string {
  const asked = queries.filter((query) => query !== undefined && query !== '')
  return asked.length > 1 ? `(${asked.join(operator)})` : (asked[0] ?? '')
}
