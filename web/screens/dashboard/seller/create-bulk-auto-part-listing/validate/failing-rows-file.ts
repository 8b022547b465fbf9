import { csvLine } from '#contract/csv/csv-cell.ts'
import { fileRecords } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/file-records.ts'
import { editedRow } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import {
  type DryRunResult,
  eachFailingRow,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'

/** Blobs keep the text out of script memory, but each has a cost. */
const PIECE_CHARACTERS = 1024 * 1024

/**
 * All failing rows as a CSV: row number, problems, then the cells as they were sent. Same columns as the server's file of
 * rejected rows. Safe to open in a spreadsheet, and can be imported once corrected.
 */
export async function failingRowsFile(
  { file, edits }: RunOrder,
  { failing }: Pick<DryRunResult, 'failing'>,
): Promise<Blob> {
  const pieces = textPieces()
  // The byte order mark makes spreadsheets read it as UTF-8.
  pieces.add(`\ufeff${csvLine(['row', 'errors', ...file.headers])}`)
  const wrong = eachFailingRow(failing)
  let next = (await wrong.next()).value
  const rows = fileRecords(file)
  for await (const batch of rows) {
    for (const { row, cells } of batch) {
      if (next?.row !== row) continue
      const errors = next.issues.map(({ message }) => message).join(' ')
      pieces.add(csvLine([String(row), errors, ...(editedRow(edits, row, cells) ?? cells)]))
      next = (await wrong.next()).value
    }
    if (next === undefined) break
  }
  return new Blob(pieces.all(), { type: 'text/csv' })
}

function textPieces() {
  const done: Blob[] = []
  let lines: string[] = []
  let length = 0
  const flush = () => {
    done.push(new Blob(lines))
    lines = []
    length = 0
  }
  return {
    add(line: string): void {
      lines.push(line)
      length += line.length
      if (length > PIECE_CHARACTERS) flush()
    },
    all(): Blob[] {
      flush()
      return done
    },
  }
}
