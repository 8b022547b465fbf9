import { useSyncExternalStore } from 'react'
import { type GridColumn, isEditable, type RowPanels } from './columns.ts'
import { nextOrder } from './row-order.ts'
import {
  type CellAddress,
  type CellRange,
  clampSelection,
  type GridSize,
  moveSelection,
  rangeOf,
  type Selection,
  type Step,
  selectionAt,
  tabTarget,
} from './selection.ts'
import type { Sheet, SheetView } from './sheet.ts'
import { problemOf, type SheetRow, textOf } from './sheet-row.ts'

/** `type` was started by typing: arrow keys end it. `edit` was started by F2 or a double click: they move the cursor. */
export type Editing = CellAddress & { id: string; text: string; mode: 'type' | 'edit' }

type GridState = {
  selection: Selection
  editing: Editing | undefined
  /** The row to which the handle is dragged. */
  fillTo: number | undefined
  open: ReadonlySet<string>
  /** Text for screen readers; counted so that repeated text is announced again. */
  announcement: { text: string; count: number }
}

const atStart: GridState = {
  selection: selectionAt({ row: 0, column: 0 }),
  editing: undefined,
  fillTo: undefined,
  open: new Set(),
  announcement: { text: '', count: 0 },
}

/** A row's selection and editing marks; `readMarks` parses them from the string that `marks` returns. */
export type RowMarks = {
  from: number
  to: number
  active: number
  editing: number
  handle: number
  filling: boolean
}

/** Selection, editing, and visible columns of a sheet, outside React. */
export class Grid implements RowPanels {
  readonly sheet: Sheet
  readonly #listeners = new Set<() => void>()
  #columns: readonly GridColumn[]
  #state = atStart
  /** Rows per page, for PageUp and PageDown. */
  pageRows = 20
  /** Focuses the grid's element, once it is rendered. */
  focus: () => void = () => undefined

  constructor(sheet: Sheet, columns: readonly GridColumn[]) {
    this.sheet = sheet
    this.#columns = columns
    sheet.subscribe(() => this.#fit())
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly state = (): GridState => this.#state

  get columns(): readonly GridColumn[] {
    return this.#columns
  }

  showColumns(columns: readonly GridColumn[]): void {
    const { anchor } = this.#state.selection
    const key = this.#columns[anchor.column]?.key
    const column = Math.max(
      0,
      columns.findIndex((one) => one.key === key),
    )
    this.#columns = columns
    this.#change({ selection: selectionAt({ row: anchor.row, column }), editing: undefined })
  }

  size(): GridSize {
    return { rows: this.sheet.view().ids.length, columns: this.#columns.length }
  }

  range(): CellRange {
    return rangeOf(this.#state.selection)
  }

  idAt(row: number): string | undefined {
    return this.sheet.view().ids[row]
  }

  textAt = (row: number, column: number): string => {
    const field = this.#columns[column]?.field
    const record = this.sheet.row(this.idAt(row) ?? '')
    return record && field !== undefined ? textOf(record, field) : ''
  }

  problemAt({ row, column }: CellAddress): string | undefined {
    const field = this.#columns[column]?.field
    const record = this.sheet.row(this.idAt(row) ?? '')
    return record && field !== undefined ? problemOf(record, field) : undefined
  }

  /** A row's marks as a string, so that the row rerenders only if they change. */
  readonly marks = (row: number): string => {
    const { selection, editing, fillTo } = this.#state
    const { top, bottom, left, right } = this.range()
    const inside = row >= top && row <= bottom
    const filling = fillTo !== undefined && ((row > bottom && row <= fillTo) || (row < top && row >= fillTo))
    const marked = inside || filling
    return [
      marked ? left : -1,
      marked ? right : -1,
      selection.anchor.row === row ? selection.anchor.column : -1,
      editing?.row === row ? editing.column : -1,
      row === bottom ? right : -1,
      filling ? 1 : 0,
    ].join()
  }

  select(selection: Selection): void {
    this.#change({ selection: clampSelection(selection, this.size()), editing: undefined })
  }

  selectCell(cell: CellAddress, extend = false): void {
    this.select(extend ? { anchor: this.#state.selection.anchor, head: cell } : selectionAt(cell))
  }

  move(step: Step, extend = false): void {
    this.#change({ selection: moveSelection(this.#state.selection, step, this.size(), extend) })
    this.#sayProblem()
  }

  /** Returns false at either end, where Tab should leave the grid. */
  tab(back: boolean): boolean {
    const target = tabTarget(this.#state.selection, this.size(), back)
    if (target) this.selectCell(target)
    return target !== undefined
  }

  /** Edits the active cell, starting with its text or with `typed` instead. */
  startEditing(typed?: string): boolean {
    const { anchor } = this.#state.selection
    const id = this.idAt(anchor.row)
    if (!isEditable(this.#columns[anchor.column]) || id === undefined) return false
    const text = typed ?? this.textAt(anchor.row, anchor.column)
    this.#change({ editing: { ...anchor, id, text, mode: typed === undefined ? 'edit' : 'type' } })
    return true
  }

  stopEditing(): void {
    if (this.#state.editing) this.#change({ editing: undefined })
  }

  /** Sorts by a column, in turn low to high, high to low, and not at all. */
  sortBy({ key, label, field }: GridColumn): void {
    if (field === undefined) return
    const order = nextOrder(this.sheet.view().order, field)
    this.sheet.sort(order)
    // Show the top of the list, which is what people sort for.
    this.selectCell({ row: 0, column: this.#columns.findIndex((column) => column.key === key) })
    const direction = order?.descending ? 'high to low' : 'low to high'
    this.announce(order ? `Sorted by ${label}, ${direction}` : 'Back to the original order')
  }

  dragFill(fillTo: number | undefined): void {
    this.#change({ fillTo })
  }

  isOpen(id: string): boolean {
    return this.#state.open.has(id)
  }

  toggle(id: string): void {
    const open = new Set(this.#state.open)
    if (!open.delete(id)) open.add(id)
    this.#change({ open })
  }

  announce(text: string): void {
    this.#change({ announcement: { text, count: this.#state.announcement.count + 1 } })
  }

  #sayProblem(): void {
    const problem = this.problemAt(this.#state.selection.head)
    if (problem !== undefined) this.announce(problem)
  }

  /** After rows changed: fixes the selection, and keeps the edited cell with its row. */
  #fit(): void {
    const { selection, editing, open } = this.#state
    const closed = [...open].filter((id) => this.sheet.row(id) === undefined)
    const part: Partial<GridState> = {}
    if (closed.length > 0) part.open = new Set([...open].filter((id) => !closed.includes(id)))
    if (editing && this.idAt(editing.row) !== editing.id) {
      const row = this.sheet.view().ids.indexOf(editing.id)
      part.editing = row === -1 ? undefined : { ...editing, row }
      if (row !== -1) part.selection = selectionAt({ row, column: editing.column })
    }
    const fitting = clampSelection(part.selection ?? selection, this.size())
    if (fitting.anchor.row !== selection.anchor.row || fitting.head.row !== selection.head.row) {
      part.selection = fitting
    }
    if (Object.keys(part).length > 0) this.#change(part)
  }

  #change(part: Partial<GridState>): void {
    this.#state = { ...this.#state, ...part }
    this.sheet.hold(this.#state.editing?.id)
    for (const listener of this.#listeners) listener()
  }
}

export function readMarks(marks: string): RowMarks {
  const [from = -1, to = -1, active = -1, editing = -1, handle = -1, filling = 0] = marks
    .split(',')
    .map(Number)
  return { from, to, active, editing, handle, filling: filling === 1 }
}

export const useSheetView = (sheet: Sheet): SheetView => useSyncExternalStore(sheet.subscribe, sheet.view)

export const useSheetRow = (sheet: Sheet, id: string): SheetRow | undefined =>
  useSyncExternalStore(sheet.subscribe, () => sheet.row(id))

export const useGridState = (grid: Grid): GridState => useSyncExternalStore(grid.subscribe, grid.state)

export const useRowMarks = (grid: Grid, row: number): string =>
  useSyncExternalStore(grid.subscribe, () => grid.marks(row))
