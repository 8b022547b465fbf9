import {
  countExpectedChanges,
  type ExpectedChanges,
} from '#server/features/promotion/count-expected-changes.ts'
import type { LeftOutRow } from '#server/features/promotion/left-out-row.ts'
import { type IdentifiedRow, type PackedRows, unpackedRows } from '#server/features/promotion/packed-rows.ts'
import type { Db } from '#server/platform/database.ts'
import { waitingLine } from '#server/platform/waiting-line.ts'
import { listPackedRows } from './dry-run-queries.ts'

export type LastChunk = {
  readonly importId: string
  readonly chunkIndex: number
  readonly sellerId: string
  readonly rows: PackedRows
  /** Lines of the chunk, blank ones counted, the header not. */
  readonly lines: number
}

export type Whole = { readonly changes: ExpectedChanges; readonly leftOut: readonly LeftOutRow[] }

// Each has a connection of its own meanwhile; a file of a few rows is counted in a moment.
export const COUNTS_AT_ONCE = 2
const inTurn = waitingLine({ atOnce: COUNTS_AT_ONCE, waiting: 60 })

/**
 * What a dry run's file would do as a whole, once all its other chunks are in: a plan of all its rows that nobody keeps.
 * @throws AppError BUSY where too many are being counted
 */
export function countWhole(
  { db, plans }: { db: Db; plans: Db },
  last: LastChunk,
  signal: AbortSignal,
): Promise<Whole> {
  const { sellerId } = last
  return inTurn(() => countExpectedChanges(plans, { sellerId, batches: rowsOfFile(db, last), signal }))
}

/** In the order of the file, numbered as a spreadsheet does. */
async function* rowsOfFile(db: Db, last: LastChunk): AsyncGenerator<IdentifiedRow[]> {
  let before = 0
  let isOut = false
  const own = function* () {
    for (const piece of last.rows.pieces()) yield* unpackedRows(piece, before)
    before += last.lines
    isOut = true
  }
  for (let after = -1; ; ) {
    const chunks = await listPackedRows(db, last.importId, after)
    for (const { chunkIndex, lines, rows } of chunks) {
      if (!isOut && chunkIndex > last.chunkIndex) yield* own()
      yield* unpackedRows(rows, before)
      before += lines
    }
    const through = chunks.at(-1)?.chunkIndex
    if (through === undefined) break
    after = through
  }
  if (!isOut) yield* own()
}
