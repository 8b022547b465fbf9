import { type PartsPage, type PartsQuery, searchEndpoints } from '#contract/search/parts-search.ts'
import { withSaidFilters } from '#contract/trade-language/query/filter-phrases.ts'
import { findInterchange, type Interchange } from '#server/features/market/interchange/number-claims.ts'
import { openVehicles, type Vehicles } from '#server/features/market/vin/vehicles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type NamedFilters, readNamedFilters } from './named-filters.ts'
import { readFilters } from './read-query.ts'
import type { Search } from './search.ts'
import { openTypedWords, type TypedWords } from './typed-words.ts'

const { query: partsQuery } = searchEndpoints.searchPublic

/** The query of a list page's address without the values that the API would refuse, and why, by parameter. */
type ReadAddress = { readonly query: PartsQuery; readonly refused: Readonly<Record<string, string>> }

/** Ignores values that the API would refuse, so that the page still opens. */
export function readAddress(asked: URLSearchParams): ReadAddress {
  const given = new Map(asked)
  const refused: Record<string, string> = {}
  for (;;) {
    const read = partsQuery.safeParse(Object.fromEntries(given))
    if (read.success) return { query: read.data, refused }
    for (const { path, message } of read.error.issues) {
      const name = String(path[0])
      refused[name] ??= message
      given.delete(name)
    }
  }
}

/** What a query asks for. */
export type Reading = {
  /** With the filters that its words say, and these by themselves. */
  readonly query: PartsQuery
  readonly said: PartsPage['said']
  readonly named: NamedFilters
  /** 'nothing' if no part can match. */
  readonly asked: Asked | 'nothing'
}

/** The search of a query's filters, and what was read of its words, if it has any. */
type Asked = {
  readonly base: Search
  readonly words: (TypedWords & { readonly interchange?: Interchange }) | undefined
  /** The query is only a VIN that we cannot decode; the list shows all parts. */
  readonly isUnknownVin?: true
}

/** @throws AppError VALIDATION_FAILED for a ZIP code that does not exist */
export type ReadPartsQuery = (db: Db, query: PartsQuery) => Promise<Reading>

/** Opens the reader of queries. One per process, because the vocabulary takes 10 MB. */
export function openReading(now: () => Date, vehicles: Vehicles = openVehicles(now)): ReadPartsQuery {
  const readWords = openTypedWords(now, vehicles)
  const readAsked = async (db: Db, query: PartsQuery, { ids }: NamedFilters): Promise<Reading['asked']> => {
    const { modelIds } = ids
    const [modelId] = modelIds.length === 1 ? modelIds : []
    const base = await readFilters(db, { ...query, ...ids, modelId, sort: sortOf(query) })
    if (base === 'nothing') return 'nothing'
    if ((query.q ?? '').trim() === '') return { base, words: undefined }
    const words = await readWords(db, query)
    if (words === 'unknown VIN') return { base, words: undefined, isUnknownVin: true }
    return words ? { base, words: await withInterchange(db, words) } : 'nothing'
  }
  return async (db, given) => {
    const { query, said } = withSaidFilters(given)
    const named = await readNamedFilters(db, query)
    return { query, said, named, asked: await readAsked(db, query, named) }
  }
}

/**
 * Reads what the first search of a process needs: a misspelled one takes the vocabulary, the words of the stock and the
 * spelling, a second of work.
 */
export const warmReading = (db: Db, read: ReadPartsQuery): Promise<unknown> =>
  read(db, { q: 'altenator', page: 1, perPage: 1 })

/**
 * Not kept with the words, because claims change independently of them. Costs nothing without a part number.
 */
async function withInterchange(db: Db, words: TypedWords): Promise<Asked['words']> {
  const [number] = words.wanted.numbers
  const interchange = number === undefined ? undefined : await findInterchange(db, number)
  return interchange ? { ...words, interchange } : words
}

/** Relevance ranks by words; without words it means newest first. */
function sortOf({ sort }: PartsQuery): Search['sort'] {
  return sort === 'relevance' ? 'newest' : (sort ?? 'newest')
}
