import { type PartsQuery, searchEndpoints } from '#contract/search/parts-search.ts'
import { findInterchange, type Interchange } from '#server/features/interchange/claims.ts'
import type { Search } from '#server/features/listings/find/list-queries.ts'
import { readFilters } from '#server/features/listings/find/read-search.ts'
import { openVehicles, type Vehicles } from '#server/features/vin/vehicles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { toSearch } from './meant-search.ts'
import { openReading, type Reading } from './words/reading.ts'

const { query: partsQuery } = searchEndpoints.searchPublic

/** The query of a list's address. A value that the API would refuse filters nothing: a page is not an error for it. */
export function readAddress(asked: URLSearchParams): PartsQuery {
  const given = Object.fromEntries(asked)
  const refused = partsQuery.safeParse(given).error?.issues.map(({ path }) => String(path[0])) ?? []
  return partsQuery.parse(
    Object.fromEntries(Object.entries(given).filter(([name]) => !refused.includes(name))),
  )
}

/** With what the first of its numbers interchanges. */
export type MeantReading = Reading & { readonly interchange?: Interchange }

/** What a query asks for: its filters, and what its words were taken for if it has any. */
export type Asked = {
  readonly base: Search
  readonly reading: MeantReading | undefined
  /** Nothing but the VIN of a car that we cannot tell; anything is shown. */
  readonly isUnknownVin?: true
}

/** @throws AppError VALIDATION_FAILED for a ZIP code that does not exist */
export type Ask = (db: Db, query: PartsQuery) => Promise<Asked | 'nothing'>

/** Reads queries; one for a process, as the vocabulary is 10 MB. */
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

/** Not kept with the reading, as claims change without the words. Words without a part number cost nothing. */
async function withInterchange(db: Db, reading: Reading): Promise<MeantReading> {
  const [number] = reading.meant.numbers
  const interchange = number === undefined ? undefined : await findInterchange(db, number)
  return interchange ? { ...reading, interchange } : reading
}

/** Relevance is an order of words; the rest of it is newest first. */
function sortOf({ sort }: PartsQuery): Search['sort'] {
  return sort === 'relevance' ? 'newest' : (sort ?? 'newest')
}

/** All that was asked for. Undefined if the words are too common to search for. */
export const searchOf = ({ base, reading }: Asked): Search | undefined =>
  reading ? toSearch(base, reading, { dropped: [] }) : base
