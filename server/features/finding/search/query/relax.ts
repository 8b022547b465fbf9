import { type RawBuilder, sql } from 'kysely'
import type { PartsPage } from '#contract/search/parts-search.ts'
import { oneOf } from '#contract/trade-language/names.ts'
import type { Wanted } from '#contract/trade-language/query/query.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { yearsInWords } from '#contract/trade-language/years.ts'
import { matchingIds } from '#server/features/finding/search/matches/match-queries.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import {
  type ConditionKind,
  conditionsOf,
  type DroppedConditions,
  type ReadWords,
  toSearch,
  vehicleKinds,
  wordsOfPart,
} from './conditions.ts'
import type { Search } from './search.ts'

/*
 * Relaxed searches: if no part meets all conditions, drops as few important ones as possible until parts are found.
 * The part itself is never dropped, because other parts are useless to the buyer; but its seller may list it in
 * another category, or in none. Filters that the buyer chose and exclusions stay.
 */

/** A search that finds parts without some of the conditions. */
export type Relaxed = { search: Search; without: DroppedConditions }

// How much each condition matters to a buyer; the sum for a combination is kept low.
const LOSS: Record<ConditionKind, number> = {
  size: 2,
  // A part of another year may fit; one for the other side or end never does.
  year: 3,
  side: 4,
  end: 4,
  words: 4,
  seller: 4,
  model: 5,
  number: 5,
  make: 8,
  part: 9,
}
// Each combination takes a query, and results without five conditions are no longer what was asked for.
const MOST_DROPPED = 5

/** Returns the first relaxed search that finds parts, or undefined. */
export async function relax(
  db: Db,
  base: Search,
  { read, vocabulary }: { read: ReadWords; vocabulary: Vocabulary },
): Promise<Relaxed | undefined> {
  const kinds = conditionsOf(read.wanted)
  // A number without a part type asks for that number only.
  const loosened = kinds.filter((kind) => kind !== 'part' && (kind !== 'number' || kinds.length > 1))
  const related = relativesOf(read.wanted, vocabulary)
  const general = generalOf(read.wanted, vocabulary)
  const first = [
    ...(general.length > 0 ? [{ dropped: [], relatives: general }] : []),
    ...(read.wanted.part && related.length > 0 ? [{ dropped: [], relatives: related, isNamed: true }] : []),
    ...eachSize(read.wanted),
  ]
  const fitting = await findFirstMatch(db, base, { read, combinations: first })
  if (fitting) return fitting
  for (const combinations of lossyCombinations(loosened, { related, wanted: read.wanted, vocabulary })) {
    const found = await findFirstMatch(db, base, { read, combinations })
    if (found) return found
  }
  return undefined
}

/** What to try in order, until something is found: as named, by the part's name in any category, then related types. */
function* lossyCombinations(
  loosened: readonly ConditionKind[],
  about: { related: readonly string[]; wanted: Wanted; vocabulary: Vocabulary },
): Generator<readonly DroppedConditions[]> {
  const { related, wanted, vocabulary } = about
  const ways: Pick<DroppedConditions, 'names' | 'relatives'>[] = [
    {},
    ...(wanted.part ? [{ names: vocabulary.partTypes.namesOf(wanted.part.ids) }] : []),
    ...(related.length > 0 ? [{ relatives: related }] : []),
  ]
  const withUniversal = addingUniversal(withoutVehicle(wanted, vocabulary))
  for (const [at, way] of ways.entries()) {
    for (let count = at === 0 ? 1 : 0; count <= Math.min(MOST_DROPPED, loosened.length); count += 1) {
      const dropped = combinationsToDrop(loosened, count).map((one) => ({ ...one, ...way }))
      yield at === 0 && count === 1 ? withUniversal(dropped) : dropped
    }
  }
}

/** Parts for other years of the vehicle come first, then parts without a vehicle, then other vehicles' parts. */
const addingUniversal =
  (universal: DroppedConditions | undefined) =>
  (combinations: readonly DroppedConditions[]): readonly DroppedConditions[] => {
    if (!universal) return combinations
    const isOwn = ({ dropped }: DroppedConditions) => dropped.every((kind) => LOSS[kind] <= LOSS.year)
    return [...combinations.filter(isOwn), universal, ...combinations.filter((one) => !isOwn(one))]
  }

/** How to find parts of the type without a vehicle; undefined if the type has none, or the search has no vehicle. */
export function withoutVehicle(
  wanted: Wanted,
  { universal }: Pick<Vocabulary, 'universal'>,
): DroppedConditions | undefined {
  const dropped = conditionsOf(wanted).filter((kind) => vehicleKinds.includes(kind))
  const isUniversal = wanted.part?.ids.some((id) => universal.has(id)) === true
  return isUniversal && dropped.length > 0 ? { dropped, isUniversal } : undefined
}

/** Part types that contain or replace the ones that were named, and are not among them. */
function relativesOf({ part, piece }: Wanted, vocabulary: Vocabulary): string[] {
  const named = part?.ids ?? []
  const ids = named.flatMap((id) => relativesNamed(vocabulary.categoryNames.get(id) ?? '', vocabulary))
  // For a piece without its own part type, the part it belongs to.
  return [...new Set([...ids, ...(piece?.of ?? [])])].filter((id) => !named.includes(id))
}

/** Other meanings of the part's words: a "mirror" may be the inside one. Those parts have no side. */
function generalOf(wanted: Wanted, vocabulary: Vocabulary): string[] {
  if (wanted.side || wanted.end) return []
  return relativesNamed(vocabulary.partTypes.wordsIn(wordsOfPart(wanted).join(' ')).join(' '), vocabulary)
}

const relativesNamed = (name: string, { language, partTypes }: Vocabulary): string[] =>
  (language.relatives.get(name) ?? []).flatMap((relative) => {
    const [type] = partTypes.meaningOfText(relative)?.types ?? []
    return type?.name === relative ? type.id : []
  })

type Combinations = { read: ReadWords; combinations: readonly DroppedConditions[] }

async function findFirstMatch(
  db: Db,
  base: Search,
  { read, combinations }: Combinations,
): Promise<Relaxed | undefined> {
  const tried = combinations.flatMap((without) => {
    const search = toSearch(base, read, without)
    return search.words || search.meant ? [{ search, without }] : []
  })
  if (tried.length === 0) return undefined
  const whens = tried.map(({ search }, at) => sql`when ${isAnyOf(matchingIds(search))} then ${at}::int`)
  const { rows } = await sql<{
    first: number | null
  }>`select case ${sql.join(whens, sql` `)} end as first`.execute(db)
  const { first } = onlyRow(rows)
  return first === null ? undefined : tried[first]
}

/** Not "exists": the planner then reads the table to the first match, and all of it (a second at a million) if there is none. */
const isAnyOf = (ids: RawBuilder<unknown>) => sql`(select count(*) > 0 from (${ids} limit 500) found)`

// Later combinations differ only in ways that few buyers care about.
const MOST_COMBINATIONS = 40

/** Combinations of this many conditions to leave out, least loss first; a make only after its model. */
function combinationsToDrop(kinds: readonly ConditionKind[], count: number): DroppedConditions[] {
  const loss = (dropped: readonly ConditionKind[]) => dropped.reduce((sum, kind) => sum + LOSS[kind], 0)
  const sets = subsets(kinds, count).filter(
    (dropped) => !dropped.includes('make') || dropped.includes('model') || !kinds.includes('model'),
  )
  const combinations: DroppedConditions[] = sets
    .toSorted((a, b) => loss(a) - loss(b))
    .map((dropped) => ({ dropped }))
  if (count === 1 && kinds.includes('words')) combinations.push({ dropped: [], anyWord: true })
  return combinations.slice(0, MOST_COMBINATIONS)
}

/** Of several sizes, each is left out alone first: yards write that a rim has 17 inches, and not that it has 5 lugs. */
const eachSize = ({ sizes }: Wanted): DroppedConditions[] =>
  sizes.length > 1 ? sizes.map(({ label }) => ({ dropped: [], sizes: [label] })).toReversed() : []

function subsets<T>(all: readonly T[], count: number): T[][] {
  if (count === 0) return [[]]
  return all.flatMap((first, at) => subsets(all.slice(at + 1), count - 1).map((rest) => [first, ...rest]))
}

type RelaxedNotice = NonNullable<PartsPage['relaxed']>

/**
 * Names what was not found and what is shown instead; `total` as shown, '0' for nothing. Undefined if the parts have
 * the requested name in another category.
 */
export function relaxedNotice(without: DroppedConditions, about: Shown): RelaxedNotice | undefined {
  if (without.sizes) return sizesNotice(without.sizes, about)
  return without.isUniversal ? universalNotice(without, about) : noticeOf(without, about)
}

type Shown = { wanted: Wanted; vocabulary: Vocabulary; total: string }

const universalNotice = ({ dropped }: DroppedConditions, { wanted, total }: Shown): RelaxedNotice => ({
  sentence: `No ${withVehicle(partsOf(wanted), wanted)} right now. Showing ${total} listed without a vehicle; check the size.`,
  dropped: dropped.filter((kind) => kind !== 'end'),
})

const sizesNotice = (unsaid: readonly string[], { wanted, total }: Shown): RelaxedNotice => ({
  sentence: `No ${withVehicle(partsOf(wanted), wanted)}${missing(['size'], wanted)}. Showing ${total} that ${total === '1' ? 'doesn’t' : 'don’t'} say ${unsaid.join(' ')}.`,
  dropped: ['size'],
})

function noticeOf(
  { dropped, anyWord, relatives, names, isNamed }: DroppedConditions,
  { wanted, vocabulary, total }: Shown,
): RelaxedNotice | undefined {
  if (isNamed || (names && dropped.length === 0)) return undefined
  const kinds = relatives || names ? (['part', ...dropped] as const) : dropped
  const notice = (sentence: string): RelaxedNotice => ({
    sentence,
    dropped: anyWord ? ['words'] : noticeKinds(kinds),
  })
  const parts = partsOf(wanted, total)
  const words = [...wanted.words, ...wanted.nameWords].map((group) => group.join(' or ')).join(' ')
  if (anyWord) return notice(`No part has all of “${words}”. Showing ${total} with some of it.`)
  const also = dropped.length > 0 ? ` ${insteadOf(dropped, wanted)}` : ''
  if (names) {
    const name = wordsOfPart(wanted).join(' ')
    return notice(
      `No ${withVehicle(partsOf(wanted), wanted)} by category right now. Showing ${total} named “${name}”${also}.`,
    )
  }
  if (relatives) {
    const others = relatives.map((id) => plural(vocabulary.categoryNames.get(id) ?? ''))
    return notice(
      `No ${withVehicle(partsOf(wanted), wanted)} right now. Showing ${total} ${listed(others)}${also}.`,
    )
  }
  const [only, ...more] = dropped
  const seller = wanted.recognized.find(({ kind }) => kind === 'seller')?.label
  if (only === 'seller' && more.length === 0 && seller) {
    return notice(
      `${seller} has no ${withVehicle(partsOf(wanted), wanted)}. Showing ${total} from other sellers.`,
    )
  }
  if (only === 'year' && more.length === 0) {
    return notice(`Nothing for ${yearsOf(wanted)}. Showing ${total} from other years; check the fit.`)
  }
  if (only === 'words' && more.length === 0) {
    return notice(`Nothing mentions “${words}”. Showing ${total} ${withVehicle(parts, wanted)} without it.`)
  }
  return notice(
    `No ${withVehicle(partsOf(wanted), wanted)}${missing(dropped, wanted)}. Showing ${total} ${insteadOf(dropped, wanted)}.`,
  )
}

/** Says that these parts share a number with one from the vehicle; nothing else is known about them. */
export const sameNumberNotice = (wanted: Wanted, total: number): RelaxedNotice => ({
  sentence: `No ${withVehicle(partsOf(wanted), wanted)} right now. Showing ${total} with a part number that was pulled from one; check the fit.`,
  dropped: conditionsOf(wanted).filter((kind) => kind === 'year' || kind === 'model'),
})

/** Says that the number is one that was not typed, and what else of the search does not apply. */
export function nearNumberNotice(
  wanted: Wanted,
  total: number,
  others: readonly ConditionKind[],
): RelaxedNotice {
  const [number = ''] = wanted.numbers
  const also = others.length > 0 ? `, ${insteadOf(others, wanted)}` : ''
  return {
    sentence: `No part number ${number.toUpperCase()}; ${total} with one other character${also}.`,
    dropped: noticeKinds(['number', ...others]),
  }
}

/** A notice calls an end a side. */
const noticeKinds = (kinds: readonly ConditionKind[]): RelaxedNotice['dropped'] => [
  ...new Set(kinds.map((kind) => (kind === 'end' ? 'side' : kind))),
]

/** Adds that the end of a long text was not searched for. */
export const unreadNotice = (
  relaxed: RelaxedNotice | undefined,
  unread: readonly string[],
): RelaxedNotice => ({
  sentence: `${relaxed ? `${relaxed.sentence} ` : ''}Your search is too long: “${unread.join(' ')}” was left out.`,
  dropped: relaxed?.dropped ?? [],
})

/** Says that nothing like it is in stock. */
export function noResultsNotice(wanted: Wanted): RelaxedNotice {
  const { part, piece, vehicle, numbers, words } = wanted
  const isNamed = part !== undefined || piece !== undefined || vehicle !== undefined
  const said = isNamed
    ? ''
    : missing(
        [...(numbers.length > 0 ? ['number' as const] : []), ...(words.length > 0 ? ['words' as const] : [])],
        wanted,
      )
  // What is excluded may be all that is in stock.
  const without = wanted.recognized.flatMap(({ kind, label }) => (kind === 'without' ? ` ${label}` : []))
  return {
    sentence: `No ${withVehicle(partsOf(wanted), wanted)}${said}${without.join('')} right now.`,
    dropped: [],
  }
}

/** "rear left doors", "parts". */
function partsOf({ part, piece, side, end }: Wanted, total = 'several'): string {
  const name = part?.label ?? piece?.words.join(' ') ?? 'part'
  const noun = total === '1' ? plain(name) : plural(name)
  return [end && noun.includes(end) ? '' : end, side, noun].filter(Boolean).join(' ')
}

/** "hoods for a 2010 Camry" */
function withVehicle(parts: string, wanted: Wanted): string {
  const car = carOf(wanted)
  if (wanted.vehicle === undefined && car !== '') return `${parts} for ${car}`
  return car === '' ? parts : `${parts} for ${AN.test(car) ? 'an' : 'a'} ${car}`
}

/** As it is read out: an Accord, an F-150, an HR-V, an 8 Series, but a RAV4. */
const AN = /^(?:8|18|11)|^[AEIOaeio]|^[FHLMNRSX](?=[B-DF-HJ-NP-TV-Z\d-])/

function carOf(wanted: Wanted): string {
  const { vehicle } = wanted
  const models = vehicle?.models.map(({ label }) => label) ?? []
  return [yearsOf(wanted), oneOf(models.length > 0 ? models : (vehicle?.makes ?? []))]
    .filter(Boolean)
    .join(' ')
}

const yearsOf = ({ years }: Wanted) => (years ? yearsInWords(years) : '')

/** Other unmet conditions: " in 17 inch", " with the number 1234". */
function missing(dropped: readonly ConditionKind[], { sizes, numbers, words, nameWords }: Wanted): string {
  const [codes = [], measures = []] = [true, false].map((isCode) =>
    sizes.flatMap((size) => (Boolean(size.isCode) === isCode ? size.label : [])),
  )
  const said: Partial<Record<ConditionKind, string>> = {
    size: [
      measures.length > 0 && ` in ${measures.join(' ')}`,
      codes.length > 0 && ` that say ${codes.join(' ')}`,
    ]
      .filter(Boolean)
      .join(''),
    number: ` with the number ${numbers.join(' ').toUpperCase()}`,
    words: ` with “${[...words, ...nameWords].map(([word]) => word).join(' ')}”`,
  }
  return dropped.map((kind) => said[kind] ?? '').join('')
}

const INSTEAD: Record<ConditionKind, string> = {
  end: 'for the other end',
  size: 'in other sizes',
  side: 'for the other side',
  year: 'from other years',
  words: 'without these words',
  seller: 'from other sellers',
  model: 'for other models',
  number: 'without that number',
  make: 'for other makes',
  part: 'other parts',
}

/** "for other Toyotas from other years": for a dropped make, its model is not mentioned. */
function insteadOf(dropped: readonly ConditionKind[], { vehicle, sizes }: Wanted): string {
  const makes = vehicle?.makes ?? []
  const [make] = makes
  const isOneMake = make !== undefined && new Set(makes).size === 1
  const model = isOneMake
    ? `for other ${/[sz]$|-/.test(make) ? `${make} models` : `${make}s`}`
    : INSTEAD.model
  const kinds = dropped.filter((kind) => kind !== 'model' || !dropped.includes('make'))
  return kinds
    .toSorted((a, b) => LOSS[b] - LOSS[a])
    .map((kind) => {
      if (kind === 'size' && sizes.every(({ isCode }) => isCode)) return 'without it'
      return kind === 'model' ? model : INSTEAD[kind]
    })
    .join(' ')
}

const listed = (names: readonly string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '')

/** "Tail Lamp Assembly or Jack" becomes "tail lamp assemblies or jacks"; A/C and ABS are unchanged. */
const plural = (label: string): string => label.split(' or ').map(pluralOfOne).join(' or ')

function pluralOfOne(label: string): string {
  const name = plain(label)
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  if (/(?:ss|x|ch|sh)$/.test(name)) return `${name}es`
  return name.endsWith('s') ? name : `${name}s`
}

const plain = (label: string): string =>
  label
    .split(' ')
    .map((word) => (/^[A-Z/]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
