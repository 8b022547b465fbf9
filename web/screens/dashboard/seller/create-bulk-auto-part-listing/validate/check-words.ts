import type { ImportMode } from '#contract/imports.ts'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import type { DryRunResult } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'

type Counts = Pick<DryRunResult, 'total' | 'errors'>

/** "1,998 of 2,000 rows are fine. 2 need a look." */
export function headline({ total, errors }: Counts): string {
  const good = total - errors
  if (total === 0) return 'No row is left to import.'
  if (errors === 0) return total === 1 ? 'The row is fine.' : `All ${rowsInWords(total)} are fine.`
  if (good === 0) {
    return total === 1 ? 'The row needs a look.' : `None of the ${rowsInWords(total)} is fine yet.`
  }
  return `${formatCount(good)} of ${rowsInWords(total)} ${good === 1 ? 'is' : 'are'} fine. ${formatCount(errors)} ${
    errors === 1 ? 'needs' : 'need'
  } a look.`
}

export function nextStep({ total, errors }: Counts, mode: ImportMode): string {
  const ending =
    mode === 'replace'
      ? ' Parts of earlier imports that the file lacks would end; the plan will say how many.'
      : ''
  if (errors === 0) return `Nothing was written yet.${ending}`
  if (errors === total) {
    return 'Nothing was written. Where most rows have the same problem, look at the columns first; else fix rows here or in your file.'
  }
  return `Nothing was written yet. Fix them here or in your file, or import the others now.${ending}`
}

/** The spec's word for a chunk that a dry run has read (section 4). */
export const validatedWords = ({ chunks }: Pick<DryRunResult, 'chunks'>): string =>
  `${formatCount(chunks)} ${chunks === 1 ? 'chunk' : 'chunks'} validated.`

export const failingRowsFileName = (name: string): string =>
  `${name.replace(/\.(csv|tsv|txt|xlsx)?(\.gz)?$/i, '')}-errors.csv`

/** What stands above the rows that are opened to be fixed. */
export function openedWords(failing: number, most: number): string {
  if (failing <= most) return 'Change a cell, then check the rows again. Every change can be undone.'
  return `The first ${formatCount(most)} of ${formatCount(failing)} rows with errors are here. What all of them share is quicker put right in the file itself, or in its columns.`
}
