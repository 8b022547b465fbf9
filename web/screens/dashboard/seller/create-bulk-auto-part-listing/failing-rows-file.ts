import { csvLine } from '#contract/csv-cell.ts'
import type { RowIssue } from '#contract/imports.ts'
import type { DryRunResult } from './dry-run-result.ts'
import { eachFailingRow } from './failing-rows.ts'
import { fileRecords } from './file-records.ts'
import type { RunOrder } from './import-run.ts'

/** Rows that are put into one piece of the file; a piece lies outside the script's memory. */
const ROWS_A_PIECE = 1_000

/**
 * All rows with errors as a CSV to correct and choose again: the file's own columns, their cells as they were checked, and
 * what is wrong with each. Behind the cells of a row that has too many.
 */
export async function failingRowsFile(
  { file, edits }: Pick<RunOrder, 'file' | 'edits'>,
  { failing }: Pick<DryRunResult, 'failing'>,
  signal?: AbortSignal,
): Promise<Blob> {
  // The mark makes spreadsheets read it as UTF-8.
  const pieces = [new Blob(['\ufeff', csvLine([...file.headers, 'row', 'errors'])])]
  const wanted = eachFailingRow(failing)
  let next = await wanted.next()
  let lines: string[] = []
  for await (const batch of fileRecords(file, signal)) {
    for (const { row, cells } of batch) {
      if (next.done || next.value.row !== row) continue
      const sent = edits.get(row) ?? cells
      const own = Array.from(
        { length: Math.max(file.headers.length, sent.length) },
        (_, at) => sent[at] ?? '',
      )
      lines.push(csvLine([...own, String(row), sentencesOf(next.value.issues)]))
      if (lines.length === ROWS_A_PIECE) {
        pieces.push(new Blob(lines))
        lines = []
      }
      next = await wanted.next()
    }
    if (next.done) break
  }
  return new Blob([...pieces, ...lines], { type: 'text/csv' })
}

const sentencesOf = (issues: readonly RowIssue[]): string =>
  issues.map(({ column, message }) => (column === '' ? message : `${column}: ${message}`)).join('; ')
