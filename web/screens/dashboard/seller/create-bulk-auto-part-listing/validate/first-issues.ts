import type { RowIssue } from '#contract/imports.ts'
import type { IssueKind } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import {
  eachFailingRow,
  type FailingRows,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/failing-rows.ts'

/** Spec, section 2. */
const SHOWN_ISSUES = 50

export const isOfKind = (issue: RowIssue, { column, code }: Pick<IssueKind, 'column' | 'code'>): boolean =>
  issue.column === column && issue.code === code

/** The first ones of a kind, in the order of the file. */
export async function firstIssues(failing: FailingRows, kind: IssueKind): Promise<RowIssue[]> {
  const found: RowIssue[] = []
  for await (const { issues } of eachFailingRow(failing)) {
    found.push(...issues.filter((issue) => isOfKind(issue, kind)))
    if (found.length >= SHOWN_ISSUES) break
  }
  return found.slice(0, SHOWN_ISSUES)
}
