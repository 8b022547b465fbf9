import { sql } from 'kysely'
import { decidingParameters } from '#contract/search/list-address.ts'
import type { PartsQuery } from '#contract/search/parts-search.ts'
import { type LookupKind, pageKindOf } from '#server/features/lookups/lookup-kind.ts'
import { type SearchValues, searchColumnsOf } from '#server/features/search/matches/match-conditions.ts'
import { type ReadPartsQuery, readAddress, searchOf } from '#server/features/search/query/reading.ts'
import type { Search } from '#server/features/search/query/search.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { fitKeysOf, keysOf } from './search-keys.ts'
import { type FilterNames, searchTitleOf } from './search-title.ts'

/* The conditions of a saved search: the list's query, interpreted as the list does and stored in columns. */

/** Columns of `saved_search` for each condition. */
const COLUMNS = {
  words: 'words',
  categoryId: 'category_id',
  manufacturerId: 'manufacturer_id',
  carModelId: 'car_model_id',
  meantCategoryIds: 'meant_category_ids',
  meantManufacturerIds: 'meant_manufacturer_ids',
  meantModelIds: 'meant_model_ids',
  meantModelWords: 'meant_model_words',
  sellerId: 'seller_id',
  minCents: 'min_cents',
  maxCents: 'max_cents',
  mostMiles: 'most_miles',
  place: 'place',
  radius: 'radius',
} as const satisfies Record<keyof ReturnType<typeof searchColumnsOf>, string>

/** The conditions of stored searches `s`. */
export const storedValues: SearchValues = {
  ...(Object.fromEntries(
    Object.entries(COLUMNS).map(([name, column]) => [name, sql.ref(`s.${column}`)]),
  ) as Record<keyof typeof COLUMNS, ReturnType<typeof sql.ref>>),
  isNear: sql`(s.radius is null or miles_between(t.place, s.place) <= s.radius)`,
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
  const typed = await followMerges(db, readAddress(new URLSearchParams(address)).query)
  const reading = await readQuery(db, typed)
  const [words, search] = reading === 'nothing' ? [] : [reading.words, searchOf(reading)]
  const q = words?.corrected?.to ?? words?.withoutVin
  const query = q === undefined ? typed : { ...typed, q }
  const names = await findNames(db, query)
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
    problem: problemOf(search, keys),
  }
}

function problemOf(search: Search | undefined, keys: readonly string[]): string | undefined {
  if (!search) return NOTHING
  return keys.length === 0 ? TOO_BROAD : undefined
}

/**
 * Replaces merged lookups in a stored query by the ones they were merged into. A merged lookup is deleted when its listings
 * have moved, which is often before anyone reads the query again; what it became stays known.
 */
async function followMerges(db: Db, query: PartsQuery): Promise<PartsQuery> {
  const { categoryId, manuId, modelId } = query
  if (!categoryId && !manuId && !modelId) return query
  const { rows } = await sql<Pick<PartsQuery, 'categoryId' | 'manuId' | 'modelId'>>`
    select ${heirOf('category', categoryId)} as "categoryId", ${heirOf('manufacturer', manuId)} as "manuId",
           ${heirOf('car_model', modelId)} as "modelId"
  `.execute(db)
  const left = onlyRow(rows)
  return {
    ...query,
    categoryId: left.categoryId ?? categoryId,
    manuId: left.manuId ?? manuId,
    modelId: left.modelId ?? modelId,
  }
}

const heirOf = (kind: LookupKind, id: string | undefined) => sql`coalesce(
  (select merged_into from ${sql.table(kind)} where id = ${id || null}),
  (select heir_id from landing_heir where kind = ${pageKindOf(kind)} and lookup_id = ${id || null}))`

async function findNames(db: Db, query: PartsQuery): Promise<FilterNames> {
  const { categoryId, manuId, modelId, seller } = query
  if (!categoryId && !manuId && !modelId && !seller) return NO_NAMES
  const { rows } = await sql<FilterNames>`
    select (select name from category where id = ${categoryId || null}) as category,
           (select name from manufacturer where id = coalesce(
              ${manuId || null}, (select manufacturer_id from car_model where id = ${modelId || null}))) as make,
           (select name from car_model where id = ${modelId || null}) as model,
           (select name from seller where slug = ${seller || null}) as seller
  `.execute(db)
  return onlyRow(rows)
}

const NO_NAMES: FilterNames = { category: null, make: null, model: null, seller: null }

function addressOf(query: PartsQuery): string {
  const address = new URLSearchParams()
  // The other parameters only sort and page.
  for (const name of decidingParameters) {
    const value = query[name]
    if (value !== undefined && value !== '') address.set(name, value === true ? '1' : String(value))
  }
  return address.toString()
}
