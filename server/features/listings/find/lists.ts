import { type ReadListing, readListings } from '#server/features/listings/listing-queries.ts'
import type { Db } from '#server/platform/database/database.ts'
import {
  type BackgroundTasks,
  type BatchedReads,
  openBackgroundTasks,
  openBatchedReads,
  openSharedReads,
  type Reads,
} from '#server/platform/database/reads.ts'
import type { Log } from '#server/platform/log.ts'
import {
  buildCheckpoints,
  type CheckpointPage,
  countGrowth,
  readPagesFromCheckpoints,
} from './checkpoint-queries.ts'
import {
  foldTally,
  isMany,
  MATCHES_SHOWN,
  NEAR_THE_TOP,
  onlyRow,
  readPageFromTop,
  readTally,
  type Search,
  type Span,
  type Tally,
  type WholeList,
} from './list-queries.ts'
import { gatherMatches, readFewMatches, sortMatches, walkMatches } from './search-queries.ts'

/** What a process remembers of a search. */
export type KnownSearch = {
  /** Exact at `writes`; above MATCHES_SHOWN only that there are more than that. */
  matches: number
  /** How long the searched list was then. */
  length: number
  /** The version of the data. */
  writes: number
  countedAt: number
  /** How often it was counted, and how long that took at least. */
  counts: number
  countMs: number
  /** At `writes`, no listing newer than this one matches. */
  newest: string | undefined
  /** Going through the list did not fill a page that ended at this match, and will not fill a later one. */
  walkFailsAt: number
}

type SearchMemory = {
  recall(search: Search): KnownSearch | undefined
  remember(search: Search, known: KnownSearch): void
  /** Runs the count of a search; whoever asks for it meanwhile can wait for it with `untilCounted`. */
  count<T>(search: Search, count: () => Promise<T>): Promise<T>
  untilCounted(search: Search): Promise<void>
}

// A few hundred bytes each; more searches than people make in a minute.
const SEARCHES_KEPT = 5_000

/** Nothing in it grows old: totals belong to a version of the data, or say when they were counted. */
export function openSearchMemory(): SearchMemory {
  const known = new Map<string, KnownSearch>()
  const counting = new Map<string, Promise<unknown>>()
  const keyOf = (search: Search) => JSON.stringify(search)
  return {
    recall: (search) => known.get(keyOf(search)),
    remember(search, found) {
      const key = keyOf(search)
      known.delete(key)
      known.set(key, found)
      const [oldest] = known.keys()
      if (known.size > SEARCHES_KEPT && oldest !== undefined) known.delete(oldest)
    },
    count(search, count) {
      const key = keyOf(search)
      const run = count().finally(() => {
        if (counting.get(key) === run) counting.delete(key)
      })
      counting.set(key, run)
      return run
    },
    async untilCounted(search) {
      await counting.get(keyOf(search))?.catch(() => undefined)
    },
  }
}

// Counting off from the top takes 15 ms here; as long as checkpoints are older than the data that is the way to be exact.
const EXACT_TO = 20_000
// While listings come in, checkpoints are always a little old; making them for a million rows takes half a second.
const REBUILT_EVERY_MS = 5_000

type Asked = {
  list: WholeList
  span: Span
  tasks: BackgroundTasks
  /** Deep pages of a list by where they begin. */
  gather: BatchedReads<number, CheckpointPage>
}
type FoundPage = Tally & { items: ReadListing[] }

/**
 * Finds one page of a whole list, however deep, to its very end. While checkpoints are older than the data, pages beyond
 * EXACT_TO count in what came on top since, and are as exact as the list below it is unchanged. `reads` may be a replica:
 * checkpoints are made where is written.
 */
async function findListPage(
  { db, reads }: { db: Db; reads: Reads },
  { list, span, tasks, gather }: Asked,
): Promise<FoundPage> {
  if (span.offset + span.limit <= NEAR_THE_TOP) return reads((from) => readPageFromTop(from, list, span))
  const { offset, limit } = span
  const found = await gather(`${limit} of ${list.key}`, offset, (offsets) =>
    reads((from) => readPagesFromCheckpoints(from, list, { offsets, limit, mustBeFresh: true })),
  )
  if (found.fresh || span.offset >= found[list.count]) return found
  const rebuild = () =>
    tasks.run(`checkpoints of ${list.key}`, () => buildCheckpoints(db, list, REBUILT_EVERY_MS))
  const isDeep = span.offset > EXACT_TO
  // Nobody has been so deep before: better wait once than count off half a million.
  if (found.fresh === null && isDeep) await rebuild()
  else if (found.ageMs === null || found.ageMs > REBUILT_EVERY_MS) void rebuild()
  return reads(
    async (from) =>
      (isDeep && (await readFromOldCheckpoint(from, list, span))) || readPageFromTop(from, list, span),
  )
}

/** Undefined where another process makes the first checkpoints just now. */
async function readFromOldCheckpoint(db: Db, list: WholeList, span: Span): Promise<FoundPage | undefined> {
  const offset = span.offset - (await countGrowth(db, list))
  const { limit } = span
  const found = onlyRow(
    await readPagesFromCheckpoints(db, list, { offsets: [offset], limit, mustBeFresh: false }),
  )
  return found.fresh === null ? undefined : found
}

/** A page of matches; above MATCHES_SHOWN `matches` only says that there are more. */
export type FoundMatches = Tally & { items: ReadListing[]; matches: number }

type FindMatchesAsked = { db: Db; search: Search; span: Span; memory: SearchMemory; now: number }

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
export async function findMatches(asked: FindMatchesAsked): Promise<FoundMatches> {
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

async function gather(asked: FindMatchesAsked, before: KnownSearch | undefined): Promise<FoundMatches> {
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

async function gatherUnknown({ db, search, span }: FindMatchesAsked): Promise<FoundMatches> {
  const found = await gatherMatches(db, search, span)
  return { ...found, items: isMany(found) ? [] : await readListings(db, found.ids) }
}

function lengthOf({ seller, everybody }: Search, { live, running, ended, kept }: Tally): number {
  if (everybody) return kept
  if (!seller) return live
  return seller.state === 'sold' ? ended : running
}

/** The page of a search whose number is known, if that number still counts and a walk is the shorter way. */
async function walkSome(asked: FindMatchesAsked, known: KnownSearch): Promise<FoundMatches | undefined> {
  const walkedRows = expectedWalk(asked, known)
  if (known.counts < COUNTS_MEASURED || walkedRows > WORTH_WALKING) return undefined
  if ((walkedRows / 1_000) * WALK_MS > known.countMs) return undefined
  const walked = await walk(asked, known)
  return walked?.writes === known.writes ? { ...walked, matches: known.matches } : undefined
}

/** How many listings are met before the page's last match, if matches are spread evenly. */
function expectedWalk({ search, span }: FindMatchesAsked, { matches, length }: KnownSearch): number {
  if (matches === 0) return Number.POSITIVE_INFINITY
  const rows = (Math.min(ends(span), matches) * length) / matches
  const isAlongPart = !search.everybody && (search.categoryId || search.carModelId)
  return isAlongPart ? rows / SOONER : rows
}

async function pageOfMany(asked: FindMatchesAsked, known: KnownSearch): Promise<FoundMatches> {
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
async function walk(
  asked: FindMatchesAsked,
  known: KnownSearch,
): Promise<Omit<FoundMatches, 'matches'> | undefined> {
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

export type Page = { page: number; perPage: number }
export type FoundListings = {
  items: ReadListing[]
  total: number
  totalIsAtLeast?: true
  /** The last page that has anything to show. */
  lastPage: number
}

/** The lists of a process, with what it remembers of them. */
export type Lists = {
  /** A page of a whole list; its total stops at MATCHES_SHOWN too, its pages do not. */
  page(list: WholeList, page: Page): Promise<FoundListings>
  /** A page of what is found in a list. */
  find(search: Search | 'everything' | 'nothing', list: WholeList, page: Page): Promise<FoundListings>
  countLive(): Promise<number>
  /** Waits for what runs in the background. */
  close(): Promise<void>
}

// Every read adds up the changes that are not folded yet: 100 take 0.02 ms.
const FOLD_ABOVE = 100

// What they share costs each of them little from here on, and the first waits for the last.
const DEEP_PAGES_AT_ONCE = 16

type ListDeps = {
  db: Db
  /** How public lists are read: a replica is a moment behind, which only whoever changed something would notice. */
  reads: Reads
  log: Log
  now: () => Date
}

export function openLists({ db, reads, log, now }: ListDeps): Lists {
  const tasks = openBackgroundTasks(log)
  const memory = openSearchMemory()
  const fold = ({ changes }: Tally) => {
    if (changes > FOLD_ABOVE) void tasks.run('fold the tally', () => foldTally(db))
  }
  const share = openSharedReads()
  const gather = openBatchedReads<number, CheckpointPage>(DEEP_PAGES_AT_ONCE)
  const readsOf = ({ count }: WholeList): Reads => (count === 'live' ? reads : (read) => read(db))
  const readList = async (list: WholeList, page: Page) => {
    const found = await findListPage(
      { db, reads: readsOf(list) },
      { list, span: spanOf(page), tasks, gather },
    )
    fold(found)
    return present(found[list.count], found[list.count], found.items, page)
  }
  const search = async (asked: Search, list: WholeList, page: Page) => {
    const span = spanOf(page, MATCHES_SHOWN)
    const found = await readsOf(list)((from) =>
      findMatches({ db: from, search: asked, span, memory, now: now().getTime() }),
    )
    fold(found)
    return present(found.matches, Math.min(found.matches, MATCHES_SHOWN), found.items, page)
  }
  const count = async () => {
    const tally = await reads(readTally)
    fold(tally)
    return tally.live
  }
  const page: Lists['page'] = (list, { page: at, perPage }) =>
    share(JSON.stringify([list.key, at, perPage]), () => readList(list, { page: at, perPage }))
  return {
    page,
    async find(asked, list, { page: at, perPage }) {
      if (asked === 'everything') return page(list, { page: at, perPage })
      if (asked === 'nothing') return present(0, 0, [], { page: at, perPage })
      return share(JSON.stringify([asked, at, perPage]), () => search(asked, list, { page: at, perPage }))
    },
    countLive: () => share('count', count),
    close: () => tasks.close(),
  }
}

/** The rows of a page, of a list that is shown to this end at most. */
function spanOf({ page, perPage }: Page, end = Number.POSITIVE_INFINITY): Span {
  const offset = (page - 1) * perPage
  return { offset, limit: Math.min(perPage, Math.max(0, end - offset)) }
}

function present(total: number, shown: number, items: ReadListing[], { perPage }: Page): FoundListings {
  const lastPage = Math.max(1, Math.ceil(shown / perPage))
  if (total > MATCHES_SHOWN) return { items, total: MATCHES_SHOWN, totalIsAtLeast: true, lastPage }
  return { items, total, lastPage }
}
