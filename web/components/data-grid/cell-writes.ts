/** What pasting, filling and clearing write where: pure. */

import { type CellRange, cellsOf, type GridSize } from './selection.ts'

export type CellWrite = { row: number; column: number; text: string }

export type BlockWrites = {
  writes: CellWrite[]
  /** The cells that are selected afterwards. */
  range: CellRange
  /** Rows of the block for which there was no room. */
  rowsLeftOut: number
}

type TextAt = (row: number, column: number) => string

/**
 * A block goes where the range begins. It is repeated where the range holds it a whole number of times, so that one
 * value fills the range; what goes beyond the last row or column is left out.
 */
export function pasteWrites(
  block: readonly (readonly string[])[],
  at: CellRange,
  size: GridSize,
): BlockWrites {
  const height = block.length
  const width = Math.max(1, ...block.map(({ length }) => length))
  const rows = at.bottom - at.top + 1
  const columns = at.right - at.left + 1
  const repeats = rows % height === 0 && columns % width === 0
  const range = {
    top: at.top,
    left: at.left,
    bottom: Math.min(at.top + (repeats ? rows : height), size.rows) - 1,
    right: Math.min(at.left + (repeats ? columns : width), size.columns) - 1,
  }
  const writes: CellWrite[] = []
  for (const { row, column } of cellsOf(range)) {
    const text = block[(row - at.top) % height]?.[(column - at.left) % width]
    if (text !== undefined) writes.push({ row, column, text })
  }
  return { writes, range, rowsLeftOut: repeats ? 0 : Math.max(0, at.top + height - size.rows) }
}

/** Fills a range from its first row; a single row takes what stands above it. */
export function fillDownWrites(range: CellRange, textAt: TextAt): CellWrite[] {
  const source = range.top === range.bottom ? range.top - 1 : range.top
  if (source < 0) return []
  const target = { ...range, top: source + 1 }
  return [...cellsOf(target)].map((cell) => ({ ...cell, text: textAt(source, cell.column) }))
}

/** Repeats a range downwards or upwards as far as a row, as its handle is dragged. */
export function fillToWrites(range: CellRange, toRow: number, textAt: TextAt): CellWrite[] {
  const target =
    toRow > range.bottom
      ? { ...range, top: range.bottom + 1, bottom: toRow }
      : { ...range, top: toRow, bottom: range.top - 1 }
  const height = range.bottom - range.top + 1
  const sourceOf = (row: number) => range.top + ((((row - range.top) % height) + height) % height)
  return [...cellsOf(target)].map((cell) => ({ ...cell, text: textAt(sourceOf(cell.row), cell.column) }))
}

export const clearWrites = (range: CellRange): CellWrite[] =>
  [...cellsOf(range)].map((cell) => ({ ...cell, text: '' }))
