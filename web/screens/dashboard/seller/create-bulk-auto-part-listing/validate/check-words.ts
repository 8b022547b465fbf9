import type { ImportMode } from '#contract/imports.ts'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import type { DryRunResult } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'

type Counts = Pick<DryRunResult, 'total' | 'errors'>

/** "1,998 of 2,000 rows are good. 2 need fixing." */
export function headline({ total, errors }: Counts): string {
  const good = total - errors
  if (total === 0) return 'No rows left to import.'
  if (errors === 0) return total === 1 ? 'The row is good.' : `All ${rowsInWords(total)} are good.`
  if (good === 0) return total === 1 ? 'The row needs fixing.' : `All ${rowsInWords(total)} need fixing.`
  return `${formatCount(good)} of ${rowsInWords(total)} ${good === 1 ? 'is' : 'are'} good. ${formatCount(errors)} ${
    errors === 1 ? 'needs' : 'need'
  } fixing.`
}

export function nextStep({ total, errors }: Counts, mode: ImportMode): string {
  const ending =
    mode === 'replace'
      ? ' Parts from earlier imports that are not in the file would end. The plan will show how many.'
      : ''
  if (errors === 0) return `Nothing has changed yet.${ending}`
  if (errors === total) {
    return 'Nothing has changed yet. If most rows have the same problem, check the columns first. Otherwise fix the rows here or in your file.'
  }
  return `Nothing has changed yet. Fix them here or in your file, or import the other rows now.${ending}`
}

export const failingRowsFileName = (name: string): string =>
  `${name.replace(/\.(csv|tsv|txt|xlsx)?(\.gz)?$/i, '')}-errors.csv`

/** The hint above the rows to fix. */
export function openedWords(failing: number, most: number): string {
  if (failing <= most) return 'Change a cell, then check the rows again. Every change can be undone.'
  return `Showing the first ${formatCount(most)} of ${formatCount(failing)} rows with errors. If they share a problem, it is faster to fix it in the file or its columns.`
}
