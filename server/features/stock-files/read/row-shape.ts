import type { RecordProblem } from '#contract/yard-file/records.ts'
import { type FoundIssue, shownValue } from './field-text.ts'

/* Whether a record could be split into the cells of its header's columns. */

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
    message: `The row has ${has} and the header ${width}. A delimiter or a quotation mark may be missing or extra`,
  }
}
