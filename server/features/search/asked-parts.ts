import { type PartsQuery, searchEndpoints } from '#contract/search/parts-search.ts'
import { findInterchange, type Interchange } from '#server/features/interchange/number-claims.ts'
import { readFilters } from '#server/features/search/query/read-query.ts'
import type { Search } from '#server/features/search/query/search.ts'
import { openVehicles, type Vehicles } from '#server/features/vin/vehicles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { toSearch } from './meant-search.ts'
import { openReading, type Reading } from './words/reading.ts'

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

/** A reading plus the interchange of its first part number. */
export type MeantReading = Reading & { readonly interchange?: Interchange }

/** What a query asks for: its filters, and the interpretation of its words, if any. */
export type Asked = {
  readonly base: Search
  readonly reading: MeantReading | undefined
  /** The query is only a VIN that we cannot decode; the list shows all parts. */
  readonly isUnknownVin?: true
}

/** @throws AppError VALIDATION_FAILED for a ZIP code that does not exist */
export type Ask = (db: Db, query: PartsQuery) => Promise<Asked | 'nothing'>

/** Opens the reader of queries. One per process, because the vocabulary takes 10 MB. */
export function openAsking(now: () => Date, vehicles: Vehicles = openVehicles(now)): Ask {
  const read = openReading(now, vehicles)
  return async (db, query) => {
    const base = await readFilters(db, { ...query, sort: sortOf(query) })
    if (base === 'nothing') return 'nothing'
    if ((query.q ?? '').trim() === '') return { base, reading: undefined }
    const reading = await read(db, query)
    if (reading === 'unknown VIN') return { base, reading: undefined, isUnknownVin: true }
    return reading ? { base, reading: await withInterchange(db, reading) } : 'nothing'
  }
}

/**
 * Not cached with the reading, because claims change independently of the words. Costs nothing without a part number.
 */
async function withInterchange(db: Db, reading: Reading): Promise<MeantReading> {
  const [number] = reading.meant.numbers
  const interchange = number === undefined ? undefined : await findInterchange(db, number)
  return interchange ? { ...reading, interchange } : reading
}

/** Relevance ranks by words; without words it means newest first. */
function sortOf({ sort }: PartsQuery): Search['sort'] {
  return sort === 'relevance' ? 'newest' : (sort ?? 'newest')
}

/** The search with all conditions; undefined if the words are too common to search for. */
export const searchOf = ({ base, reading }: Asked): Search | undefined =>
  reading ? toSearch(base, reading, { dropped: [] }) : base
