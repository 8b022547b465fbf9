import { RecentValues } from '#server/platform/recent-values.ts'

/* What a process remembers of searches. Everything remembered belongs to a version of the data and is used for no other. */

// Whatever is public changes the version. How fast sellers answer does not, and is read again after as long (rank.ts).
const KEPT_MS = 10 * 60_000

type Known<Value> = { value: Value; writes: number; at: number }

export type KnownResults<Value> = {
  /** Of any version: the caller compares `writes`. Undefined if it is too old. */
  recall(key: string): Known<Value> | undefined
  remember(key: string, writes: number, value: Value): void
}

/** @param most how many are kept, at least half as many at any time */
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
