import type { YearSpan } from '#contract/listing/year-span.ts'
import { fitMark } from '#server/features/listings/find/fitment-marks.ts'
import { queryOf, type Search } from '#server/features/listings/find/list-queries.ts'

/*
 * The keys of a search: every listing that it finds has at least one of them. Stored searches are found by them, and
 * everything else that a search asks for is compared afterwards. Those of a listing are made in `match-arrivals.ts`.
 */

/** Any category, vehicle or year. */
export const ANY = '*'
/** The vehicle of a listing whose model is no lookup. */
export const NO_MODEL = 'none'

const partKey = (categoryId: string, vehicleId: string, year: string) =>
  `part ${categoryId} ${vehicleId} ${year}`
const wordKey = (beginning: string) => `word ${beginning}`

/** The lengths of the beginnings of words, few so that a listing has few keys. */
export const BEGINNINGS = [6, 3, 2] as const

// A sensor of a Silverado is 40 part types times 9 models: by its models alone it is compared somewhat more often.
const MOST_KEYS = 64

/**
 * Empty if a search asks for nothing rare enough: no part, no model, no number and no word. `years`: any of which the search
 * asks for.
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

/** The keys of the vehicles that a listing fits besides its own car, which has no part key of theirs. */
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

/** By part type, vehicle or both; undefined if there is neither, or only a make. */
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

/** Makes and models of which a listing must have one. */
function vehiclesOf({ carModelId, manufacturerId, meant }: Search) {
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

/** Undefined for none. */
type Words = readonly string[] | undefined

/** Beginnings of words of which every match of a query has one. */
export function wordsIn(query: string): Words {
  const tokens = query.match(/'[^']*'(?::\*)?|[&|!()]/g) ?? []
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

/** Single letters are in too many listings, and so are the marks of facts, years and vehicles. */
function beginningOf(token: string): Words {
  const lexeme = [...token.replace(/^'|'(?::\*)?$/g, '')]
  const length = /^'[=@#^]/.test(token) ? undefined : BEGINNINGS.find((length) => length <= lexeme.length)
  return length && [lexeme.slice(0, length).join('')]
}
