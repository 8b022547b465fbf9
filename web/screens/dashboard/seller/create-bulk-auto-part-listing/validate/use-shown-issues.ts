import { useEffect, useState } from 'react'
import type { RowIssue } from '#contract/imports.ts'
import type {
  DryRunResult,
  IssueKind,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import { firstIssues, isOfKind } from './first-issues.ts'

/** The first issues of a result, or of one kind; those at hand until the others are found. */
export function useShownIssues(result: DryRunResult, kind: IssueKind | undefined): readonly RowIssue[] {
  const [found, setFound] = useState<{ kind: IssueKind; issues: RowIssue[] }>()
  useEffect(() => {
    if (!kind) return
    let isOver = false
    void firstIssues(result.failing, kind).then((issues) => {
      if (!isOver) setFound({ kind, issues })
    })
    return () => {
      isOver = true
    }
  }, [result, kind])
  if (!kind) return result.issues
  return found?.kind === kind ? found.issues : result.issues.filter((issue) => isOfKind(issue, kind))
}
