import type { ExpectedChanges } from '#server/features/promotion/queries.ts'
import type { Db } from '#server/platform/database.ts'
import { waitingLine } from '#server/platform/waiting-line.ts'
import { countChanges } from './count-changes.ts'
import { listRowPairs } from './dry-run-queries.ts'
import { RowPairs } from './row-pairs.ts'

type LastChunk = { importId: string; sellerId: string; pairs: RowPairs }

// The pairs of a whole file are in memory meanwhile: 32 MB and as much again for a million rows.
const inTurn = waitingLine({ atOnce: 1, waiting: 20 })

/**
 * What a dry run's file would do as a whole, once all its other chunks are in: rows that are alike are told from new ones
 * wherever in the file they stand.
 * @throws AppError BUSY where too many are being counted
 */
export function countWhole(db: Db, last: LastChunk, signal: AbortSignal): Promise<ExpectedChanges> {
  return inTurn(async () => {
    const whole = new RowPairs()
    whole.addPacked(last.pairs.packed())
    for (let after = -1; ; ) {
      signal.throwIfAborted()
      const chunks = await listRowPairs(db, last.importId, after)
      for (const { pairs } of chunks) whole.addPacked(pairs)
      const through = chunks.at(-1)?.chunkIndex
      if (through === undefined) break
      after = through
    }
    return countChanges(db, { sellerId: last.sellerId, pairs: whole }, signal)
  })
}
