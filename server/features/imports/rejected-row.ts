import type { FoundIssue } from './row-issue.ts'

/**
 * A row that was not taken, as it is kept: its number within its chunk, what is wrong with it, its cells as sent; only what
 * no spreadsheet could show of them is cut.
 */
export type RejectedRow = {
  readonly row: number
  readonly issues: readonly FoundIssue[]
  readonly cells: readonly string[]
}

// What fits into a cell of a spreadsheet. Longer ones are what such a row was refused for, most of the time.
const LONGEST_CELL = 32_767
// A row of 1,000 cells may still be that long; rows are read many at a time when they are fetched.
const LONGEST_ROW = 250_000
const MOST_CELLS = 1_000

/** A rejected row as a line of a segment. */
export function toRejectedLine({ row, issues, cells }: RejectedRow): { line: string; bytes: number } {
  const line = JSON.stringify([row, issues, cutCells(cells)])
  return { line, bytes: Buffer.byteLength(line) }
}

function cutCells(cells: readonly string[]): string[] {
  let room = LONGEST_ROW
  return cells.slice(0, MOST_CELLS).map((cell) => {
    const kept = cutText(cell, Math.min(LONGEST_CELL, room))
    room -= kept.length
    return kept
  })
}

/** Ends in an ellipsis where it was cut, and never in half a character. */
function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text
    .slice(0, Math.max(0, longest - 1))
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`
}

export function fromRejectedLine(line: string): RejectedRow {
  const [row, issues, cells] = JSON.parse(line) as [number, FoundIssue[], string[]]
  return { row, issues, cells }
}
