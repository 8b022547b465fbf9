import { hasProblems, isChanged, type SheetRow } from './sheet-row.ts'

/** Which of the loaded rows are shown. */
export type RowFilter = 'all' | 'wrong' | 'changed'

export const keeps: Record<RowFilter, (row: SheetRow) => boolean> = {
  all: () => true,
  wrong: hasProblems,
  changed: isChanged,
}
