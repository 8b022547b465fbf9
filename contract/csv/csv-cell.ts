/**
 * Cells of the CSV files we write, safe to open in a spreadsheet: whatever would be read as a formula gets a leading
 * apostrophe. Runs in server and browser.
 *
 * A spreadsheet of a country that writes decimal commas splits our files at semicolons, and does not see the quotation marks
 * around a cell, since the cell does not begin where it splits. So the text behind a semicolon, a tab or a line break inside
 * of a cell can become a cell of its own, and is guarded like one.
 */

// The characters of OWASP's page on CSV injection, and their full-width forms. A cell that already has apostrophes before
// such a character gets one more, so that removing one always restores the original.
const FORMULA = /^'*[=+\-@\t\r\n\0＝＋－＠]/
const GUARDED = /^'+[=+\-@\t\r\n\0＝＋－＠]/
// The same inside of a cell. Blanks and quotation marks in front of a cell's text disappear when it is split there.
const INNER_FORMULA = /([;\t\r\n][ "]*)(?='*[=+\-@\0＝＋－＠])/g
const INNER_GUARDED = /([;\t\r\n][ "]*)'(?='*[=+\-@\0＝＋－＠])/g
// A negative number is not a formula and must stay a number.
const NEGATIVE_NUMBER = /^-(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

export function escapeFormula(text: string): string {
  if (NEGATIVE_NUMBER.test(text)) return text
  const guarded = text.replaceAll(INNER_FORMULA, "$1'")
  return FORMULA.test(text) ? `'${guarded}` : guarded
}

/** Reverses `escapeFormula`. */
export function withoutFormulaGuard(text: string): string {
  // Most cells have none.
  if (!text.includes("'")) return text
  const inner = GUARDED.test(text) ? text.slice(1) : text
  return inner.replaceAll(INNER_GUARDED, '$1')
}

/** The formula that other programs put around a number to keep its leading zeros: ="02134". */
const TEXT_AS_FORMULA = /^="([^"]*)"$/

/** The value of a cell in a yard's file: without formula guards and surrounding spaces. */
export function plainCell(cell: string): string {
  const text = trimmed(cell)
  if (!text.startsWith('=')) return withoutFormulaGuard(text)
  return TEXT_AS_FORMULA.exec(text)?.[1]?.trim() ?? text
}

/** Like trim(), which most cells do not need. */
function trimmed(text: string): string {
  if (text === '') return text
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(text.length - 1)
  return first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f ? text : text.trim()
}

/** A cell as written to the file: guarded, and quoted as RFC 4180 requires and programs that split at more than commas do. */
export function csvCell(text: string): string {
  const guarded = escapeFormula(text)
  return /[",;\t\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** A record with its line end. */
export function csvLine(cells: readonly string[]): string {
  // Readers skip an empty line.
  if (cells.length === 1 && cells[0] === '') return '""\r\n'
  return `${cells.map(csvCell).join(',')}\r\n`
}
