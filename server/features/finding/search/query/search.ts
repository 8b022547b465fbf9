import type { RawBuilder } from 'kysely'
import type { ListingGap } from '#contract/listing/seller-check.ts'
import type { Listing } from '#contract/listings.ts'
import {
  type Facts,
  type SampleShare,
  withFacts,
} from '#server/features/market/listings/search-row/fact-marks.ts'
import {
  type MeantVehicle,
  vehicleQueries,
} from '#server/features/market/listings/search-row/fitment-marks.ts'

/* The conditions for the database: from a query's filters and, once they are read, its words. */

/** Words of a model's name, as beginnings of words. */
export type ModelWords = {
  /** Patterns of LIKE for `model_words()`; all must be met. */
  patterns: readonly string[]
  /** Text of a tsquery that every listing of such a model meets; '' if its words are all stop words. */
  query: string
}

/** Searches all sellers' listings in every status, including ended ones. */
export type AdminConditions = {
  status: Listing['status'] | undefined
  model: ModelWords | undefined
  /** Ids. */
  sellers: readonly string[] | undefined
  /** A pattern of LIKE for the dealer's name in lower case. */
  dealer: string | undefined
}

/** A buyer's conditions besides words and facts. */
export type Limits = {
  /** The id of a seller whose public listings are searched. */
  sellerId?: string | undefined
  excludedSellerIds?: readonly string[] | undefined
  minCents?: number | undefined
  maxCents?: number | undefined
  milesMax?: number | undefined
  /** A place, and how many miles around it; undefined for any distance. `orShips`: or any part that ships. */
  near?: { place: number; miles: number | undefined; orShips?: true } | undefined
}

/** How the words of a search were understood. */
export type Meant = {
  /** Any of these categories; undefined for any at all. */
  categoryIds: readonly string[] | undefined
  vehicle: MeantVehicle | undefined
}

/** Orders that an index has. */
export type SortOrder = 'newest' | 'oldest' | 'price-low' | 'price-high'

/** A search in the public listings, one seller's, or all sellers'. */
export type Search = {
  /** Text of a tsquery, from `toQuery`; '' for any words. */
  words: string
  /** Text of a tsquery for exclusions. It filters what the other conditions find, since no index can answer it. */
  excluded?: string
  /** The same for the listing's name alone. */
  excludedNames?: string
  /** Text of a tsquery for the listing's name alone. */
  nameWords?: string
  /** Keys (`nameKey`); the key of the listing's name must be one of them. */
  names?: readonly string[]
  facts: Facts
  limits: Limits
  categoryId: string | undefined
  manufacturerId: string | undefined
  carModelId: string | undefined
  /** Any of these instead of one: models of several makes with the same name. */
  carModelIds?: readonly string[] | undefined
  meant?: Meant
  seller: { id: string; state: 'active' | 'sold' } | undefined
  /** What a seller's own listings lack. */
  gap?: { readonly name: ListingGap; readonly lacks: RawBuilder<unknown> } | undefined
  everybody?: AdminConditions
  /** The nearest first only with `limits.near`. */
  sort: SortOrder | 'nearest'
}

export const centsOf = (dollars: number | undefined): number | undefined =>
  dollars === undefined ? undefined : Math.round(dollars * 100)

/** The year of a filter. One that is still being typed filters nothing. */
export const filterYear = ({ year }: { year?: string | undefined }): number | undefined =>
  /^\d{4}$/.test(year ?? '') ? Number(year) : undefined

/** Text of the tsquery for words, facts and vehicles; '' for any. */
export function queryOf(search: Search): string {
  const { others, vehicles } = queryParts(search)
  return together(others, vehicles.length > 1 ? `(${vehicles.join(' | ')})` : (vehicles[0] ?? ''))
}

/**
 * The same as texts of which one must be met, in all listings or in a sample. Each is a scan of the index: it takes 15 times
 * as long to answer one text in which a vehicle's mark or its words may be met.
 */
export function queriesOf(search: Search, sample?: SampleShare): string[] {
  const { others, vehicles } = queryParts(search, sample)
  return vehicles.length > 0 ? vehicles.map((vehicle) => together(others, vehicle)) : [others].filter(Boolean)
}

const together = (...texts: readonly string[]) => texts.filter(Boolean).join(' & ')

function queryParts(search: Search, sample?: SampleShare): { others: string; vehicles: string[] } {
  const { words, facts, manufacturerId, carModelId, carModelIds, meant } = search
  const vehicles = isByFitment(search)
    ? vehicleQueries({
        chosenIds: carModelIds ?? [carModelId ?? manufacturerId].filter((id) => id !== undefined),
        year: facts.year,
        meant: meant?.vehicle,
      })
    : []
  // The vehicle's mark has the year.
  const isYearSaid = vehicles.length > 0 && !meant?.vehicle?.years
  return { others: withFacts(words, isYearSaid ? { ...facts, year: undefined } : facts, sample), vehicles }
}

/** Buyers look for what fits a vehicle; sellers and administrators for what came from it. */
export const isByFitment = ({ seller, everybody }: Search): boolean => !seller && !everybody

/** Whether a search finds every listing. */
export function hasNoConditions({ words, excluded, facts, limits, meant, ...ids }: Search): boolean {
  const { near, ...others } = limits
  const { excludedNames, nameWords, categoryId, manufacturerId, carModelId, carModelIds, gap } = ids
  const conditions = [
    withFacts(words, facts),
    excluded,
    excludedNames,
    nameWords,
    categoryId,
    manufacturerId,
    carModelId,
    carModelIds,
    gap,
    meant,
    near?.miles,
  ]
  return [...conditions, ...Object.values(others)].every((one) => one === undefined || one === '')
}
