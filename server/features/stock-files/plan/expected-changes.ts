import type { Db } from '#server/platform/database/database.ts'
import { classifyPlanRows, countPlan } from './classify-rows.ts'
import type { LeftOutRow } from './left-out.ts'
import { addPlanRows, closePlanRows, type IdentifiedRow, openPlanRows, planRowLine } from './plan-rows.ts'

export type ExpectedChanges = {
  create: number
  update: number
  unchanged: number
  merged: number
  /** Rows that nobody can tell what they are meant for. */
  refused: number
}

type Expecting = {
  sellerId: string
  /** All rows of the file, in its order, some thousands at a time. */
  batches: AsyncIterable<readonly IdentifiedRow[]>
  signal: AbortSignal
}

/**
 * What rows would do to the seller's listings as they stand now: a plan of them, made and forgotten.
 * @param plans connections on which a statement may take as long as a plan's
 */
export function countExpectedChanges(
  plans: Db,
  { sellerId, batches, signal }: Expecting,
): Promise<{ changes: ExpectedChanges; leftOut: LeftOutRow[] }> {
  return plans.connection().execute(async (connection) => {
    try {
      await openPlanRows(connection)
      let rows = 0
      let namesListings = false
      for await (const batch of batches) {
        signal.throwIfAborted()
        rows = batch.at(-1)?.rowNo ?? rows
        namesListings ||= batch.some(({ listing }) => listing !== undefined)
        const planned = batch.map((row) =>
          planRowLine({ ...row, recordId: '', newNames: undefined, refused: false }),
        )
        await connection.transaction().execute((trx) => addPlanRows(trx, planned))
      }
      return await connection.transaction().execute(async (trx) => {
        // Endings are not counted here, so it is the same for both modes.
        const planned = { sellerId, mode: 'add' as const, rows, importId: null, namesListings }
        const leftOut = await classifyPlanRows(trx, planned)
        const { create, update, unchanged, merged, refused } = await countPlan(trx)
        return { changes: { create, update, unchanged, merged, refused }, leftOut }
      })
    } finally {
      // A connection that broke has dropped them already.
      await closePlanRows(connection).catch(() => undefined)
    }
  })
}
