import type { JsonValue } from '#db/schema.gen.ts'
import { namedListing, partKey, rowKey, sourceKey } from './row-identity.ts'

/** A row that a file has but that could not be taken. */
export type KeptRow = {
  readonly rowNo: number
  /** The part it is, in hex, or undefined where that cannot be read. */
  readonly key: string | undefined
  /** The same without its stock number or the id of its listing, where it has one. */
  readonly partKey: string | undefined
}

// Each takes about 150 bytes of memory while a chunk is read. Beyond them a row counts as unreadable, so that somebody
// is asked before anything ends.
const MOST_KEPT = 50_000

/** Adds a row that was not taken; `said` is what its cells say, undefined where they cannot be told apart. */
export function keepRow(
  kept: KeptRow[],
  rowNo: number,
  said: Readonly<Record<string, JsonValue>> | undefined,
): void {
  if (kept.length > MOST_KEPT) return
  const read = kept.length < MOST_KEPT ? said : undefined
  kept.push({ rowNo, key: read && rowKey(read), partKey: read && otherKey(read) })
}

const otherKey = (read: Readonly<Record<string, JsonValue>>) =>
  namedListing(read) ? sourceKey(read) : partKey(read)
