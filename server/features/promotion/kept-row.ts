import type { JsonValue } from '#db/schema.gen.ts'
import { sourceKey } from './row-identity.ts'

/** A row that a file has but that could not be taken: the part it is, in hex, or undefined where that cannot be read. */
export type KeptRow = { readonly rowNo: number; readonly key: string | undefined }

// Each takes about 100 bytes of memory while a chunk is read. Beyond them a row counts as unreadable, so that somebody
// is asked before anything ends.
const MOST_KEPT = 50_000

/** Adds a row that was not taken; `said` is what its cells say, undefined where they cannot be told apart. */
export function keepRow(
  kept: KeptRow[],
  rowNo: number,
  said: Readonly<Record<string, JsonValue>> | undefined,
): void {
  if (kept.length > MOST_KEPT) return
  kept.push({ rowNo, key: said && kept.length < MOST_KEPT ? sourceKey(said) : undefined })
}
