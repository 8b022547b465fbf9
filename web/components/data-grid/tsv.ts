/** The text that spreadsheets exchange through the clipboard: tabs between cells, lines between rows. */

import { guardFormula, withoutFormulaGuard } from '#contract/csv-cell.ts'

// A cell with line breaks, tabs or quotation marks comes in quotation marks; one that merely begins with such a mark
// (`"Best" offer`) is taken as it stands.
const CELL = /(?:"([^"]*(?:""[^"]*)*)"(?=\t|\r|\n|$)|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/y

/** The rows of a copied block; they may differ in length. The line end that spreadsheets put last is no row. */
export function parseTsv(text: string): string[][] {
  const rows: string[][] = []
  let cells: string[] = []
  CELL.lastIndex = 0
  while (CELL.lastIndex <= text.length) {
    const [, quoted, plain = '', end = ''] = CELL.exec(text) ?? []
    cells.push(withoutFormulaGuard(quoted === undefined ? plain : quoted.replaceAll('""', '"')))
    if (end === '\t') continue
    rows.push(cells)
    cells = []
    if (end === '' || CELL.lastIndex === text.length) break
  }
  return rows
}

/** A block as spreadsheets take it; no cell of it is run there as a formula. */
export function formatTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map(formatCell).join('\t')).join('\r\n')
}

function formatCell(text: string): string {
  const safe = guardFormula(text)
  return /[\t\r\n"]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
