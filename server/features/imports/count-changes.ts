import { countExpectedChanges, type ExpectedChanges } from '#server/features/promotion/queries.ts'
import type { Db } from '#server/platform/database.ts'
import type { RowPairs } from './row-pairs.ts'

/** What rows would do to the seller's listings, some thousands in a statement, however many there are. */
export async function countChanges(
  db: Db,
  { sellerId, pairs }: { sellerId: string; pairs: RowPairs },
  signal: AbortSignal,
): Promise<ExpectedChanges> {
  const changes = { create: 0, update: 0, unchanged: 0, merged: 0 }
  for (const batch of pairs.batches()) {
    signal.throwIfAborted()
    const counted = await countExpectedChanges(db, sellerId, batch)
    for (const kind of ['create', 'update', 'unchanged', 'merged'] as const) changes[kind] += counted[kind]
  }
  return changes
}
