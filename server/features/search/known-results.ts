import { RecentValues } from '#server/platform/recent-values.ts'

/* A process's cache of search results. Every entry belongs to one version of the data and is used for no other. */

// Changes of public data change the version. Answer rates of sellers do not; they are reread after the same time
// (rank.ts).
const KEPT_MS = 10 * 60_000

type Known<Value> = { value: Value; writes: number; at: number }

export type KnownResults<Value> = {
  /** Returns the entry of any version (the caller compares `writes`), or undefined if it is too old. */
  recall(key: string): Known<Value> | undefined
  remember(key: string, writes: number, value: Value): void
}

/** @param most maximum entries; at least half of them are kept at any time */
export function openKnownResults<Value>(most: number, now: () => Date): KnownResults<Value> {
  const known = new RecentValues<Known<Value>>(most / 2)
  return {
    recall(key) {
      const found = known.get(key)
      return found && now().getTime() - found.at < KEPT_MS ? found : undefined
    },
    remember(key, writes, value) {
      known.set(key, { value, writes, at: now().getTime() })
    },
  }
}
