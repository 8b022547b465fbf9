import { sideMark, yearMark } from '#server/features/listings/find/fact-marks.ts'
import type { Meant, Search } from '#server/features/listings/find/list-queries.ts'
import { findLexemes } from '#server/features/listings/find/search-rows.ts'
import { readTerms, toQuery, wordsOfTerms } from '#server/features/listings/find/search-terms.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Understanding } from './words/understand.ts'

/* What was understood as conditions of a search, all of them or without some. */

/** What can be left out if nothing has all of it, the least important first. */
export const conditionKinds = ['end', 'size', 'side', 'year', 'words', 'model', 'number', 'make', 'part'] as const
export type ConditionKind = (typeof conditionKinds)[number]

/** The conditions that a buyer's words set. */
export function conditionsOf(meant: Understanding): ConditionKind[] {
  const { end, sizes, side, years, words, vehicle, numbers, part } = meant
  const has: Record<ConditionKind, boolean> = {
    end: end !== undefined,
    size: sizes.length > 0,
    side: side !== undefined,
    year: years !== undefined,
    words: words.length > 0,
    model: (vehicle?.models.length ?? 0) > 0,
    number: numbers.length > 0,
    make: vehicle !== undefined,
    part: part !== undefined,
  }
  return conditionKinds.filter((kind) => has[kind])
}

export type Without = {
  readonly dropped: readonly ConditionKind[]
  /** Listings that mention the part are enough. */
  readonly mentions?: boolean
  /** Any of the unknown words is enough. */
  readonly anyWord?: boolean
}

/** The lexemes of all words that a search may need. */
export function lexemesOf(db: Db, meant: Understanding): Promise<ReadonlyMap<string, string>> {
  const texts = [...meant.words, ...meant.numbers, ...(meant.part?.words ?? []), ...labelsOf(meant)]
  const terms = texts.flatMap((text) => readTerms(text) ?? [])
  return findLexemes(db, new Set([...terms.flatMap(wordsOfTerms)]))
}

const labelsOf = ({ vehicle }: Understanding) => vehicle?.models.map(({ label }) => label) ?? []

/** `base` has the filters. Undefined if the words are too common to search for. */
export function toSearch(
  base: Search,
  { meant, lexemes }: { meant: Understanding; lexemes: ReadonlyMap<string, string> },
  { dropped, mentions = false, anyWord = false }: Without,
): Search | undefined {
  const has = (kind: ConditionKind) => !dropped.includes(kind)
  const queryOf = (text: string) => toQuery(readTerms(text), lexemes, { own: false })
  const both = (texts: readonly string[], operator: ' & ' | ' | ') => combined(texts.map(queryOf), operator)
  const { part, years, side, end, sizes, words, numbers } = meant
  const wanted = [
    has('words') ? both(words, anyWord ? ' | ' : ' & ') : '',
    has('number') ? both(numbers, ' & ') : '',
    mentions && part ? both(part.words, ' & ') : '',
    has('year') && years ? anyYear(years) : '',
    has('size') ? combined(sizes.map(({ spellings }) => anyOf(spellings)), ' & ') : '',
    // Most sellers do not write what every such part has.
    has('side') && side ? `!'${sideMark(side === 'left' ? 'right' : 'left')}'` : '',
    has('end') && end ? `('${end}' | !'${end === 'front' ? 'rear' : 'front'}')` : '',
  ]
  if (words.length > 0 && has('words') && wanted[0] === '') return undefined
  const categoryIds = part && has('part') && !mentions ? part.ids : undefined
  const vehicle = vehicleOf(meant, { has, modelWords: both(labelsOf(meant), ' | ') })
  return {
    ...base,
    words: combined(wanted, ' & '),
    ...((categoryIds || vehicle) && { meant: { categoryIds, vehicle } }),
  }
}

function vehicleOf(
  { vehicle }: Understanding,
  { has, modelWords }: { has: (kind: ConditionKind) => boolean; modelWords: string },
): Meant['vehicle'] {
  if (!vehicle || !has('make')) return undefined
  const { makeIds, makeModelIds, models } = vehicle
  if (models.length > 0 && has('model')) {
    return { manufacturerIds: [], modelIds: [...new Set(models.flatMap(({ ids }) => ids))], modelWords }
  }
  return { manufacturerIds: makeIds, modelIds: makeModelIds, modelWords: '' }
}

const anyYear = ({ from, to }: { from: number; to: number }) =>
  anyOf(Array.from({ length: to - from + 1 }, (_, at) => yearMark(from + at)))

const anyOf = (words: readonly string[]) => combined(words.map((word) => `'${word}'`), ' | ')

function combined(queries: readonly (string | undefined)[], operator: ' & ' | ' | '): string {
  const asked = queries.filter((query) => query !== undefined && query !== '')
  return asked.length > 1 ? `(${asked.join(operator)})` : (asked[0] ?? '')
}
