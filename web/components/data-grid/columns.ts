import { type ReactNode, useLayoutEffect, useMemo, useState } from 'react'
import { z } from 'zod'
import { readText, writeText } from '#web/api/browser-storage.ts'
import type { SheetRow } from './sheet-row.ts'

/** The panels below the rows, for cells that open them. */
export type RowPanels = {
  subscribe: (listener: () => void) => () => void
  isOpen: (id: string) => boolean
  toggle: (id: string) => void
}

/** A column with either a value (`field`) or custom content (`draw`). */
export type GridColumn = {
  key: string
  label: string
  /** Initial width in pixels. */
  width: number
  field?: string
  editable?: boolean
  /** Decimal places of a number column: right-aligned and open to arithmetic. */
  decimals?: number
  choices?: readonly string[]
  /** Takes the rest of the grid's width. */
  grows?: boolean
  /** Stays visible at the left edge while the others scroll sideways. Only for one column. */
  frozen?: boolean
  hiddenAtFirst?: boolean
  draw?: (row: SheetRow, panels: RowPanels) => ReactNode
  /** What Enter does in a cell that cannot be edited. */
  act?: (row: SheetRow, panels: RowPanels) => void
}

export const isEditable = (column: GridColumn | undefined): column is GridColumn & { field: string } =>
  column?.editable === true && column.field !== undefined

type ColumnLayout = {
  hidden: readonly string[]
  widths: Readonly<Record<string, number>>
}

const NARROWEST = 48
const WIDEST = 640

export const layoutOf = (columns: readonly GridColumn[]): ColumnLayout => ({
  hidden: columns.filter(({ hiddenAtFirst }) => hiddenAtFirst).map(({ key }) => key),
  widths: {},
})

export const widthOf = ({ key, width }: GridColumn, layout: ColumnLayout): number =>
  layout.widths[key] ?? width

export const shownColumns = (columns: readonly GridColumn[], hidden: readonly string[]): GridColumn[] =>
  columns.filter(({ key }) => !hidden.includes(key))

export function toggleColumn(layout: ColumnLayout, key: string): ColumnLayout {
  const isHidden = layout.hidden.includes(key)
  return {
    ...layout,
    hidden: isHidden ? layout.hidden.filter((one) => one !== key) : [...layout.hidden, key],
  }
}

/** Hides these columns and shows all others. Unknown keys are ignored, and one column stays. */
export function hideColumns(
  layout: ColumnLayout,
  hidden: readonly string[],
  columns: readonly GridColumn[],
): ColumnLayout {
  const known = columns.map(({ key }) => key).filter((key) => hidden.includes(key))
  return known.length === columns.length ? layout : { ...layout, hidden: known }
}

export function resizeColumn(layout: ColumnLayout, key: string, width: number): ColumnLayout {
  const fitting = Math.round(Math.min(Math.max(width, NARROWEST), WIDEST))
  return { ...layout, widths: { ...layout.widths, [key]: fitting } }
}

/** A stored layout may be from an older version or another file: only what matches these columns is used. */
export function readLayout(stored: string | null, columns: readonly GridColumn[]): ColumnLayout {
  const usual = layoutOf(columns)
  const kept = parse(stored)
  if (!kept) return usual
  const keys = columns.map(({ key }) => key)
  const hidden = kept.hidden.filter((key) => keys.includes(key))
  if (hidden.length === keys.length) return usual
  const widths = Object.entries(kept.widths).filter(([key]) => keys.includes(key))
  return widths.reduce<ColumnLayout>((layout, [key, width]) => resizeColumn(layout, key, width), {
    hidden,
    widths: {},
  })
}

// Columns of other files are remembered too; this is more than any single file has.
const STORED_COLUMNS_LIMIT = 500

/** The layout to store: includes the stored columns that only other files have. */
export function layoutToKeep(
  stored: string | null,
  columns: readonly GridColumn[],
  layout: ColumnLayout,
): ColumnLayout {
  const kept = parse(stored)
  if (!kept) return layout
  const keys = new Set(columns.map(({ key }) => key))
  const others = kept.hidden.filter((key) => !keys.has(key))
  const widthsOfOthers = Object.entries(kept.widths).filter(([key]) => !keys.has(key))
  const widths = [...Object.entries(layout.widths), ...widthsOfOthers]
  return {
    hidden: [...new Set([...layout.hidden, ...others])].slice(0, STORED_COLUMNS_LIMIT),
    widths: Object.fromEntries(widths.slice(0, STORED_COLUMNS_LIMIT)),
  }
}

const storedLayout = z.object({ hidden: z.array(z.string()), widths: z.record(z.string(), z.number()) })

function parse(text: string | null): ColumnLayout | undefined {
  try {
    return storedLayout.safeParse(JSON.parse(text ?? 'null')).data
  } catch {
    return undefined
  }
}

export type ColumnControls = ReturnType<typeof useColumnLayout>

type ShowsColumns = { showColumns: (columns: readonly GridColumn[]) => void }

/** Hidden columns and widths, remembered on this device under `storageKey`; the grid shows the others. */
export function useColumnLayout(columns: readonly GridColumn[], storageKey: string, grid: ShowsColumns) {
  const [layout, setLayout] = useState(() => readLayout(readText(storageKey), columns))
  const { hidden } = layout
  const shown = useMemo(() => shownColumns(columns, hidden), [columns, hidden])
  useLayoutEffect(() => grid.showColumns(shown), [grid, shown])
  const write = (next: ColumnLayout) => {
    setLayout(next)
    // If storage is full or blocked, the layout lasts as long as the page.
    writeText(storageKey, JSON.stringify(layoutToKeep(readText(storageKey), columns, next)))
  }
  return {
    all: columns,
    shown,
    layout,
    change: (change: (layout: ColumnLayout) => ColumnLayout) => write(change(layout)),
    reset: () => write(layoutOf(columns)),
  }
}
