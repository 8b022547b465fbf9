import type { Search } from '#server/features/finding/search/query/search.ts'
import type { Tally } from '#server/features/market/for-sale/tally.ts'
import { readInShape, type Shape } from '#server/features/market/listings/shown/shapes.ts'
import type { Db } from '#server/platform/database/database.ts'
import { countMatches, gatherMatches, sortMatches, walkMatches } from './match-queries.ts'
import { isMany, type Span } from './ordered-lists.ts'
import type { CountedSearch, SearchMemory } from './search-memory.ts'

/** A page of matches; above MATCHES_SHOWN `matches` only means "more", unless all were to be counted. */
type FoundMatches<Item> = Tally & { items: Item[]; matches: number }

type Read = { id: string }
type MatchesRequest<Item extends Read> = {
  db: Db
  search: Search
  span: Span
  shape: Shape<Item>
  memory: SearchMemory
  now: number
  /** Whether more matches than MATCHES_SHOWN are counted, too, so that their last page is known. */
  countsAll?: boolean
}

// "10,000+" stays right for a while; a search that shrank below it is noticed after this time.
const MANY_FOR_MS = 60_000

/**
 * Finds one page of a search. Few matches, or a search not seen before, are gathered and counted by the index; frequent
 * matches are found by walking the list in order.
 */
export async function findMatches<Item extends Read>(
  request: MatchesRequest<Item>,
): Promise<FoundMatches<Item>> {
  const { search, memory, now } = request
  const known = memory.counted(search)
  if (!known || !isMany(known)) return gather(request)
  if (now - known.countedAt < MANY_FOR_MS) return pageOfMany(request, known)
  // One request counts again; the others use the known number.
  memory.noteCount(search, { ...known, countedAt: now })
  return gather(request)
}

async function gather<Item extends Read>(request: MatchesRequest<Item>): Promise<FoundMatches<Item>> {
  const { db, search, span, shape, memory, now, countsAll } = request
  const found = await gatherMatches(db, search, span)
  const walkFailsAt = memory.counted(search)?.walkFailsAt ?? Number.POSITIVE_INFINITY
  const matches = countsAll && isMany(found) ? await countMatches(db, search) : found.matches
  const counted = { matches, countedAt: now, walkFailsAt }
  memory.noteCount(search, counted)
  if (isMany(found)) return pageOfMany(request, counted)
  return { ...found, items: await readInShape(db, shape, found.ids) }
}

async function pageOfMany<Item extends Read>(
  request: MatchesRequest<Item>,
  known: CountedSearch,
): Promise<FoundMatches<Item>> {
  const { db, search, span, shape } = request
  const { matches } = known
  const walked = await walk(request, known)
  if (walked) return { ...walked, matches }
  const sorted = await sortMatches(db, search, span)
  return { ...sorted, matches, items: await readInShape(db, shape, sorted.ids) }
}

/** Undefined if the walk did not reach the page's end, or is known not to. */
async function walk<Item extends Read>(
  request: MatchesRequest<Item>,
  known: CountedSearch,
): Promise<(Tally & { items: Item[] }) | undefined> {
  const { db, search, span, shape, memory } = request
  const { sort } = search
  const end = span.offset + span.limit
  if (end >= known.walkFailsAt || sort === 'nearest') return undefined
  const walked = await walkMatches(db, { search: { ...search, sort }, span, shape })
  if (walked.items.length >= span.limit) return walked
  memory.noteCount(search, { ...known, walkFailsAt: end })
  return undefined
}
