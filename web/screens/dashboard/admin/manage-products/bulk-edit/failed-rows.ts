import { csvLine } from '#contract/csv-cell.ts'

/** A row that was not saved, by what it is known under. */
export type FailedRow = { key: 'id' | 'partnum'; value: string; errors: readonly string[] }

/** The file of what was not saved (spec 2, section 2); a spreadsheet runs nothing of it. */
export function failedRowsCsv(rows: readonly FailedRow[]): string {
  const lines = rows.map(({ key, value, errors }) => csvLine([key, value, errors.join('; ')]))
  return [csvLine(['key', 'value', 'errors']), ...lines].join('')
}
