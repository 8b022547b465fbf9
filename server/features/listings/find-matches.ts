import type { Db } from '#server/platform/database/database.ts'
import type { Span } from './list-queries.ts'
import { type ReadListing, readListings } from './listing-queries.ts'
import { isMany, type Search } from './search.ts'
import type { KnownSearch, SearchMemory } from './search-memory.ts'
import { gatherMatches, readFewMatches, sortMatches, walkMatches } from './search-queries.ts'
import type { Tally } from './tally-queries.ts'

/** A page of matches; above MATCHES_SHOWN `matches` only says that there are more. */
export type FoundMatches = Tally & { items: ReadListing[]; matches: number }

type Asked = { db: Db; search: Search; span: Span; memory: SearchMemory; now: number }

// What going through a thousand listings takes, about. What gathering takes is measured whenever it is done: the words
// alone do not tell. On a busy machine one measurement says nothing, and the shortest of three enough.
const WALK_MS = 1
const COUNTS_MEASURED = 3
// A walk along a category or model meets matches so much sooner, about.
const SOONER = 10
// Longer walks than this may end before the page does.
const WORTH_WALKING = 40_000
// "10,000+" stays right for a while; a search that shrank below it is found out then.
const MANY_FOR_MS = 60_000

/**
 * Finds one page of a search in the cheapest way that is known to be right. What is few, or not known yet, is gathered by
 * the index, which counts it too; what is frequent is met by going through the list in its order.
 */
export async function findMatches(asked: Asked): Promise<FoundMatches> {
  const { search, memory, now } = asked
  if (!memory.recall(search)) await memory.untilCounted(search)
  const known = memory.recall(search)
  if (!known) return memory.count(search, () => gather(asked, undefined))
  if (!isMany(known)) return (await walkSome(asked, known)) ?? gather(asked, known)
  if (now - known.countedAt < MANY_FOR_MS) return pageOfMany(asked, known)
  // One counts again, the others go on with what is known.
  memory.remember(search, { ...known, countedAt: now })
  return gather(asked, known)
}

async function gather(asked: Asked, before: KnownSearch | undefined): Promise<FoundMatches> {
  const { db, search, span, memory, now } = asked
  const began = performance.now()
  const found =
    before && !isMany(before) && isWordsAlone(search)
      ? await readFewMatches(db, search, span)
      : await gatherUnknown(asked)
  const { matches, writes } = found
  const same = before?.writes === writes ? before : undefined
  const counted: KnownSearch = {
    matches,
    writes,
    length: lengthOf(search, found),
    countedAt: now,
    counts: (before?.counts ?? 0) + 1,
    countMs: Math.min(performance.now() - began, before?.countMs ?? Number.POSITIVE_INFINITY),
    newest: isMany(found) || span.offset > 0 || search.sort !== 'newest' ? same?.newest : found.items[0]?.id,
    walkFailsAt: same?.walkFailsAt ?? Number.POSITIVE_INFINITY,
  }
  memory.remember(search, counted)
  return isMany(found) ? pageOfMany(asked, counted) : found
}

/** Every combination of filters would be one more statement to keep prepared. */
const isWordsAlone = ({ seller, everybody, categoryId, manufacturerId, carModelId }: Search): boolean =>
  !(seller || everybody || categoryId || manufacturerId || carModelId)

async function gatherUnknown({ db, search, span }: Asked): Promise<FoundMatches> {
  const found = await gatherMatches(db, search, span)
  return { ...found, items: isMany(found) ? [] : await readListings(db, found.ids) }
}

function lengthOf({ seller, everybody }: Search, { live, running, ended, kept }: Tally): number {
  if (everybody) return kept
  if (!seller) return live
  return seller.state === 'sold' ? ended : running
}

/** The page of a search whose number is known, if that number still counts and a walk is the shorter way. */
async function walkSome(asked: Asked, known: KnownSearch): Promise<FoundMatches | undefined> {
  const walkedRows = expectedWalk(asked, known)
  if (known.counts < COUNTS_MEASURED || walkedRows > WORTH_WALKING) return undefined
  if ((walkedRows / 1_000) * WALK_MS > known.countMs) return undefined
  const walked = await walk(asked, known)
  return walked?.writes === known.writes ? { ...walked, matches: known.matches } : undefined
}

/** How many listings are met before the page's last match, if matches are spread evenly. */
function expectedWalk({ search, span }: Asked, { matches, length }: KnownSearch): number {
  if (matches === 0) return Number.POSITIVE_INFINITY
  const rows = (Math.min(ends(span), matches) * length) / matches
  const isAlongPart = !search.everybody && (search.categoryId || search.carModelId)
  return isAlongPart ? rows / SOONER : rows
}

async function pageOfMany(asked: Asked, known: KnownSearch): Promise<FoundMatches> {
  const { db, search, span, memory } = asked
  const { matches } = known
  const walked = await walk(asked, known)
  if (walked) return { ...walked, matches }
  const sorted = await sortMatches(db, search, span)
  if (search.sort === 'newest' && span.offset === 0) {
    const latest = memory.recall(search) ?? known
    memory.remember(search, {
      ...latest,
      writes: sorted.writes,
      newest: sorted.ids[0],
      walkFailsAt: Number.POSITIVE_INFINITY,
    })
  }
  return { ...sorted, matches, items: await readListings(db, sorted.ids) }
}

/** Undefined where the walk did not come to the page's end, or is known not to. */
async function walk(asked: Asked, known: KnownSearch): Promise<Omit<FoundMatches, 'matches'> | undefined> {
  const { db, search, span, memory } = asked
  if (ends(span) >= known.walkFailsAt) return undefined
  const walked = await walkMatches(db, search, { ...span, newest: known.newest })
  // Above `newest` something may match by now.
  if (known.newest !== undefined && walked.writes !== known.writes) return undefined
  const expected = Math.max(0, Math.min(span.limit, known.matches - span.offset))
  if (walked.items.length >= expected) return walked
  if (walked.writes === known.writes || isMany(known)) {
    memory.remember(search, { ...known, walkFailsAt: ends(span) })
  }
  return undefined
}

const ends = ({ offset, limit }: Span) => offset + limit
