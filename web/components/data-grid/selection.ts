/** Cells are addressed by position among the visible rows and columns. */

export type CellAddress = { row: number; column: number }
export type CellRange = { top: number; left: number; bottom: number; right: number }
export type GridSize = { rows: number; columns: number }

/** The anchor is the active cell; the range extends from it to the head. */
export type Selection = { anchor: CellAddress; head: CellAddress }

/** How far to go; Infinity is the edge. */
export type Step = { rows: number; columns: number }

export const selectionAt = (cell: CellAddress): Selection => ({ anchor: cell, head: cell })

export function rangeOf({ anchor, head }: Selection): CellRange {
  return {
    top: Math.min(anchor.row, head.row),
    bottom: Math.max(anchor.row, head.row),
    left: Math.min(anchor.column, head.column),
    right: Math.max(anchor.column, head.column),
  }
}

export const cellCount = ({ top, left, bottom, right }: CellRange): number =>
  (bottom - top + 1) * (right - left + 1)

export const isOneCell = (range: CellRange): boolean => cellCount(range) === 1

const clamp = (value: number, last: number) => Math.max(0, Math.min(value, last))

const clampCell = ({ row, column }: CellAddress, size: GridSize): CellAddress => ({
  row: clamp(row, size.rows - 1),
  column: clamp(column, size.columns - 1),
})

/** The selection after rows or columns were removed. */
export function clampSelection({ anchor, head }: Selection, size: GridSize): Selection {
  return { anchor: clampCell(anchor, size), head: clampCell(head, size) }
}

/** Moves the active cell; with `extend`, grows the range instead. */
export function moveSelection(selection: Selection, step: Step, size: GridSize, extend: boolean): Selection {
  const from = extend ? selection.head : selection.anchor
  const to = clampCell({ row: from.row + step.rows, column: from.column + step.columns }, size)
  return extend ? { anchor: selection.anchor, head: to } : selectionAt(to)
}

/** The cell that Tab selects: along the row, then in the next; undefined beyond the ends, where Tab leaves. */
export function tabTarget({ anchor }: Selection, size: GridSize, back: boolean): CellAddress | undefined {
  const place = anchor.row * size.columns + anchor.column + (back ? -1 : 1)
  if (place < 0 || place >= size.rows * size.columns) return undefined
  return { row: Math.floor(place / size.columns), column: place % size.columns }
}

export const wholeRows = (selection: Selection, size: GridSize): Selection => {
  const { top, bottom } = rangeOf(selection)
  return { anchor: { row: top, column: 0 }, head: { row: bottom, column: size.columns - 1 } }
}

export const wholeColumns = (selection: Selection, size: GridSize): Selection => {
  const { left, right } = rangeOf(selection)
  return { anchor: { row: 0, column: left }, head: { row: size.rows - 1, column: right } }
}

export const everything = (size: GridSize): Selection => ({
  anchor: { row: 0, column: 0 },
  head: { row: size.rows - 1, column: size.columns - 1 },
})

export function* cellsOf({ top, left, bottom, right }: CellRange): Generator<CellAddress> {
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) yield { row, column }
  }
}
