import { csvLine } from '#contract/csv-cell.ts'
import { cellsOf, type Fields } from './staged-fields.ts'

/** A text made of rows, piece by piece. */
export type StagingView = {
  readonly contentType: string
  readonly begin: string
  /** The row at a place, counted from 0 within the text. */
  row(fields: Fields, place: number): string
  end(rows: number): string
}

/** As `JSON.stringify(rows, null, 2)` writes it. */
export const jsonView: StagingView = {
  contentType: 'application/json',
  begin: '[',
  row: (fields, place) =>
    `${place === 0 ? '' : ','}\n  ${JSON.stringify(fields, null, 2).replaceAll('\n', '\n  ')}`,
  end: (rows) => (rows === 0 ? ']' : '\n]'),
}

/** A line for the columns, then one for every row; safe to open in a spreadsheet. */
export const csvView = (columns: readonly string[]): StagingView => ({
  contentType: 'text/csv',
  begin: columns.length === 0 ? '' : csvLine(columns),
  row: (fields) => csvLine(cellsOf(fields, columns)),
  end: () => '',
})
