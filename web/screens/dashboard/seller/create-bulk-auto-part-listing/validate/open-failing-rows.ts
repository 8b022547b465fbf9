import { fileRecords } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/file-records.ts'
import {
  isLeftOut,
  type RowEdits,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import type { DryRunResult } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import type { RowToFix } from './fixing-sheet.ts'
import type { Verdict } from './row-findings.ts'

/** More than anybody corrects by hand; what is wrong with all of them alike is replaced in the file itself. */
export const MOST_ROWS_OPENED = 5_000

/**
 * Reads the rows that a check found wrong, the first 5,000, and those that were corrected before, from the file. What the
 * check said of them is about their cells as they were sent.
 */
export async function openFailingRows(
  { file, edits: checked }: RunOrder,
  { failing }: DryRunResult,
  edits: RowEdits,
  signal: AbortSignal,
): Promise<RowToFix[]> {
  const rows = await failing.read(0, MOST_ROWS_OPENED)
  const issues = new Map(rows.map((row) => [row.row, row.issues]))
  const wanted = new Set([...issues.keys(), ...edits.keys()])
  const found: RowToFix[] = []
  if (wanted.size === 0) return found
  for await (const batch of fileRecords(file, signal)) {
    for (const { row, cells } of batch) {
      if (!wanted.delete(row)) continue
      const sent = checked.get(row) ?? cells
      const verdict: Verdict = { cells: sent, issues: issues.get(row) ?? [] }
      found.push(isLeftOut(checked.get(row)) ? { row, cells } : { row, cells, verdict })
    }
    if (wanted.size === 0) break
  }
  return found
}
