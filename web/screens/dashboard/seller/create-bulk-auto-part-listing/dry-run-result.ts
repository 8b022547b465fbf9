import { csvLine } from '#contract/csv-cell.ts'
import type { DryRunReply, RowIssue } from '#contract/imports.ts'

/** Spec, section 2. */
const SHOWN_ISSUES = 50

type Changes = DryRunReply['preview']['changes']

/** What a dry run found, of all chunks. */
export type DryRunResult = {
  total: number
  /** Rows with something wrong. */
  errors: number
  changes: Changes
  /** The first ones of the file, by row. */
  issues: RowIssue[]
  issueCount: number
  /** All of them, as a CSV. */
  issueFile: Blob
}

type CheckedChunk = { index: number; firstRow: number }

/** Puts the answers of a dry run together, in whatever order they come; of the issues few stay in memory. */
export function dryRunCollector() {
  const sums = { total: 0, errors: 0, create: 0, update: 0, unchanged: 0, merged: 0 }
  let first: RowIssue[] = []
  let issueCount = 0
  // A blob lies outside the script's memory: a million wrong rows are a file, not a list.
  const files = new Map<number, Blob>()

  return {
    add({ index, firstRow }: CheckedChunk, { preview }: DryRunReply): void {
      const { total, errors, changes } = preview
      sums.total += total
      sums.errors += errors
      for (const name of ['create', 'update', 'unchanged', 'merged'] as const) sums[name] += changes[name]
      // Answers number rows within their chunk, whose header is row 1 and whose first line row 2.
      const issues = preview.rows.flatMap(({ issues }) =>
        issues.map((issue) => ({ ...issue, row: issue.row + firstRow - 2 })),
      )
      if (issues.length === 0) return
      issueCount += issues.length
      first = [...first, ...issues].toSorted((one, other) => one.row - other.row).slice(0, SHOWN_ISSUES)
      files.set(index, new Blob([issues.map(issueLine).join('')]))
    },
    result(): DryRunResult {
      const { total, errors, ...changes } = sums
      const inOrder = [...files].toSorted(([one], [other]) => one - other).map(([, file]) => file)
      // The mark makes spreadsheets read it as UTF-8.
      const issueFile = new Blob(['\ufeffrow,column,value,problem\r\n', ...inOrder], { type: 'text/csv' })
      return { total, errors, changes, issues: first, issueCount, issueFile }
    },
  }
}

const issueLine = ({ row, column, value, message }: RowIssue) =>
  csvLine([String(row), column, value, message])
