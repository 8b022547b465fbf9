import { useSyncExternalStore } from 'react'
import type { Grid, GridState } from './grid.ts'
import type { Sheet, SheetView } from './sheet.ts'
import type { SheetRow } from './sheet-row.ts'

export const useSheetView = (sheet: Sheet): SheetView => useSyncExternalStore(sheet.subscribe, sheet.view)

export const useSheetRow = (sheet: Sheet, id: string): SheetRow | undefined =>
  useSyncExternalStore(sheet.subscribe, () => sheet.row(id))

export const useGridState = (grid: Grid): GridState => useSyncExternalStore(grid.subscribe, grid.state)

/** How a row is marked, as one text; it is drawn again only where that changes. */
export const useRowMarks = (grid: Grid, row: number): string =>
  useSyncExternalStore(grid.subscribe, () => grid.marks(row))
