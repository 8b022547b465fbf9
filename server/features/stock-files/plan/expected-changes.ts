import type { Db } from '#server/platform/database/database.ts'
import { classifyPlanRows, countPlan } from './classify-rows.ts'
import type { LeftOutRow } from './left-out.ts'
import { addPlanRows, closePlanRows, type IdentifiedRow, openPlanRows, planRowLine } from './plan-rows.ts'
import type { PlanTotals } from './promotions.ts'

/** Without endings, which are unknown until the whole file is sent. */
export type ExpectedChanges = Omit<PlanTotals, 'end'>

type RowsToCount = {
  sellerId: string
  /** All rows of the file in order, in batches of some thousands. */
  batches: AsyncIterable<readonly IdentifiedRow[]>
  signal: AbortSignal
}

/**
 * What rows would change in the seller's current listings: a plan that is counted and discarded.
 * @param plans connections with a statement timeout long enough for a plan
 */
export function countExpectedChanges(
  plans: Db,
  { sellerId, batches, signal }: RowsToCount,
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
        // Endings are not counted here, so the mode makes no difference.
        const planned = { sellerId, mode: 'add' as const, rows, importId: null, namesListings }
        const leftOut = await classifyPlanRows(trx, planned)
        const { create, update, unchanged, merged, refused } = await countPlan(trx)
        return { changes: { create, update, unchanged, merged, refused }, leftOut }
      })
    } finally {
      // A broken connection has dropped them already.
      await closePlanRows(connection).catch(() => undefined)
    }
  })
}
