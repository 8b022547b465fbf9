import type { Search } from '#server/features/finding/search/query/search.ts'
import { RecentValues } from '#server/platform/recent-values.ts'

/*
 * A process's cache of searches: their numbers of matches, and the ids on pages that were read. Pages belong to one
 * version of the data (`Tally.writes`) and are used for no other.
 */

/** A counted search. */
export type CountedSearch = {
  /** Exact when it was counted; above MATCHES_SHOWN it only means "more". */
  matches: number
  countedAt: number
  /** Walking the list did not fill a page that ended at this match, so it cannot fill a later one. */
  walkFailsAt: number
}

/** Ids of a search's listings in order, from a place on: one page, or the best matches. */
export type PageIds = {
  total: number
  totalIsAtLeast?: true
  from: number
  ids: readonly string[]
  /** Those that have a paid place. */
  featured?: ReadonlySet<string>
}

export type SearchMemory = {
  counted(search: Search): CountedSearch | undefined
  noteCount(search: Search, counted: CountedSearch): void
  /** The ids under a key, unless a newer version of the data was seen since. */
  page(key: string): (PageIds & { writes: number }) | undefined
  notePage(key: string, writes: number, page: PageIds): void
  /** A version that a read saw: what is known of an older one need not be tried. */
  sawVersion(writes: number): void
}

// A few hundred bytes each; more searches than people make in a minute.
const SEARCHES_KEPT = 5_000
// 30 kB each at most.
const PAGES_KEPT = 1_000
// Changes of public data change the version. What ranks them besides does not: answer rates, reread after the same time.
const PAGES_KEPT_MS = 10 * 60_000

export function openSearchMemory(now: () => Date): SearchMemory {
  const searches = new RecentValues<CountedSearch>(SEARCHES_KEPT / 2)
  const pages = new RecentValues<PageIds & { writes: number; at: number }>(PAGES_KEPT / 2)
  let newest = 0
  return {
    counted: (search) => searches.get(JSON.stringify(search)),
    noteCount: (search, counted) => searches.set(JSON.stringify(search), counted),
    page(key) {
      const known = pages.get(key)
      if (!known || known.writes < newest) return undefined
      return now().getTime() - known.at < PAGES_KEPT_MS ? known : undefined
    },
    notePage: (key, writes, page) => pages.set(key, { ...page, writes, at: now().getTime() }),
    sawVersion(writes) {
      newest = Math.max(newest, writes)
    },
  }
}
