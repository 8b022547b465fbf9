import type { ImportMode } from '#contract/imports.ts'
import { countRowsListedByHand } from '#server/features/stock-files/identity/hold-rows.ts'
import type { PlanTotals } from '#server/features/stock-files/promotion/promotions.ts'
import type { Db } from '#server/platform/database/database.ts'
import { classifyPlanRows, countMissing, countPlan } from './classify-rows.ts'
import type { PlanFigures } from './decisions.ts'
import type { LeftOutRow } from './left-out.ts'
import {
  addPlanRows,
  closePlanRows,
  type IdentifiedRow,
  NO_KEY,
  openPlanRows,
  planRowLine,
} from './plan-rows.ts'

type ExpectedChanges = Omit<PlanTotals, 'end'>

/** What the seller's confirmation of endings depends on. */
type ExpectedEndings = Pick<PlanFigures, 'toEnd' | 'liveSourced' | 'unreadRows'>

type RowsToCount = {
  sellerId: string
  mode: ImportMode
  /** Whether the file has a column of listing ids, possibly emptied. */
  hasIds: boolean
  /** All rows of the file in order, in batches of some thousands. */
  batches: AsyncIterable<readonly IdentifiedRow[]>
  signal: AbortSignal
}

export type ExpectedPlan = {
  readonly changes: ExpectedChanges
  readonly endings: ExpectedEndings
  /** Live parts from files that this file does not name. */
  readonly missing: number
  readonly leftOut: readonly LeftOutRow[]
  /** Rows without their listing id that equal a part listed by hand. */
  readonly repeats: number
}

// As in the run's plan, rows of parts that are sold come last: another row that is the same part keeps it (`addSoldOutRows`).
const SOLD_FROM = 1_000_000_000
const inPlan = ({ rowNo, gone }: Pick<IdentifiedRow, 'rowNo' | 'gone'>) => (gone ? SOLD_FROM + rowNo : rowNo)
const inFile = ({ rowNo }: LeftOutRow) => (rowNo > SOLD_FROM ? rowNo - SOLD_FROM : rowNo)

/**
 * Counts what rows would change in the seller's current listings, with a plan that is then discarded.
 * @param plans connections with a statement timeout long enough for a plan
 */
export function countExpectedChanges(
  plans: Db,
  { sellerId, mode, hasIds, batches, signal }: RowsToCount,
): Promise<ExpectedPlan> {
  return plans.connection().execute(async (connection) => {
    try {
      await openPlanRows(connection)
      let rows = 0
      let rejected = 0
      let unreadRows = 0
      let namesListings = false
      for await (const batch of batches) {
        signal.throwIfAborted()
        rows = batch.at(-1)?.rowNo ?? rows
        namesListings ||= batch.some(({ listing }) => listing !== undefined)
        const out = batch.filter(({ refused }) => refused)
        rejected += out.length
        // Only a full stock ends what it lacks.
        if (mode === 'replace') unreadRows += out.filter(({ key }) => key === NO_KEY).length
        const planned = batch.map(({ refused = false, ...row }) =>
          planRowLine({ ...row, rowNo: inPlan(row), recordId: '', newNames: undefined, refused }),
        )
        await connection.transaction().execute((trx) => addPlanRows(trx, planned))
      }
      return await connection.transaction().execute(async (trx) => {
        const file = { rows, importId: null, namesListings, hasIds }
        const leftOut = await classifyPlanRows(trx, { sellerId, mode, ...file })
        const { end, liveSourced, ...totals } = await countPlan(trx, { sellerId, mode })
        const { create, update, unchanged, merged } = totals
        const refused = totals.refused - rejected
        return {
          changes: { create, update, unchanged, merged, refused },
          endings: { toEnd: end, liveSourced, unreadRows },
          missing: await countMissing(trx, sellerId),
          leftOut: leftOut.map((row) => ({ ...row, rowNo: inFile(row) })),
          repeats: await countRowsListedByHand(trx),
        }
      })
    } finally {
      // A broken connection has dropped them already.
      await closePlanRows(connection).catch(() => undefined)
    }
  })
}
