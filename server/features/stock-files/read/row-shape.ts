import { withoutFormulaGuard } from '#contract/csv/csv-cell.ts'
import type { RecordProblem } from '#contract/yard-file/records.ts'
import { type FoundIssue, issueOf, shownValue, type ValueProblem } from './field-text.ts'

/* Whether a record could be split into the cells of its header's columns, and what a cell has besides its text. */

const recordProblemMessages: Record<RecordProblem, string> = {
  UNCLOSED_QUOTE:
    'A quotation mark opens in this row and never closes, so the row cannot be split into cells. Close it, or delete it',
  RECORD_TOO_LONG:
    'The row is longer than 16 MB. A quotation mark before it may not be closed, or its line break may be missing',
}

export function recordIssue(cells: readonly string[], code: RecordProblem): FoundIssue {
  return { column: '', code, value: startOf(cells), message: recordProblemMessages[code] }
}

const startOf = (cells: readonly string[]) => shownValue(cells.slice(0, 5).map(shownValue).join(','))

/** A header that ends with commas has unnamed columns at its end, which rows may leave out. */
export function fewestCells(header: readonly string[]): number {
  const named = header.findLastIndex((name, at) => name !== `Column ${at + 1}`)
  return named === -1 ? header.length : named + 1
}

/** A row with too few or too many cells cannot be mapped to columns; extra empty cells are harmless. */
export function raggedIssue(cells: readonly string[], width: number, fewest: number): FoundIssue | undefined {
  const isFew = cells.length < width
  if (isFew && cells.length >= fewest) return undefined
  if (!isFew && cells.slice(width).every((cell) => cell.trim() === '')) return undefined
  const has = cells.length === 1 ? '1 cell' : `${cells.length.toLocaleString('en-US')} cells`
  return {
    column: '',
    code: isFew ? 'TOO_FEW_CELLS' : 'TOO_MANY_CELLS',
    value: startOf(cells),
    message: `This line has ${has} and the header ${width}. A separator or a quotation mark may be missing or extra`,
  }
}

/**
 * Strips surrounding spaces, the apostrophes that our exports put before formulas, and the formula that other programs put
 * around a number to keep its leading zeros: ="02134".
 */
export function plainCell(cell: string): string {
  const text = withoutOuterQuotes(trimmed(cell))
  if (text.charCodeAt(0) !== EQUALS) return withoutFormulaGuard(text)
  return TEXT_AS_FORMULA.exec(text)?.[1]?.trim() ?? text
}

const EQUALS = 0x3d
const TEXT_AS_FORMULA = /^="([^"]*)"$/

/** Like trim(), which most cells do not need. */
function trimmed(text: string): string {
  if (text === '') return text
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(text.length - 1)
  return first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f ? text : text.trim()
}

const QUOTE = 0x22

/**
 * Removes the quotation marks around a cell that contains others, as programs write it that do not double them: "says
 * "mint" here". A cell that begins with a quoted word keeps its marks.
 */
function withoutOuterQuotes(text: string): string {
  if (text.charCodeAt(0) !== QUOTE || text.length < 4 || text.charCodeAt(text.length - 1) !== QUOTE)
    return text
  const inside = text.slice(1, -1)
  if (!inside.includes('"')) return text
  // The remaining marks: pairs around words, and inches after digits.
  return /["]/.test(inside.replaceAll(QUOTED, '').replaceAll(INCHES, '')) ? text : inside
}

const QUOTED = /(?<=^|[\s(])"[^"\s](?:[^"]*[^"\s])?"(?=$|[\s).,;:!?])/g
const INCHES = /(?<=\d)"(?=\s|[x.,;)]|$)/g

// Three times a spreadsheet's limit for a cell, so that many rows can be in memory at once.
const LONGEST_CELL = 100_000

const cellTooLong = (column: string): ValueProblem => ({
  code: 'TOO_LONG',
  message: `“${shownValue(column)}” is too long (max ${LONGEST_CELL.toLocaleString('en-US')} characters)`,
})

/** Cells of unmapped columns are stored, too. */
export function checkLengths(
  unmapped: readonly { readonly at: number; readonly column: string }[],
  cells: readonly string[],
  issues: FoundIssue[],
): void {
  for (const { at, column } of unmapped) {
    const text = cells[at] ?? ''
    if (text.length > LONGEST_CELL) issues.push(issueOf(column, text, cellTooLong(column)))
  }
}
