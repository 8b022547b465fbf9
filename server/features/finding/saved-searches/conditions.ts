import { sql } from 'kysely'
import { decidingParameters, listAddress } from '#contract/search/list-address.ts'
import type { PartsQuery } from '#contract/search/parts-search.ts'
import {
  type SearchValues,
  searchColumnsOf,
  ships,
} from '#server/features/finding/search/matches/match-conditions.ts'
import { searchOf } from '#server/features/finding/search/query/conditions.ts'
import { type ReadPartsQuery, readAddress } from '#server/features/finding/search/query/reading.ts'
import type { Search } from '#server/features/finding/search/query/search.ts'
import { searchTitleOf } from '#server/features/finding/search/query/search-title.ts'
import type { Db } from '#server/platform/database/database.ts'
import { fitKeysOf, keysOf } from './search-keys.ts'

/* The conditions of a saved search: the list's query, interpreted as the list does and stored in columns. */

/** Columns of `saved_search` for each condition. */
const COLUMNS = {
  words: 'words',
  nameWords: 'name_words',
  excludedNames: 'excluded_names',
  categoryId: 'category_id',
  manufacturerId: 'manufacturer_id',
  carModelId: 'car_model_id',
  meantCategoryIds: 'meant_category_ids',
  meantManufacturerIds: 'meant_manufacturer_ids',
  meantModelIds: 'meant_model_ids',
  meantModelWords: 'meant_model_words',
  sellerId: 'seller_id',
  excludedSellerIds: 'excluded_seller_ids',
  minCents: 'min_cents',
  maxCents: 'max_cents',
  mostMiles: 'most_miles',
  place: 'place',
  radius: 'radius',
  orShips: 'or_ships',
} as const satisfies Record<keyof ReturnType<typeof searchColumnsOf>, string>

/** The conditions of stored searches `s`. */
export const storedValues: SearchValues = {
  ...(Object.fromEntries(
    Object.entries(COLUMNS).map(([name, column]) => [name, sql.ref(`s.${column}`)]),
  ) as Record<keyof typeof COLUMNS, ReturnType<typeof sql.ref>>),
  isNear: sql`(s.radius is null or miles_between(t.place, s.place) <= s.radius or (s.or_ships and ${ships}))`,
}

function columnsOf(search: Search): Record<string, unknown> {
  const values = Object.entries(searchColumnsOf(search))
  return Object.fromEntries(values.map(([name, value]) => [COLUMNS[name as keyof typeof COLUMNS], value]))
}

/** A search as it is stored. */
export type Conditions = {
  /** The query in normalized form. */
  query: string
  title: string
  /** Values of `saved_search`, for jsonb_populate_record. */
  columns: Record<string, unknown>
  /** Keys for candidate selection (`search-keys.ts`). */
  keys: readonly string[]
  /** Why the search cannot be saved, as a sentence. */
  problem: string | undefined
}

const TOO_BROAD = 'Add a part, a model or a part number. Otherwise we would email you all the time.'
const NOTHING = 'No part can match this search. Check its words.'

/**
 * Reads the query of a list's address. Corrected spelling stays corrected, so that a word's meaning does not change
 * with the stock. A VIN is stored as its car.
 * @throws AppError VALIDATION_FAILED for a ZIP code that does not exist
 */
export async function readConditions(
  db: Db,
  readQuery: ReadPartsQuery,
  address: string,
): Promise<Conditions> {
  const { named, asked } = await readQuery(db, readAddress(new URLSearchParams(address)).query)
  const [words, search] = asked === 'nothing' ? [] : [asked.words, searchOf(asked)]
  const q = words?.corrected?.to ?? words?.withoutVin
  const query = q === undefined ? named.query : { ...named.query, q }
  const { names, unknown } = named
  const { title, part, vehicle, years } = searchTitleOf(query, { wanted: words?.wanted, names })
  const keys = search ? [...keysOf(search, years), ...fitKeysOf(search, years)] : []
  const stored = { query: addressOf(query), title }
  return {
    ...stored,
    columns: {
      ...stored,
      part,
      vehicle,
      year_from: years?.from ?? null,
      year_to: years?.to ?? null,
      ...(search && columnsOf(search)),
    },
    keys,
    problem: problemOf(search, keys, unknown),
  }
}

function problemOf(
  search: Search | undefined,
  keys: readonly string[],
  [unknown]: readonly string[],
): string | undefined {
  // Without that filter, it would find everything else.
  if (unknown !== undefined) return `We don’t know this ${unknown}. Choose another one.`
  if (!search) return NOTHING
  return keys.length === 0 ? TOO_BROAD : undefined
}

/** The other parameters only sort and page. */
const addressOf = (query: PartsQuery): string =>
  listAddress(Object.fromEntries(decidingParameters.map((name) => [name, query[name]])))
