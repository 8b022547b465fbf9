import type { ImportMode } from '#contract/imports.ts'
import type { Db } from '#server/platform/database/database.ts'
import { classifyPlanRows, countPlan } from './classify-rows.ts'
import type { LeftOutRow } from './left-out.ts'
import { addPlanRows, closePlanRows, type IdentifiedRow, openPlanRows, planRowLine } from './plan-rows.ts'
import type { PlanTotals } from './promotions.ts'

export type ExpectedChanges = PlanTotals

type RowsToCount = {
  sellerId: string
  mode: ImportMode
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
  { sellerId, mode, batches, signal }: RowsToCount,
): Promise<{ changes: ExpectedChanges; leftOut: LeftOutRow[] }> {
  return plans.connection().execute(async (connection) => {
    try {
      await openPlanRows(connection)
      let rows = 0
      let namesListings = false
      let left = 0
      for await (const batch of batches) {
        signal.throwIfAborted()
        rows = batch.at(-1)?.rowNo ?? rows
        namesListings ||= batch.some(({ listing }) => listing !== undefined)
        left += batch.filter(({ isLeftOut }) => isLeftOut).length
        const planned = batch.map(({ isLeftOut: refused = false, ...row }) =>
          planRowLine({ ...row, recordId: '', newNames: undefined, refused }),
        )
        await connection.transaction().execute((trx) => addPlanRows(trx, planned))
      }
      return await connection.transaction().execute(async (trx) => {
        const planned = { sellerId, mode, rows, importId: null, namesListings }
        const leftOut = await classifyPlanRows(trx, planned)
        const { create, update, unchanged, end, merged, refused } = await countPlan(trx)
        return { changes: { create, update, unchanged, end, merged, refused: refused - left }, leftOut }
      })
    } finally {
      // A broken connection has dropped them already.
      await closePlanRows(connection).catch(() => undefined)
    }
  })
}
