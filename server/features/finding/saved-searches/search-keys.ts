import type { YearSpan } from '#contract/listing/year-span.ts'
import { queryOf, type Search } from '#server/features/finding/search/query/search.ts'
import { fitMark } from '#server/features/market/listings/search-row/fitment-marks.ts'
import { lexemeOf, tokensOf } from '#server/platform/database/quoted-text.ts'

/*
 * The keys of a saved search: every listing it finds has at least one of them. They select candidate searches; all
 * other conditions are compared afterwards. `match-arrivals.ts` computes the keys of a listing.
 */

/** Any category, vehicle or year. */
export const ANY = '*'
/** The vehicle of a listing whose model is not in the catalog. */
export const NO_MODEL = 'none'

const partKey = (categoryId: string, vehicleId: string, year: string) =>
  `part ${categoryId} ${vehicleId} ${year}`
const wordKey = (beginning: string) => `word ${beginning}`

/** Prefix lengths of words; few, so that a listing has few keys. */
export const BEGINNINGS = [6, 3, 2] as const

// "Silverado sensor" is 40 part types times 9 models. Above this limit only the models become keys, so it is compared
// somewhat more often.
const MOST_KEYS = 64

/**
 * Returns the keys, or none if the search is too broad: no part, model, number or word. `years` are the years that the
 * search accepts.
 */
export function keysOf(search: Search, years: YearSpan | undefined): string[] {
  const words = wordsIn(queryOf(search))
  if (words && rarityOf(words) >= PART_NUMBER) return words.map(wordKey)
  const parts = partsOf(search)
  if (!parts) return words?.map(wordKey) ?? []
  const of = (each: readonly string[]) =>
    parts.flatMap(([category, vehicle]) => each.map((year) => partKey(category, vehicle, year)))
  const keys = of(yearsOf(years))
  return keys.length > MOST_KEYS ? of([ANY]) : keys
}

/** Keys for the vehicles that a listing fits besides its own car. */
export function fitKeysOf(search: Search, years: YearSpan | undefined): string[] {
  const parts = (partsOf(search) ?? []).filter(([, vehicle]) => vehicle !== ANY && vehicle !== NO_MODEL)
  const of = (each: readonly (number | undefined)[]) =>
    parts.flatMap(([category, vehicle]) => each.map((year) => `fit ${category} ${fitMark(vehicle, year)}`))
  const keys = of(years ? yearsOf(years).map(Number) : [undefined])
  return keys.length > MOST_KEYS ? of([undefined]) : keys
}

function yearsOf(years: YearSpan | undefined): string[] {
  if (!years) return [ANY]
  return Array.from({ length: years.to - years.from + 1 }, (_, at) => String(years.from + at))
}

type Part = readonly [category: string, vehicle: string]

/** Pairs of part type and vehicle; undefined if the search has neither, or only a make. */
function partsOf(search: Search): Part[] | undefined {
  const categories = search.categoryId ? [search.categoryId] : (search.meant?.categoryIds ?? [])
  const { vehicles, hasMakes } = vehiclesOf(search)
  const ofCategories = () => categories.map((category): Part => [category, ANY])
  const ofVehicles = () => vehicles.map((vehicle): Part => [ANY, vehicle])
  if (categories.length === 0) return vehicles.length === 0 || hasMakes ? undefined : ofVehicles()
  if (vehicles.length === 0) return ofCategories()
  if (categories.length * vehicles.length > MOST_KEYS) {
    return categories.length < vehicles.length || hasMakes ? ofCategories() : ofVehicles()
  }
  return categories.flatMap((category) => vehicles.map((vehicle): Part => [category, vehicle]))
}

/** Makes and models, one of which a listing must have. */
function vehiclesOf({ carModelId, carModelIds, manufacturerId, meant }: Search) {
  if (carModelIds) return { vehicles: carModelIds, hasMakes: false }
  if (carModelId) return { vehicles: [carModelId], hasMakes: false }
  if (!meant?.vehicle) return { vehicles: manufacturerId ? [manufacturerId] : [], hasMakes: true }
  const { manufacturerIds, modelIds, modelWords } = meant.vehicle
  return {
    vehicles: [...manufacturerIds, ...modelIds, ...(modelWords === '' ? [] : [NO_MODEL])],
    hasMakes: manufacturerIds.length > 0,
  }
}

/* Words of a tsquery */

// Six characters with a digit among them.
const PART_NUMBER = 12

/** Longer words are in fewer listings, and those with digits in fewer still. */
const rarityOf = (words: readonly string[]): number =>
  Math.min(...words.map((word) => word.length + (/\d/.test(word) ? 6 : 0)))

/** Undefined if the query requires no words. */
type Words = readonly string[] | undefined

/** Word prefixes, one of which every match of a query contains. */
export function wordsIn(query: string): Words {
  const tokens = tokensOf(query)
  let at = 0
  const accept = (token: string) => {
    const isNext = tokens[at] === token
    if (isNext) at += 1
    return isNext
  }
  const any = (): Words => {
    const choices = [all()]
    while (accept('|')) choices.push(all())
    return choices.includes(undefined) ? undefined : [...new Set(choices.flatMap((words) => words ?? []))]
  }
  const all = (): Words => {
    let rarest = one()
    while (accept('&')) rarest = rarer(rarest, one())
    return rarest
  }
  const one = (): Words => {
    if (accept('!')) {
      one()
      return undefined
    }
    if (accept('(')) {
      const inner = any()
      accept(')')
      return inner
    }
    at += 1
    return beginningOf(tokens[at - 1] ?? '')
  }
  return any()
}

const rarer = (one: Words, other: Words): Words => {
  if (!one || !other) return one ?? other
  return rarityOf(other) > rarityOf(one) ? other : one
}

/** Ignores single letters and the marks of facts, years and vehicles: they are in too many listings. */
function beginningOf(token: string): Words {
  const lexeme = [...(lexemeOf(token) ?? '')]
  const length = /[=@#^]/.test(lexeme[0] ?? '')
    ? undefined
    : BEGINNINGS.find((length) => length <= lexeme.length)
  return length && [lexeme.slice(0, length).join('')]
}
