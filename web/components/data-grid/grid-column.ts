import type { ReactNode } from 'react'
import type { SheetRow } from './sheet-row.ts'

/** The panels below the rows, for the cell that opens them. */
export type RowPanels = {
  subscribe: (listener: () => void) => () => void
  isOpen: (id: string) => boolean
  toggle: (id: string) => void
}

/** A column: of a value (`field`), or of what is drawn for the row. */
export type GridColumn = {
  key: string
  label: string
  /** Pixels, until somebody changes it. */
  width: number
  field?: string
  editable?: boolean
  /** A number with so many decimals: it stands at the end of its cell, and can be reckoned with. */
  decimals?: number
  /** Values to choose from while editing. */
  choices?: readonly string[]
  /** Takes what the others leave of the grid's width. */
  grows?: boolean
  /** Stays in sight while the others are scrolled sideways. The first column alone can. */
  frozen?: boolean
  /** Not in sight until somebody asks for it. */
  hiddenAtFirst?: boolean
  draw?: (row: SheetRow, panels: RowPanels) => ReactNode
  /** What Enter does where there is nothing to edit. */
  act?: (row: SheetRow, panels: RowPanels) => void
}

export const isEditable = (column: GridColumn | undefined): column is GridColumn & { field: string } =>
  column?.editable === true && column.field !== undefined
