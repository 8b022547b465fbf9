import { resizeColumn, widthOf } from './column-layout.ts'
import type { Grid } from './grid.ts'
import { clearCells, fillDown, nextError, redo, undo } from './grid-edits.ts'
import type { GridCommand } from './grid-keys.ts'
import { everything, wholeColumns, wholeRows } from './selection.ts'
import type { ColumnControls } from './use-column-layout.ts'

/** What the keys reach beyond the cells. */
export type GridActions = {
  onSave: () => void
  onFind: () => void
  onHelp: () => void
  /** The column that speaks for a row as a whole. */
  errorColumn: string
}

/** Does what a key asked for. False where the key is left to the browser. */
export function runCommand(
  grid: Grid,
  command: GridCommand,
  actions: GridActions,
  controls: ColumnControls,
): boolean {
  switch (command.name) {
    case 'move':
      grid.move(command.step, command.extend)
      return true
    case 'page':
      grid.move({ rows: command.down ? grid.pageRows : -grid.pageRows, columns: 0 }, command.extend)
      return true
    case 'tab':
      return grid.tab(command.back)
    case 'type':
      return grid.startEditing(command.text)
    case 'widen':
      widen(grid, command.by, controls)
      return true
    case 'leave':
      return false
    default:
      plainCommands[command.name](grid, actions)
      return true
  }
}

type PlainName = Exclude<GridCommand['name'], 'move' | 'page' | 'tab' | 'type' | 'widen' | 'leave'>

const plainCommands: Record<PlainName, (grid: Grid, actions: GridActions) => void> = {
  edit: (grid) => void grid.startEditing(),
  open: (grid) => openCell(grid),
  clear: (grid) => clearCells(grid),
  undo: (grid) => undo(grid),
  redo: (grid) => redo(grid),
  fillDown: (grid) => fillDown(grid),
  selectAll: (grid) => grid.select(everything(grid.size())),
  selectRows: (grid) => grid.select(wholeRows(grid.state().selection, grid.size())),
  selectColumns: (grid) => grid.select(wholeColumns(grid.state().selection, grid.size())),
  nextError: (grid, { errorColumn }) => void nextError(grid, errorColumn),
  previousError: (grid, { errorColumn }) => void nextError(grid, errorColumn, true),
  find: (_grid, { onFind }) => onFind(),
  save: (_grid, { onSave }) => onSave(),
  help: (_grid, { onHelp }) => onHelp(),
}

function openCell(grid: Grid): void {
  const { row, column } = grid.state().selection.anchor
  if (grid.startEditing()) return
  const record = grid.sheet.row(grid.idAt(row) ?? '')
  if (record) grid.columns[column]?.act?.(record, grid)
}

function widen(grid: Grid, by: number, controls: ColumnControls): void {
  const column = grid.columns[grid.state().selection.anchor.column]
  if (!column) return
  controls.change((layout) => resizeColumn(layout, column.key, widthOf(column, layout) + by))
}
