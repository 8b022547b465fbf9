import { readInShape, type Shape } from '#server/features/listings/listing-queries.ts'
import {
  gatherMatches,
  readFewMatches,
  sortMatches,
  walkMatches,
} from '#server/features/search/matches/match-queries.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
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
  type PagedList,
  readPageFromTop,
  readTally,
  type Search,
  type Span,
  type Tally,
} from './list-queries.ts'

/** What a process remembers about a search. */
export type KnownSearch = {
  /** Exact at `writes`; above MATCHES_SHOWN it only means "more". */
  matches: number
  /** The length of the searched list then. */
  length: number
  /** The version of the data. */
  writes: number
  countedAt: number
  /** How often it was counted, and the shortest time that took. */
  counts: number
  countMs: number
  /** At `writes`, no listing newer than this one matches. */
  newest: string | undefined
  /** Walking the list did not fill a page that ended at this match, so it cannot fill a later one. */
  walkFailsAt: number
}

type SearchMemory = {
  recall(search: Search): KnownSearch | undefined
  remember(search: Search, known: KnownSearch): void
  /** Runs the count of a search; others can wait for it with `untilCounted`. */
  count<T>(search: Search, count: () => Promise<T>): Promise<T>
  untilCounted(search: Search): Promise<void>
}

// A few hundred bytes each; more searches than people make in a minute.
const SEARCHES_KEPT = 5_000

/** Entries never expire: totals belong to a version of the data or carry the time of the count. */
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

// Reading from the top takes 15 ms here; while checkpoints are older than the data, it is the only exact way.
const EXACT_TO = 20_000
// While listings come in, checkpoints are always slightly old; building them for a million rows takes half a second.
const REBUILT_EVERY_MS = 5_000

type ListRequest<Item extends Read> = {
  list: PagedList
  span: Span
  shape: Shape<Item>
  tasks: BackgroundTasks
  /** Deep pages of a list by where they begin. */
  gather: BatchedReads<number, CheckpointPage<Item>>
}
type Read = { id: string }
type FoundPage<Item> = Tally & { items: Item[] }

/**
 * Finds one page of a whole list at any depth. While checkpoints are older than the data, pages beyond EXACT_TO are
 * shifted by the listings that came on top since, which is exact if the list below is unchanged. `reads` may be a replica;
 * checkpoints are built on the primary.
 */
async function findListPage<Item extends Read>(
  { db, reads }: { db: Db; reads: Reads },
  request: ListRequest<Item>,
): Promise<FoundPage<Item>> {
  const { list, span, shape, tasks, gather } = request
  const { offset, limit } = span
  if (offset + limit <= NEAR_THE_TOP) return reads((from) => readPageFromTop(from, request))
  const found = await gather(`${limit} of ${list.key}`, offset, (offsets) =>
    reads((from) => readPagesFromCheckpoints(from, { list, shape, offsets, limit, mustBeFresh: true })),
  )
  if (found.fresh || span.offset >= found[list.count]) return found
  const rebuild = () =>
    tasks.run(`checkpoints of ${list.key}`, () => buildCheckpoints(db, list, REBUILT_EVERY_MS))
  const isDeep = span.offset > EXACT_TO
  // The first deep page of this list: waiting once is better than walking half a million rows.
  if (found.fresh === null && isDeep) await rebuild()
  else if (found.ageMs === null || found.ageMs > REBUILT_EVERY_MS) void rebuild()
  return reads(
    async (from) =>
      (isDeep && (await readFromOldCheckpoint(from, request))) || readPageFromTop(from, request),
  )
}

/** Undefined while another process builds the first checkpoints. */
async function readFromOldCheckpoint<Item extends Read>(
  db: Db,
  { list, span, shape }: ListRequest<Item>,
): Promise<FoundPage<Item> | undefined> {
  const offsets = [span.offset - (await countGrowth(db, list))]
  const { limit } = span
  const found = onlyRow(
    await readPagesFromCheckpoints(db, { list, shape, offsets, limit, mustBeFresh: false }),
  )
  return found.fresh === null ? undefined : found
}

/** A page of matches; above MATCHES_SHOWN `matches` only means "more". */
type FoundMatches<Item> = Tally & { items: Item[]; matches: number }

type SearchRequest<Item extends Read> = {
  db: Db
  search: Search
  span: Span
  shape: Shape<Item>
  memory: SearchMemory
  now: number
}

// The approximate time to walk a thousand listings. Gathering is measured every time, as it cannot be guessed from the
// words; on a busy machine one measurement is not reliable, but the shortest of three is.
const WALK_MS = 1
const COUNTS_MEASURED = 3
// A walk along a category finds matches about this much sooner.
const SOONER = 10
// Longer walks than this may end before the page does.
const WORTH_WALKING = 40_000
// "10,000+" stays right for a while; a search that shrank below it is noticed after this time.
const MANY_FOR_MS = 60_000

/**
 * Finds one page of a search in the cheapest correct way. Few matches, or a search not seen before, are gathered and
 * counted by the index; frequent matches are found by walking the list in order.
 */
export async function findMatches<Item extends Read>(
  request: SearchRequest<Item>,
): Promise<FoundMatches<Item>> {
  const { search, memory, now } = request
  if (!memory.recall(search)) await memory.untilCounted(search)
  const known = memory.recall(search)
  if (!known) return memory.count(search, () => gather(request, undefined))
  if (!isMany(known)) return (await walkSome(request, known)) ?? gather(request, known)
  if (now - known.countedAt < MANY_FOR_MS) return pageOfMany(request, known)
  // One request counts again; the others use the known number.
  memory.remember(search, { ...known, countedAt: now })
  return gather(request, known)
}

async function gather<Item extends Read>(
  request: SearchRequest<Item>,
  before: KnownSearch | undefined,
): Promise<FoundMatches<Item>> {
  const { db, search, span, memory, now } = request
  const began = performance.now()
  const found =
    before && !isMany(before) && isWordsAlone(search)
      ? await readFewMatches(db, request)
      : await gatherUnknown(request)
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
  return isMany(found) ? pageOfMany(request, counted) : found
}

/** Each combination of filters would be another prepared statement. */
function isWordsAlone({
  seller,
  everybody,
  categoryId,
  manufacturerId,
  carModelId,
  meant,
  limits,
}: Search): boolean {
  const others = [seller, everybody, categoryId, manufacturerId, carModelId, meant, ...Object.values(limits)]
  return others.every((one) => one === undefined)
}

async function gatherUnknown<Item extends Read>({
  db,
  search,
  span,
  shape,
}: SearchRequest<Item>): Promise<FoundMatches<Item>> {
  const found = await gatherMatches(db, search, span)
  return { ...found, items: isMany(found) ? [] : await readInShape(db, shape, found.ids) }
}

function lengthOf({ seller, everybody }: Search, { live, running, ended, kept }: Tally): number {
  if (everybody) return kept
  if (!seller) return live
  return seller.state === 'sold' ? ended : running
}

/** The page of a counted search, if the count is still right and a walk is faster. */
async function walkSome<Item extends Read>(
  request: SearchRequest<Item>,
  known: KnownSearch,
): Promise<FoundMatches<Item> | undefined> {
  const walkedRows = expectedWalk(request, known)
  if (known.counts < COUNTS_MEASURED || walkedRows > WORTH_WALKING) return undefined
  if ((walkedRows / 1_000) * WALK_MS > known.countMs) return undefined
  const walked = await walk(request, known)
  return walked?.writes === known.writes ? { ...walked, matches: known.matches } : undefined
}

/** The number of listings before the page's last match, if matches are spread evenly. */
function expectedWalk<Item extends Read>(
  { search, span }: SearchRequest<Item>,
  { matches, length }: KnownSearch,
): number {
  if (matches === 0) return Number.POSITIVE_INFINITY
  const rows = (Math.min(ends(span), matches) * length) / matches
  const isAlongPart = !search.everybody && search.categoryId
  return isAlongPart ? rows / SOONER : rows
}

async function pageOfMany<Item extends Read>(
  request: SearchRequest<Item>,
  known: KnownSearch,
): Promise<FoundMatches<Item>> {
  const { db, search, span, shape, memory } = request
  const { matches } = known
  const walked = await walk(request, known)
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
  return { ...sorted, matches, items: await readInShape(db, shape, sorted.ids) }
}

/** Undefined if the walk did not reach the page's end, or is known not to. */
async function walk<Item extends Read>(
  request: SearchRequest<Item>,
  known: KnownSearch,
): Promise<Omit<FoundMatches<Item>, 'matches'> | undefined> {
  const { db, search, span, memory } = request
  const { sort } = search
  if (ends(span) >= known.walkFailsAt || sort === 'nearest') return undefined
  const walked = await walkMatches(db, { ...request, search: { ...search, sort }, newest: known.newest })
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
export type FoundListings<Item> = {
  items: Item[]
  total: number
  totalIsAtLeast?: true
  /** The last page that has anything to show. */
  lastPage: number
  /** The version of the data (`Tally`), unless nothing was read. */
  writes?: number
}

/** Lists of listings in one shape. */
export type Lists<Item> = {
  /** A page of a whole list; its total stops at MATCHES_SHOWN, too, but its pages do not. */
  page(list: PagedList, page: Page): Promise<FoundListings<Item>>
  /** A page of a search in a list. */
  find(search: Search | 'everything' | 'nothing', list: PagedList, page: Page): Promise<FoundListings<Item>>
  countLive(): Promise<number>
  /** Grows with every change of what is public: listings, names, landing pages, sellers. */
  version(): Promise<number>
  /** Waits for background tasks. */
  close(): Promise<void>
}

// Every read adds up the changes that are not folded yet: 100 take 0.02 ms.
const FOLD_ABOVE = 100

// More would save little per page, while the first one waits for the last.
const DEEP_PAGES_AT_ONCE = 16

type ListDeps = {
  db: Db
  /** For public lists: a replica lags a moment behind, which only the person who changed something would notice. */
  reads: Reads
  log: Log
  now: () => Date
}

export function openLists<Item extends Read>(
  { db, reads, log, now }: ListDeps,
  shape: Shape<Item>,
): Lists<Item> {
  const tasks = openBackgroundTasks(log)
  const memory = openSearchMemory()
  const fold = ({ changes }: Tally) => {
    if (changes > FOLD_ABOVE) void tasks.run('fold the tally', () => foldTally(db))
  }
  const share = openSharedReads()
  const gather = openBatchedReads<number, CheckpointPage<Item>>(DEEP_PAGES_AT_ONCE)
  const readsOf = ({ count }: PagedList): Reads => (count === 'live' ? reads : (read) => read(db))
  const readList = async (list: PagedList, page: Page) => {
    const found = await findListPage(
      { db, reads: readsOf(list) },
      { list, span: spanOf(page), shape, tasks, gather },
    )
    fold(found)
    const presented = present(found[list.count], found[list.count], found.items, page)
    return { ...presented, writes: found.writes }
  }
  const search = async (wanted: Search, list: PagedList, page: Page) => {
    const span = spanOf(page, MATCHES_SHOWN)
    const found = await readsOf(list)((from) =>
      findMatches({ db: from, search: wanted, span, shape, memory, now: now().getTime() }),
    )
    fold(found)
    const presented = present(found.matches, Math.min(found.matches, MATCHES_SHOWN), found.items, page)
    return { ...presented, writes: found.writes }
  }
  const tally = () =>
    share('tally', async () => {
      const read = await reads(readTally)
      fold(read)
      return read
    })
  const page: Lists<Item>['page'] = (list, { page: at, perPage }) =>
    share(JSON.stringify([list.key, at, perPage]), () => readList(list, { page: at, perPage }))
  return {
    page,
    async find(wanted, list, { page: at, perPage }) {
      if (wanted === 'everything') return page(list, { page: at, perPage })
      if (wanted === 'nothing') return present(0, 0, [], { page: at, perPage })
      return share(JSON.stringify([wanted, at, perPage]), () => search(wanted, list, { page: at, perPage }))
    },
    countLive: async () => (await tally()).live,
    version: async () => (await tally()).writes,
    close: () => tasks.close(),
  }
}

/** The rows of a page, cut at `end`. */
export function spanOf({ page, perPage }: Page, end = Number.POSITIVE_INFINITY): Span {
  const offset = (page - 1) * perPage
  return { offset, limit: Math.min(perPage, Math.max(0, end - offset)) }
}

/** Above MATCHES_SHOWN the total only says “more”; `shown` is how many can be paged through. */
export function present<Item>(
  total: number,
  shown: number,
  items: Item[],
  { perPage }: Page,
): FoundListings<Item> {
  const lastPage = Math.max(1, Math.ceil(shown / perPage))
  if (total > MATCHES_SHOWN) return { items, total: MATCHES_SHOWN, totalIsAtLeast: true, lastPage }
  return { items, total, lastPage }
}
