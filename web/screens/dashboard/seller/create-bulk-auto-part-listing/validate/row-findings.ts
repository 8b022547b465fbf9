import { findColumn } from '#contract/csv-header.ts'
import type { RowIssue } from '#contract/imports.ts'

/** Cells as they were checked, and what was found. */
export type Verdict = { cells: readonly string[]; issues: readonly RowIssue[] }

/** Where a finding stands: at a cell, by the place of its column in the file, or at the row as a whole. */
export const WHOLE_ROW = -1

export const sameCells = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((cell, at) => cell === other[at])

/**
 * What a check found that still holds for these cells: a cell that was changed is not known to be wrong any more. By the
 * place of the column.
 */
export function standingFindings(
  { cells: checked, issues }: Verdict,
  now: readonly string[],
  headers: readonly string[],
): Map<number, string> {
  const findings = new Map<number, string>()
  for (const issue of issues) {
    const at = issue.column === '' ? WHOLE_ROW : findColumn(headers, issue.column)
    const stands =
      at === WHOLE_ROW ? standsForRow(issue, checked, now, headers) : (now[at] ?? '') === (checked[at] ?? '')
    if (!stands) continue
    const before = findings.get(at)
    findings.set(at, before === undefined ? issue.message : `${before}; ${issue.message}`)
  }
  return findings
}

function standsForRow(
  { column, code }: RowIssue,
  checked: readonly string[],
  now: readonly string[],
  headers: readonly string[],
): boolean {
  // A value that no column gives cannot be given here.
  if (column !== '') return true
  if (sameCells(checked, now)) return true
  return code === 'TOO_MANY_CELLS' && now.length > headers.length
}
