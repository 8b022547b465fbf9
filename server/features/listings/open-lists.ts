import type { Db } from '#server/platform/database/database.ts'
import {
  openBackgroundTasks,
  openGatheredReads,
  openSharedReads,
  type Reads,
} from '#server/platform/database/reads.ts'
import type { Log } from '#server/platform/log.ts'
import type { CheckpointPage } from './checkpoint-queries.ts'
import { findListPage } from './find-list-page.ts'
import { findMatches } from './find-matches.ts'
import type { Span, WholeList } from './list-queries.ts'
import type { ReadListing } from './listing-queries.ts'
import { MATCHES_SHOWN, type Search } from './search.ts'
import { openSearchMemory } from './search-memory.ts'
import { foldTally, readTally, type Tally } from './tally-queries.ts'

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
  const gather = openGatheredReads<number, CheckpointPage>(DEEP_PAGES_AT_ONCE)
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
