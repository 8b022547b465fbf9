import type { FoundIssue } from './row-issue.ts'

/** A row that was not taken, as it is kept: its number within its chunk, what is wrong with it, its cells as sent. */
export type RejectedRow = {
  readonly row: number
  readonly issues: readonly FoundIssue[]
  readonly cells: readonly string[]
}

/** A rejected row as a line of a segment. */
export function toRejectedLine({ row, issues, cells }: RejectedRow): { line: string; bytes: number } {
  const line = JSON.stringify([row, issues, cells])
  return { line, bytes: Buffer.byteLength(line) }
}

export function fromRejectedLine(line: string): RejectedRow {
  const [row, issues, cells] = JSON.parse(line) as [number, FoundIssue[], string[]]
  return { row, issues, cells }
}
