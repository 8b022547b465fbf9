import type { ImportRecord } from '#contract/imports.ts'

type State = Pick<ImportRecord, 'state' | 'canConfirm' | 'rest'>

const words: Record<ImportRecord['state'], [label: string, color: string]> = {
  receiving: ['Uploading', 'warning'],
  staged: ['Uploaded', 'sea'],
  planning: ['Comparing', 'sea'],
  planned: ['In review', 'warning'],
  review: ['In review', 'warning'],
  applying: ['Going live', 'sea'],
  applied: ['Live', 'good'],
  undoing: ['Undoing', 'sea'],
  undone: ['Undone', 'gray'],
  failed: ['Failed', 'bad'],
  abandoned: ['Expired', 'gray'],
  withdrawn: ['Canceled', 'gray'],
}

export function stateWords({ state, canConfirm, rest }: State): { label: string; color: string } {
  if (state === 'review' && canConfirm) return { label: 'Needs your answer', color: 'warning' }
  if (rest)
    return rest.heldAt ? { label: 'On hold', color: 'warning' } : { label: 'Partly live', color: 'sea' }
  const [label, color] = words[state]
  return { label, color }
}

/** Whether the import continues without anyone acting, so that frequent polling pays off. */
export const isMoving = ({ state, rest }: Pick<ImportRecord, 'state' | 'rest'>): boolean =>
  rest === null && ['staged', 'planning', 'applying', 'undoing'].includes(state)

/** Whether a person has to act, or time has to pass, before the import continues. */
export const isWaiting = ({ state, rest }: Pick<ImportRecord, 'state' | 'rest'>): boolean =>
  rest !== null || ['receiving', 'planned', 'review'].includes(state)

export const formatCount = (count: number): string => count.toLocaleString('en-US')

/** "1 row", "2,000 rows". */
export const rowsInWords = (count: number): string => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`

/** "1 listing", "2,000 listings". */
export const listingsInWords = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'listing' : 'listings'}`

const units = ['bytes', 'KB', 'MB', 'GB']

/** "412 KB", rounded to three significant digits. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const amount = (bytes / 1_000 ** power).toLocaleString('en-US', { maximumSignificantDigits: 3 })
  return `${amount} ${units[power]}`
}

/** "about 2 min", "about 40 s": rounded because it is an estimate. */
export function timeInWords(seconds: number): string {
  if (seconds < 10) return 'a few seconds'
  if (seconds < 90) return `about ${Math.round(seconds / 10) * 10} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `about ${minutes} min`
  return `about ${Math.round(minutes / 60)} hours`
}
