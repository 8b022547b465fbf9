import { findMatches } from '#server/features/finding/search/matches/find-matches.ts'
import {
  MATCHES_SHOWN,
  type OrderedList,
  readPageFromTop,
  type Span,
} from '#server/features/finding/search/matches/ordered-lists.ts'
import type { SearchMemory } from '#server/features/finding/search/matches/search-memory.ts'
import type { Search } from '#server/features/finding/search/query/search.ts'
import { foldTally, readTally, type Tally } from '#server/features/market/for-sale/tally.ts'
import type { Shape } from '#server/features/market/listings/shown/shapes.ts'
import type { Db } from '#server/platform/database/database.ts'
import { openBackgroundTasks, openSharedReads, type Reads } from '#server/platform/database/reads.ts'
import type { Log } from '#server/platform/log.ts'
import type { FarPages } from './far-pages.ts'

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
  /** A page of a whole list; its total stops at MATCHES_SHOWN, its pages do not. */
  page(list: OrderedList, page: Page): Promise<FoundListings<Item>>
  /** A page of a search in a list. Public lists have a last page. */
  find(search: Search | 'everything' | 'nothing', list: OrderedList, page: Page): Promise<FoundListings<Item>>
  countLive(): Promise<number>
  /** Grows with every change of what is public: listings, names, landing pages, sellers. */
  version(): Promise<number>
  /** Waits for background tasks. */
  close(): Promise<void>
}

// Every read adds up the changes that are not folded yet: 100 take 0.02 ms.
const FOLD_ABOVE = 100

type ListDeps = {
  db: Db
  /** For public lists: a replica lags a moment behind, which only the person who changed something would notice. */
  reads: Reads
  memory: SearchMemory
  /** For lists that people page through to their end. */
  farPages?: FarPages
  log: Log
  now: () => Date
}

export function openLists<Item extends { id: string }>(
  { db, reads, memory, farPages, log, now }: ListDeps,
  shape: Shape<Item>,
): Lists<Item> {
  const tasks = openBackgroundTasks(log)
  const fold = ({ changes, writes }: Tally) => {
    memory.sawVersion(writes)
    if (changes > FOLD_ABOVE) void tasks.run('fold the tally', () => foldTally(db))
  }
  const share = openSharedReads()
  const readsOf = ({ count }: OrderedList): Reads => (count === 'live' ? reads : (read) => read(db))
  const readList = async (list: OrderedList, page: Page) => {
    const span = spanOf(page)
    const read = () => readsOf(list)((from) => readPageFromTop(from, { list, span, shape }))
    const found = await (farPages ? farPages(span, read) : read())
    fold(found)
    const presented = present(found[list.count], found[list.count], found.items, page)
    return { ...presented, writes: found.writes }
  }
  const readMatches = async (search: Search, list: OrderedList, page: Page) => {
    const isPublic = list.count === 'live'
    const span = spanOf(page, isPublic ? MATCHES_SHOWN : Number.POSITIVE_INFINITY)
    const request = { search, span, shape, memory, now: now().getTime(), countsAll: !isPublic }
    const read = () => readsOf(list)((from) => findMatches({ db: from, ...request }))
    const found = await (farPages ? farPages(span, read) : read())
    fold(found)
    const shown = isPublic ? Math.min(found.matches, MATCHES_SHOWN) : found.matches
    const presented = present(found.matches, shown, found.items, page)
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
    async find(search, list, { page: at, perPage }) {
      if (search === 'everything') return page(list, { page: at, perPage })
      if (search === 'nothing') return present(0, 0, [], { page: at, perPage })
      return share(JSON.stringify([search, at, perPage]), () =>
        readMatches(search, list, { page: at, perPage }),
      )
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
