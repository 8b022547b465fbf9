/**
 * Cells of the CSV files we write, safe to open in a spreadsheet: a cell that would be read as a formula gets a leading
 * apostrophe. Runs in server and browser.
 */

// The characters of OWASP's page on CSV injection, and their full-width forms. A cell that already has apostrophes before
// such a character gets one more, so that removing one always restores the original.
const FORMULA = /^'*[=+\-@\t\r\n\0＝＋－＠]/
const GUARDED = /^'+[=+\-@\t\r\n\0＝＋－＠]/
// A negative number is not a formula and must stay a number.
const NEGATIVE_NUMBER = /^-(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NEGATIVE_NUMBER.test(text) ? `'${text}` : text
}

/** Reverses `guardFormula`. */
export function withoutFormulaGuard(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text
}

/** A cell as written to the file: guarded, and quoted as RFC 4180 requires. */
export function csvCell(text: string): string {
  const guarded = guardFormula(text)
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** A record with its line end. */
export function csvLine(cells: readonly string[]): string {
  // Readers skip an empty line.
  if (cells.length === 1 && cells[0] === '') return '""\r\n'
  return `${cells.map(csvCell).join(',')}\r\n`
}
