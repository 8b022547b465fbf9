import type { Search } from './search.ts'

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

export type SearchMemory = {
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
