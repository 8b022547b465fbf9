import { numberKey } from '#contract/listing/interchange.ts'
import type { YearSpan } from '#contract/listing/year-span.ts'
import { foldText } from '#contract/trade-language/names.ts'
import type { Wanted } from '#contract/trade-language/query/query.ts'
import { eachYear } from '#contract/trade-language/years.ts'
import type { Interchange } from '#server/features/market/interchange/number-claims.ts'
import { placeMark, universalMark, yearMark } from '#server/features/market/listings/search-row/fact-marks.ts'
import { fitMark } from '#server/features/market/listings/search-row/fitment-marks.ts'
import { findLexemes } from '#server/features/market/listings/search-row/lexemes.ts'
import {
  readTerms,
  toQuery,
  wordKey,
  wordsOfTerms,
} from '#server/features/market/listings/search-row/search-terms.ts'
import type { Db } from '#server/platform/database/database.ts'
import { lexemePrefix, quotedLexeme, withoutPrefixes } from '#server/platform/database/quoted-text.ts'
import { centsOf, type Meant, type Search } from './search.ts'

/* Turns what a buyer wants into a search, with all of its conditions or without some. */

/** Conditions that a part without a vehicle cannot meet. */
export const vehicleKinds: readonly ConditionKind[] = ['year', 'model', 'make']

/** The reading of the words, their lexemes, and the interchange of the part number. */
export type ReadWords = {
  readonly wanted: Wanted
  readonly lexemes: ReadonlyMap<string, string>
  readonly interchange?: Interchange
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
export function conditionsOf(wanted: Wanted): ConditionKind[] {
  const { end, sizes, side, years, words, nameWords, sellerId, vehicle, numbers, part, piece } = wanted
  const has: Record<ConditionKind, boolean> = {
    end: end !== undefined,
    size: sizes.length > 0,
    side: side !== undefined,
    year: years !== undefined,
    words: words.length + nameWords.length > 0,
    seller: sellerId !== undefined,
    model: (vehicle?.models.length ?? 0) > 0,
    number: numbers.length > 0,
    make: vehicle !== undefined,
    part: part !== undefined || piece !== undefined,
  }
  return conditionKinds.filter((kind) => has[kind])
}

/** The conditions that a relaxed search drops. */
export type DroppedConditions = {
  readonly dropped: readonly ConditionKind[]
  /** Labels of sizes that need not be said; the others must. */
  readonly sizes?: readonly string[]
  /** Require only one of the unknown words. */
  readonly anyWord?: boolean
  /** Ids of part types to find instead of the named ones: types that contain or replace them. */
  readonly relatives?: readonly string[]
  /** Take only relatives whose names have all words for the part, as an "ABS pump and module" has. */
  readonly isNamed?: boolean
  /** Find only parts without a vehicle instead of the vehicle's: tires may fit by their size. */
  readonly isUniversal?: boolean
  /** Keys of the part's names: take what a seller named so for the part, whatever its category. */
  readonly names?: readonly string[]
}

/** Looks up the lexemes of all words that a search may need. */
export function lexemesOf(db: Db, wanted: Wanted): Promise<ReadonlyMap<string, string>> {
  const { words, nameWords, piece, excluded } = wanted
  const texts = [
    ...words.flat(),
    ...nameWords.flat(),
    ...(piece?.texts ?? wordsOfPart(wanted)),
    ...excluded.names,
    ...excluded.names.map(oppositeOf),
    ...labelsOf(wanted),
  ]
  const terms = texts.flatMap((text) => readTerms(text) ?? [])
  return findLexemes(db, new Set([...terms.flatMap(wordsOfTerms)]))
}

/** The words that name the part, as typed. */
export const wordsOfPart = ({ typed, recognized }: Wanted): string[] =>
  recognized
    .filter(({ kind }) => kind === 'part')
    .flatMap(({ at }) => at)
    .flatMap((at) => typed[at] ?? [])

const labelsOf = ({ vehicle }: Wanted) => vehicle?.models.map(({ label }) => label) ?? []

/** The search with all conditions. */
export const searchOf = ({ base, words }: { base: Search; words: ReadWords | undefined }): Search =>
  words ? toSearch(base, words, { dropped: [] }) : base

/** `base` has the filters. */
export function toSearch(base: Search, read: ReadWords, without: DroppedConditions): Search {
  const { wanted } = read
  const has = (kind: ConditionKind) => !without.dropped.includes(kind)
  const queries = queriesOf(read, without)
  // The years are the vehicle's: see `fitment-marks.ts`.
  const years = has('year') && has('make') && wanted.vehicle ? wantedYears(wanted) : undefined
  const words = conditionKinds.map((kind) => (has(kind) && !(kind === 'year' && years) ? queries[kind] : ''))
  const excluded = combined([...oppositePlaces(wanted, has), ...excludedOf(wanted, has)], ' | ')
  const excludedNames = combined(
    wanted.excluded.names.map((text) => saying(text, read)),
    ' | ',
  )
  if (without.isUniversal) words.push(quotedLexeme(universalMark))
  const nameWords = nameQuery(read, without)
  const meant = {
    categoryIds: categoriesOf(wanted, without),
    vehicle: vehicleOf(read, has, years),
  }
  return {
    ...base,
    limits: limitsOf(base, wanted, has),
    words: combined([...words, nameWords], ' & '),
    ...(excluded && { excluded }),
    ...(excludedNames && { excludedNames }),
    ...(nameWords && { nameWords }),
    ...(without.names && { names: without.names }),
    ...((meant.categoryIds || meant.vehicle) && { meant }),
  }
}

type Has = (kind: ConditionKind) => boolean

/** A chosen seller takes precedence over one named in the words, and a chosen price over a typed one. */
function limitsOf({ limits }: Search, { sellerId, price, excluded }: Wanted, has: Has): Search['limits'] {
  const { sellerIds } = excluded
  return {
    ...limits,
    sellerId: limits.sellerId ?? (has('seller') ? sellerId : undefined),
    ...(sellerIds.length > 0 && { excludedSellerIds: sellerIds }),
    minCents: limits.minCents ?? centsOf(price?.min),
    maxCents: limits.maxCents ?? centsOf(price?.max),
  }
}

/** All words of a text in a name, but for its opposite: "non-turbo" says no turbo. */
function saying(text: string, read: ReadWords): string {
  const says = withoutPrefixes(allOf(text.split(' '), read))
  if (says === '' || text.includes(' ')) return says
  const opposite = oppositeOf(text)
  // A name has the word, its document the lexeme.
  const lexemes = [...new Set([opposite, read.lexemes.get(opposite) || opposite])]
  return `(${says} & !${combined(lexemes.map(quotedLexeme), ' | ')})`
}

const oppositeOf = (word: string) => `non${wordKey(foldText(word))}`

const categoriesOf = ({ part }: Wanted, { dropped, relatives, names }: DroppedConditions) =>
  relatives ?? (names || dropped.includes('part') ? undefined : part?.ids)

/** Whole words: a piece's name is not the beginning of another. */
function nameQuery(read: ReadWords, { dropped, relatives, names, isNamed }: DroppedConditions): string {
  const { piece, nameWords } = read.wanted
  if (relatives && !isNamed) return ''
  const words = names || isNamed ? wordsOfPart(read.wanted) : []
  const named = combined(
    (piece?.texts ?? [words.join(' ')]).map((text) => allOf(text.split(' '), read)),
    ' | ',
  )
  const narrower = dropped.includes('words') ? [] : nameWords.map((group) => anyOfTexts(group, read))
  return withoutPrefixes(combined([named, ...narrower], ' & '))
}

/** The conditions on a listing's words and marks, as texts of tsqueries; '' for none. */
function queriesOf(
  read: ReadWords,
  { anyWord = false, sizes: unsaid = [] }: DroppedConditions,
): Record<ConditionKind, string> {
  const { sizes, words, numbers } = read.wanted
  return {
    words: combined(
      words.map((group) => anyOfTexts(group, read)),
      anyWord ? ' | ' : ' & ',
    ),
    number: combined(
      numbers.map((number) => numberQuery(number, read)),
      ' & ',
    ),
    year: combined((wantedYears(read.wanted) ?? []).map(yearMark).map(quotedLexeme), ' | '),
    size: combined(
      sizes
        .filter(({ label }) => !unsaid.includes(label))
        .map(({ spellings }) =>
          combined(
            spellings.map((one) =>
              typeof one === 'string' ? quotedLexeme(one) : combined(one.map(quotedLexeme), ' & '),
            ),
            ' | ',
          ),
        ),
      ' & ',
    ),
    // Places are excluded, not required: sellers often leave them out.
    side: '',
    end: '',
    part: '',
    make: '',
    model: '',
    seller: '',
  }
}

/**
 * What a listing must not contain: the opposite side or end. An index cannot answer a purely negative condition, so
 * it filters what the others find.
 */
const oppositePlaces = ({ side, end }: Wanted, has: Has): string[] => [
  ...(side && has('side') ? [quotedLexeme(placeMark(side === 'left' ? 'right' : 'left'))] : []),
  ...(end && has('end') ? [quotedLexeme(placeMark(end === 'front' ? 'rear' : 'front'))] : []),
]

/** The wanted years without the excluded ones: a part for a wanted year may also be for an excluded one. */
function wantedYears({ years, excluded }: Wanted): readonly number[] | undefined {
  if (!years) return undefined
  const wanted = eachYear(years)
  const unwanted = new Set(excluded.years.flatMap(eachYear))
  return wanted.every((year) => unwanted.has(year)) ? wanted : wanted.filter((year) => !unwanted.has(year))
}

/** The buyer's exclusions, besides words and sellers. They are never relaxed. */
function excludedOf({ excluded, years }: Wanted, has: Has): string[] {
  const unwanted = excluded.years.flatMap(eachYear)
  // Wanted years already exclude all others.
  const isLeftOut = years && has('year') && eachYear(years).some((year) => !unwanted.includes(year))
  return [
    ...[...excluded.makeIds, ...excluded.modelIds].map((id) => quotedLexeme(fitMark(id))),
    ...excluded.generations.map((one) =>
      anyOfEach(
        one.modelIds.map((id) => fitMark(id)),
        eachYear(one.years).map(yearMark),
      ),
    ),
    ...excluded.places.map((places) =>
      combined(
        places.map((place) => quotedLexeme(placeMark(place))),
        ' & ',
      ),
    ),
    ...excluded.numbers.map((number) => quotedLexeme(wordKey(number))),
    ...(isLeftOut ? [] : unwanted.map((year) => quotedLexeme(yearMark(year)))),
  ]
}

/** One of the first list's marks and one of the second list's. */
const anyOfEach = (first: readonly string[], others: readonly string[]): string =>
  combined([combined(first.map(quotedLexeme), ' | '), combined(others.map(quotedLexeme), ' | ')], ' & ')

/** Matches the number as a prefix, or any whole number that interchanges with it. */
function numberQuery(number: string, { interchange }: ReadWords): string {
  const others = interchange?.asked === numberKey(number) ? interchange.keys : []
  const queries = [
    lexemePrefix(wordKey(number)),
    ...others.map((key) => quotedLexeme(wordKey(foldText(key)))),
  ]
  return combined(queries, ' | ')
}

/** '' for a word that PostgreSQL does not index, such as "the". */
const textQuery = (text: string, { lexemes }: ReadWords) => toQuery(readTerms(text), lexemes, { own: false })

const allOf = (texts: readonly string[], read: ReadWords) =>
  combined(
    texts.map((text) => textQuery(text, read)),
    ' & ',
  )

const anyOfTexts = (texts: readonly string[], read: ReadWords) =>
  combined(
    texts.map((text) => textQuery(text, read)),
    ' | ',
  )

function vehicleOf(read: ReadWords, has: Has, inYears: readonly number[] | undefined): Meant['vehicle'] {
  const { vehicle } = read.wanted
  if (!vehicle || !has('make')) return undefined
  const { makeIds, makeModelIds, models } = vehicle
  if (models.length === 0 || !has('model')) {
    return { manufacturerIds: makeIds, modelIds: makeModelIds, modelWords: '', years: inYears }
  }
  const isCoded = inYears && models.some(({ generation }) => generation)
  return {
    manufacturerIds: [],
    modelIds: [...new Set(models.flatMap(({ ids }) => ids))],
    ...(isCoded && { yearsOf: yearsByModel(read.wanted) }),
    // Whole words: too many listings contain the prefixes of a model's words, and looking those up takes 30 ms.
    modelWords: withoutPrefixes(anyOfTexts(labelsOf(read.wanted), read)),
    years: inYears,
  }
}

/**
 * The models of a search, each with its years: those of a code first, then those of its family (a Silverado 1500's
 * differ from a 2500's), else those of the search.
 */
export function modelsWithYears({ vehicle, years }: Wanted): { id: string; years: YearSpan }[] {
  const models = vehicle?.models ?? []
  const own = new Set(models.flatMap(({ exactIds, generation }) => (generation ? exactIds : [])))
  return models.flatMap(({ ids, exactIds, generation }) => {
    const meant = generation?.years ?? years
    return meant
      ? ids.filter((id) => exactIds.includes(id) || !own.has(id)).map((id) => ({ id, years: meant }))
      : []
  })
}

const yearsByModel = (wanted: Wanted): Record<string, readonly number[]> =>
  Object.fromEntries(
    [...Map.groupBy(modelsWithYears(wanted), ({ id }) => id)].map(([id, all]) => [
      id,
      [...new Set(all.flatMap((one) => eachYear(one.years)))],
    ]),
  )

function combined(queries: readonly (string | undefined)[], operator: ' & ' | ' | '): string {
  const asked = [...new Set(queries)].filter((query) => query !== undefined && query !== '')
  return asked.length > 1 ? `(${asked.join(operator)})` : (asked[0] ?? '')
}
