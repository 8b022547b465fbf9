import type { ShortcutGroup } from '#web/components/shortcuts/shortcut-sheet.tsx'
import { type ColumnControls, resizeColumn, widthOf } from './columns.ts'
import type { Grid } from './grid.ts'
import { clearCells, fillDown, nextError, redo, undo } from './grid-edits.ts'
import { everything, type Step, wholeColumns, wholeRows } from './selection.ts'

/** The keys of a grid while no cell is being edited. Keep `shortcuts`, which users see, in sync. */

type GridCommand =
  | { name: 'move'; step: Step; extend: boolean }
  | { name: 'page'; down: boolean; extend: boolean }
  | { name: 'tab'; back: boolean }
  | { name: 'type'; text: string }
  | { name: 'widen'; by: number }
  | { name: PlainCommand }
type PlainCommand = keyof typeof plainCommands | 'leave'

type SaveKeys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>
type KeyPress = SaveKeys & Pick<KeyboardEvent, 'shiftKey' | 'altKey'>

export const arrows: Record<string, Step> = {
  ArrowUp: { rows: -1, columns: 0 },
  ArrowDown: { rows: 1, columns: 0 },
  ArrowLeft: { rows: 0, columns: -1 },
  ArrowRight: { rows: 0, columns: 1 },
}
const edges: Record<string, Step> = {
  Home: { rows: 0, columns: -Infinity },
  End: { rows: 0, columns: Infinity },
}
const corners: Record<string, Step> = {
  Home: { rows: -Infinity, columns: -Infinity },
  End: { rows: Infinity, columns: Infinity },
}
const plain: Record<string, PlainCommand> = {
  Enter: 'open',
  F2: 'edit',
  Escape: 'leave',
  Delete: 'clear',
  Backspace: 'clear',
  F8: 'nextError',
  '?': 'help',
}
const withControl: Record<string, PlainCommand> = {
  z: 'undo',
  y: 'redo',
  d: 'fillDown',
  f: 'find',
  h: 'find',
  a: 'selectAll',
  s: 'save',
  ' ': 'selectColumns',
}

/** Ctrl+S, also inside a field: the save includes what is being typed. */
export const isSaveKey = ({ key, ctrlKey, metaKey }: SaveKeys) =>
  (ctrlKey || metaKey) && key.toLowerCase() === 's'

const toEdge = ({ rows, columns }: Step): Step => ({
  rows: rows === 0 ? 0 : rows * Infinity,
  columns: columns === 0 ? 0 : columns * Infinity,
})

/** Returns undefined for the browser's own keys. Copy, cut, and paste have their own events. */
export function commandFor(press: KeyPress): GridCommand | undefined {
  const { key, shiftKey: extend, altKey } = press
  const control = press.ctrlKey || press.metaKey
  if (altKey) return withAlt(press)
  const step = stepFor(key, control)
  if (step) return { name: 'move', step, extend }
  if (key === 'PageUp' || key === 'PageDown') return { name: 'page', down: key === 'PageDown', extend }
  if (control) return controlCommand(key, extend)
  if (key === 'Tab') return { name: 'tab', back: extend }
  if (key === 'F8' && extend) return { name: 'previousError' }
  if (key === ' ' && extend) return { name: 'selectRows' }
  const name = plain[key]
  if (name) return { name }
  return [...key].length === 1 ? { name: 'type', text: key } : undefined
}

function stepFor(key: string, control: boolean): Step | undefined {
  const arrow = arrows[key]
  if (arrow) return control ? toEdge(arrow) : arrow
  return control ? corners[key] : edges[key]
}

function controlCommand(key: string, shift: boolean): GridCommand | undefined {
  const letter = key.toLowerCase()
  if (letter === 'z' && shift) return { name: 'redo' }
  const name = withControl[letter]
  return name && { name }
}

/** The alternatives to dragging a column's edge and to clicking its header. */
function withAlt({ key, shiftKey }: KeyPress): GridCommand | undefined {
  if (!shiftKey) return undefined
  if (key === 'ArrowUp' || key === 'ArrowDown') return { name: 'sort' }
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  return { name: 'widen', by: key === 'ArrowRight' ? 16 : -16 }
}

export const shortcuts: readonly ShortcutGroup[] = [
  {
    group: 'Move',
    keys: [
      ['Arrows', 'One cell'],
      ['Tab / Shift+Tab', 'Next or previous cell'],
      ['Home / End', 'First or last column'],
      ['Ctrl+Home / Ctrl+End', 'First or last cell'],
      ['Ctrl+Arrows', 'To the edge'],
      ['Page Up / Page Down', 'One page'],
      ['F8 / Shift+F8', 'Next or previous error'],
      ['Esc, then Tab', 'Leave the grid'],
    ],
  },
  {
    group: 'Select',
    keys: [
      ['Shift+Arrows', 'Grow the selection'],
      ['Shift+Click or drag', 'Select a range'],
      ['Shift+Space', 'Whole rows'],
      ['Ctrl+Space', 'Whole columns'],
      ['Ctrl+A', 'All loaded rows'],
    ],
  },
  {
    group: 'Edit',
    keys: [
      ['Enter or F2', 'Edit the cell, or open the row'],
      ['Enter / Shift+Enter', 'Finish, then move down or up'],
      ['Ctrl+Enter', 'Fill every selected cell'],
      ['Esc', 'Keep the old value'],
      ['Delete', 'Clear the selection'],
      ['+5%  *1.1  -2  =19.99', 'Calculate with the selected numbers'],
      ['Ctrl+D', 'Fill down (or drag the handle)'],
      ['Ctrl+F', 'Find and replace'],
    ],
  },
  {
    group: 'Clipboard and history',
    keys: [
      ['Ctrl+C / Ctrl+X', 'Copy or cut for Excel and Sheets'],
      ['Ctrl+V', 'Paste a block; one value fills the selection'],
      ['Ctrl+Z', 'Undo'],
      ['Ctrl+Y or Ctrl+Shift+Z', 'Redo'],
      ['Ctrl+S', 'Save the changes'],
      ['Alt+Shift+Left / Right', 'Narrow or widen the column'],
      ['Alt+Shift+Up / Down', 'Sort by the column, in reverse, or not at all'],
      ['?', 'Show this list'],
    ],
  },
]

export type GridActions = {
  onSave: () => void
  onFind: () => void
  onHelp: () => void
  /** The column for errors of a whole row. */
  errorColumn: string
}

/** Runs a key's command. Returns false if the browser should handle the key. */
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

const plainCommands = {
  edit: (grid) => void grid.startEditing(),
  open: openCell,
  clear: clearCells,
  undo,
  redo,
  fillDown,
  sort: (grid) => {
    const column = grid.columns[grid.state().selection.anchor.column]
    if (column) grid.sortBy(column)
  },
  selectAll: (grid) => grid.select(everything(grid.size())),
  selectRows: (grid) => grid.select(wholeRows(grid.state().selection, grid.size())),
  selectColumns: (grid) => grid.select(wholeColumns(grid.state().selection, grid.size())),
  nextError: (grid, { errorColumn }) => void nextError(grid, errorColumn),
  previousError: (grid, { errorColumn }) => void nextError(grid, errorColumn, true),
  find: (_grid, { onFind }) => onFind(),
  save: (_grid, { onSave }) => onSave(),
  help: (_grid, { onHelp }) => onHelp(),
} satisfies Record<string, (grid: Grid, actions: GridActions) => void>

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
