import type { FoundPart } from './listed-part-queries.ts'

/** Hex of 16 bytes each: which part a row is, and what it says. */
export type RowPair = { readonly key: string; readonly hash: string }

// What no row's hash begins with: twelve equal bytes.
export const NAMED_MARK = 'ff'.repeat(12)
export const TAKEN_MARK = 'fe'.repeat(12)

/**
 * A row that names its listing, among the pairs that expected changes are counted of: the listing's id with whether the row
 * changes it, and the place in the seller's files that no other row can have then.
 */
export function namedPairs({ listing, place }: FoundPart, changes: boolean): RowPair[] {
  const key = listing.id.replaceAll('-', '')
  const pairs = [{ key, hash: `${NAMED_MARK}0000000${changes ? 1 : 0}` }]
  if (!place) return pairs
  return [...pairs, { key: place.key, hash: TAKEN_MARK + place.ordinal.toString(16).padStart(8, '0') }]
}
