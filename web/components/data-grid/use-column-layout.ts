import { useMemo, useState } from 'react'
import { type ColumnLayout, layoutOf, layoutToKeep, readLayout, shownColumns } from './column-layout.ts'
import type { GridColumn } from './grid-column.ts'

export type ColumnControls = {
  all: readonly GridColumn[]
  shown: readonly GridColumn[]
  layout: ColumnLayout
  change: (change: (layout: ColumnLayout) => ColumnLayout) => void
  reset: () => void
}

/** Hidden columns and widths, remembered on this device under `storageKey`. */
export function useColumnLayout(columns: readonly GridColumn[], storageKey: string): ColumnControls {
  const [layout, setLayout] = useState(() => readLayout(stored(storageKey), columns))
  const { hidden } = layout
  const shown = useMemo(() => shownColumns(columns, hidden), [columns, hidden])
  const write = (next: ColumnLayout) => {
    setLayout(next)
    keep(storageKey, layoutToKeep(stored(storageKey), columns, next))
  }
  return {
    all: columns,
    shown,
    layout,
    change: (change) => write(change(layout)),
    reset: () => write(layoutOf(columns)),
  }
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function keep(key: string, layout: ColumnLayout): void {
  try {
    localStorage.setItem(key, JSON.stringify(layout))
  } catch {
    // Storage is full or closed: the columns stay as long as the page.
  }
}
