/**
 * Cells of the CSV files that we make, safe to open in a spreadsheet: a cell that a spreadsheet would take for a formula
 * gets an apostrophe in front. Pure, for the server and for files that the browser makes.
 */

// As the OWASP page on CSV injection lists them, and their full-width forms. A cell that has apostrophes before such a
// sign gets one more, so that taking one away always gives back what was there.
const FORMULA = /^'*[=+\-@\t\r\n\0＝＋－＠]/
const GUARDED = /^'+[=+\-@\t\r\n\0＝＋－＠]/
// A number below zero is no formula, and stays a number to whoever calculates with it.
const NEGATIVE_NUMBER = /^-(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NEGATIVE_NUMBER.test(text) ? `'${text}` : text
}

/** The text that `guardFormula` had been given. */
export function withoutFormulaGuard(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text
}

/** A cell as it stands in the file: guarded, and quoted where RFC 4180 wants it. */
export function csvCell(text: string): string {
  const guarded = guardFormula(text)
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** A record with its line end. */
export function csvLine(cells: readonly string[]): string {
  // A line with nothing on it would be taken for no record.
  if (cells.length === 1 && cells[0] === '') return '""\r\n'
  return `${cells.map(csvCell).join(',')}\r\n`
}
