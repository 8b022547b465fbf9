import {
  applyArithmetic,
  type CellWrite,
  clearWrites,
  fillDownWrites,
  fillToWrites,
  formatTsv,
  matcher,
  parseArithmetic,
  parseTsv,
  pasteWrites,
  replacer,
  type Search,
} from './cell-writes.ts'
import { isEditable } from './columns.ts'
import type { Grid } from './grid.ts'
import { type CellAddress, cellCount, cellsOf, everything, isOneCell, rangeOf } from './selection.ts'
import { type EditStep, hasProblems } from './sheet-row.ts'

const cells = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'cell' : 'cells'}`
const rows = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`

/** Edits of the selected cells, each a single undo step. Writes the editable cells and announces the result. */
function write(
  grid: Grid,
  label: string,
  writes: readonly CellWrite[],
  also: readonly string[] = [],
): number {
  const fitting = writes.flatMap(({ row, column, text }) => {
    const target = grid.columns[column]
    const id = grid.idAt(row)
    return isEditable(target) && id !== undefined ? { id, field: target.field, text } : []
  })
  const changed = grid.sheet.edit(label, fitting)
  const wrong = writes.filter((cell) => grid.problemAt(cell) !== undefined).length
  const locked = writes.length - fitting.length
  const parts = [
    `${label}: ${cells(changed)} changed`,
    ...(wrong > 0 ? [`${cells(wrong)} with an error`] : []),
    ...(locked > 0 ? [`${cells(locked)} read-only`] : []),
    ...also,
  ]
  grid.announce(parts.join(', '))
  return changed
}

export function copyCells(grid: Grid): string {
  const { top, bottom, left, right } = grid.range()
  const lines = Array.from({ length: bottom - top + 1 }, (_, row) =>
    Array.from({ length: right - left + 1 }, (_, column) => grid.textAt(top + row, left + column)),
  )
  grid.announce(`Copied ${cells(cellCount(grid.range()))}`)
  return formatTsv(lines)
}

export function cutCells(grid: Grid): string {
  const text = copyCells(grid)
  write(grid, 'Cut', clearWrites(grid.range()))
  return text
}

/** Returns a message for the user if the block did not fit. */
export function pasteText(grid: Grid, text: string): string | undefined {
  if (text === '' || grid.size().rows === 0) return undefined
  const { writes, range, rowsLeftOut } = pasteWrites(parseTsv(text), grid.range(), grid.size())
  const leftOut = rowsLeftOut > 0 ? [`${rows(rowsLeftOut)} did not fit`] : []
  write(grid, 'Paste', writes, leftOut)
  grid.select({
    anchor: { row: range.top, column: range.left },
    head: { row: range.bottom, column: range.right },
  })
  if (rowsLeftOut === 0) return undefined
  return `${rows(rowsLeftOut)} of the copied block did not fit: load more rows and paste again.`
}

export function clearCells(grid: Grid): void {
  write(grid, 'Clear', clearWrites(grid.range()))
}

export function fillDown(grid: Grid): void {
  write(grid, 'Fill down', fillDownWrites(grid.range(), grid.textAt))
}

export function fillTo(grid: Grid, row: number): void {
  const range = grid.range()
  grid.dragFill(undefined)
  if (row >= range.top && row <= range.bottom) return
  write(grid, 'Fill', fillToWrites(range, row, grid.textAt))
  grid.select({
    anchor: { row: Math.min(range.top, row), column: range.left },
    head: { row: Math.max(range.bottom, row), column: range.right },
  })
}

/**
 * Commits the edited cell. Arithmetic ("+5%") applies to every selected number; with `everywhere` a value goes to every
 * selected cell, otherwise to the active one.
 */
export function commitText(grid: Grid, text: string, everywhere = false): void {
  const { editing } = grid.state()
  if (!editing) return
  grid.stopEditing()
  const { row, column } = editing
  const target = grid.columns[column]
  if (target?.decimals !== undefined && applyTypedArithmetic(grid, text)) return
  if (everywhere) {
    write(
      grid,
      'Fill',
      [...cellsOf(grid.range())].map((cell) => ({ ...cell, text })),
    )
    return
  }
  const id = grid.idAt(row)
  if (!isEditable(target) || id === undefined) return
  const changed = grid.sheet.edit('Typing', [{ id, field: target.field, text }])
  const problem = grid.problemAt({ row, column })
  if (changed > 0)
    grid.announce(problem === undefined ? `${target.label} changed` : `${target.label}: ${problem}`)
}

/** Applies arithmetic to the selected numbers; returns false if the text is not arithmetic. */
export function applyTypedArithmetic(grid: Grid, typed: string): boolean {
  const step = parseArithmetic(typed)
  if (!step) return false
  const writes = [...cellsOf(grid.range())].flatMap((cell) => {
    const decimals = grid.columns[cell.column]?.decimals
    if (decimals === undefined || !isEditable(grid.columns[cell.column])) return []
    const text = applyArithmetic(step, grid.textAt(cell.row, cell.column), decimals)
    return text === undefined ? [] : { ...cell, text }
  })
  write(grid, typed.trim(), writes)
  return true
}

/** Replaces in the selection, or in all rows if only one cell is selected. */
export const replaceAll = (grid: Grid, search: Search, replacement: string): number =>
  write(grid, 'Replace', replacements(grid, search, replacement))

/** How many cells `replaceAll` would change. */
export const countReplacements = (grid: Grid, search: Search, replacement: string): number =>
  search.find === '' ? 0 : replacements(grid, search, replacement).length

function replacements(grid: Grid, search: Search, replacement: string) {
  const replace = replacer(search, replacement)
  const all = rangeOf(everything(grid.size()))
  const range = isOneCell(grid.range()) ? all : grid.range()
  return [...cellsOf(range)].flatMap((cell) => {
    if (!isEditable(grid.columns[cell.column])) return []
    const text = replace(grid.textAt(cell.row, cell.column))
    return text === undefined ? [] : { ...cell, text }
  })
}

/** Selects the next matching cell after the active one, wrapping around. */
function goToNext(grid: Grid, wanted: (cell: CellAddress) => boolean, back: boolean): boolean {
  const size = grid.size()
  const { anchor } = grid.state().selection
  const count = size.rows * size.columns
  const from = anchor.row * size.columns + anchor.column
  for (let gone = 1; gone <= count; gone++) {
    const place = (from + (back ? count - gone : gone)) % count
    const cell = { row: Math.floor(place / size.columns), column: place % size.columns }
    if (!wanted(cell)) continue
    grid.selectCell(cell)
    return true
  }
  return false
}

export function findNext(grid: Grid, search: Search, back = false): boolean {
  const matches = matcher(search)
  const found = goToNext(grid, ({ row, column }) => matches(grid.textAt(row, column)), back)
  if (!found) grid.announce('Nothing found')
  return found
}

/** Selects the next cell with an error; an error of a whole row is at its `errorColumn`. */
export function nextError(grid: Grid, errorColumn: string, back = false): boolean {
  const column = grid.columns.findIndex(({ key }) => key === errorColumn)
  const shown = new Set(grid.columns.map(({ field }) => field))
  const found = goToNext(
    grid,
    (cell) => {
      if (grid.problemAt(cell) !== undefined) return true
      const row = grid.sheet.row(grid.idAt(cell.row) ?? '')
      if (cell.column !== column || !row || !hasProblems(row)) return false
      return ![...Object.keys(row.broken), ...Object.keys(row.refused)].some((field) => shown.has(field))
    },
    back,
  )
  const { anchor } = grid.state().selection
  grid.announce(found ? (grid.problemAt(anchor) ?? 'This row has an error') : 'No row has an error')
  return found
}

export function undo(grid: Grid): void {
  showStep(grid, 'Undone', grid.sheet.undo())
}

export function redo(grid: Grid): void {
  showStep(grid, 'Redone', grid.sheet.redo())
}

function showStep(grid: Grid, how: string, step: EditStep | undefined): void {
  if (!step) {
    grid.announce('Nothing left')
    return
  }
  const [first] = step.edits
  const row = grid.sheet.view().ids.indexOf(first?.id ?? '')
  const column = grid.columns.findIndex(({ field }) => field !== undefined && field === first?.field)
  if (row >= 0 && column >= 0) grid.selectCell({ row, column })
  grid.announce(`${how}: ${step.label}, ${cells(step.edits.length)}`)
}
