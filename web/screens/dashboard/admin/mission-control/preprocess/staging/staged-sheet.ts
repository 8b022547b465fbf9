import type { GridColumn } from '#web/components/data-grid/columns.ts'
import { Grid } from '#web/components/data-grid/grid.ts'
import { Sheet } from '#web/components/data-grid/sheet.ts'
import { changesOf, type SheetRow, textOf } from '#web/components/data-grid/sheet-row.ts'
import { cellText, type Fields, fieldOf, fieldsFrom } from './staged-cells.ts'

/** A row with its id in the grid. */
export type GridRow = { id: string; fields: Fields }

// Prefix of the file's columns, so that they cannot collide with the fields below.
const CELL = 'cell:'
const DELETED = 'deleted'
const YES = 'yes'
// A hidden row with the existing columns, so that deleting one can be undone like any other edit.
const COLUMNS = 'columns'
const SHOWN = 'shown'

const isDeleted = (row: SheetRow) => textOf(row, DELETED) === YES

/**
 * A staged file's rows in a grid. Rows and columns can be added and deleted, with undo. Values that cells cannot show
 * (nested values, nulls) are kept.
 */
export class StagedSheet {
  readonly sheet = new Sheet({
    check: () => ({}),
    normalise: (_field, text) => text,
    isHidden: (row) => row.id === COLUMNS || isDeleted(row),
  })
  readonly grid = new Grid(this.sheet, [])
  readonly #before = new Map<string, Fields>()
  readonly #numbers = new Map<string, number>()
  #names: string[]
  #added = 0
  #columns: { of: string; columns: readonly GridColumn[] } = { of: '', columns: [] }

  /** `first`: the number of rows in the file before these. */
  constructor(columns: readonly string[], rows: readonly GridRow[], first = 0) {
    this.#names = [...columns]
    const shown = Object.fromEntries(columns.map((name) => [CELL + name, SHOWN]))
    const loaded = rows.map(({ id, fields }, place) => {
      this.#before.set(id, fields)
      this.#numbers.set(id, first + place)
      return { id, version: 1, values: cellsOf(fields) }
    })
    this.sheet.load([{ id: COLUMNS, version: 1, values: shown }, ...loaded], 'replace')
  }

  names(): string[] {
    const row = this.sheet.row(COLUMNS)
    return this.#names.filter((name) => row && textOf(row, CELL + name) === SHOWN)
  }

  /** The same array until a column is added or deleted. */
  readonly columns = (): readonly GridColumn[] => {
    const names = this.names()
    const of = JSON.stringify(names)
    if (of !== this.#columns.of) this.#columns = { of, columns: names.map(columnOf) }
    return this.#columns.columns
  }

  addRow(): void {
    this.#added += 1
    const id = `new-${this.#added}`
    this.sheet.load([{ id, version: 1, values: { [DELETED]: YES } }], 'append')
    this.sheet.edit('Add row', [{ id, field: DELETED, text: '' }])
    const row = this.sheet.view().ids.indexOf(id)
    if (row >= 0) this.grid.selectCell({ row, column: this.grid.state().selection.anchor.column })
  }

  /** Deletes the selected rows. */
  deleteRows(): number {
    const { top, bottom } = this.grid.range()
    const ids = this.sheet.view().ids.slice(top, bottom + 1)
    return this.sheet.edit(
      'Delete row',
      ids.map((id) => ({ id, field: DELETED, text: YES })),
    )
  }

  addColumn(name: string): void {
    if (!this.#names.includes(name)) this.#names.push(name)
    this.sheet.edit('Add column', [{ id: COLUMNS, field: CELL + name, text: SHOWN }])
  }

  deleteColumns(names: readonly string[]): void {
    this.sheet.edit(
      'Delete column',
      names.map((name) => ({ id: COLUMNS, field: CELL + name, text: '' })),
    )
  }

  /** Names of the selected columns. */
  selectedColumns(): string[] {
    const { left, right } = this.grid.range()
    return this.grid.columns.slice(left, right + 1).flatMap(({ label, field }) => (field ? label : []))
  }

  /** All current rows in the file's order, without deleted ones. */
  rows(): Fields[] {
    return this.sheet.rowsAsLoaded().map((row) => this.#fieldsNow(row))
  }

  /** The changes to send if a file is saved cell by cell. */
  changes(): SheetChanges {
    const rows = this.sheet.changedRows().filter(({ id }) => id !== COLUMNS)
    const isNew = ({ id }: SheetRow) => !this.#before.has(id)
    return {
      deleted: rows
        .filter((row) => isDeleted(row) && !isNew(row))
        .map(({ id }) => ({ id, ...this.#place(id) })),
      added: rows.filter((row) => isNew(row) && !isDeleted(row)).map((row) => this.#fieldsNow(row)),
      cells: rows.filter((row) => !isNew(row) && !isDeleted(row)).flatMap((row) => this.#cellChanges(row)),
    }
  }

  /** The rows that a save starting now would send. */
  unsavedRows(): UnsavedRow[] {
    return this.sheet.changedRows().map((row) => ({ row, fields: this.#fieldsNow(row) }))
  }

  /** Marks these rows as saved; later changes stay unsaved. */
  settle(saved: readonly UnsavedRow[]): void {
    this.sheet.settle(
      saved.map(({ row, fields }) => {
        if (row.id !== COLUMNS) this.#before.set(row.id, fields)
        const sent = changesOf(row)
        const current = { id: row.id, version: row.version + 1, values: { ...row.values, ...sent } }
        return { id: row.id, kind: 'saved', sent, current }
      }),
    )
  }

  #place(id: string): { row?: number } {
    const row = this.#numbers.get(id)
    return row === undefined ? {} : { row }
  }

  #fieldsNow(row: SheetRow): Fields {
    const cells = new Map(this.names().map((name) => [name, textOf(row, CELL + name)]))
    return fieldsFrom(cells, this.#before.get(row.id) ?? {})
  }

  #cellChanges(row: SheetRow): SheetChanges['cells'] {
    const before = this.#before.get(row.id) ?? {}
    const now = this.#fieldsNow(row)
    return this.names().flatMap((field) => {
      const [old, value] = [fieldOf(before, field), fieldOf(now, field)]
      if (old === value) return []
      return { id: row.id, ...this.#place(row.id), field, old: old ?? null, new: value }
    })
  }
}

/** A changed row and its fields at the same moment. */
export type UnsavedRow = { row: SheetRow; fields: Fields }

export type SheetChanges = {
  deleted: { id: string; row?: number }[]
  added: Fields[]
  cells: { id: string; row?: number; field: string; old: unknown; new: unknown }[]
}

const cellsOf = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [CELL + name, cellText(value)]))

const decimalsOf: Readonly<Record<string, number>> = { partprice: 2, partshipping: 2 }

function columnOf(name: string): GridColumn {
  const decimals = Object.hasOwn(decimalsOf, name) ? decimalsOf[name] : undefined
  return {
    // Used in element ids, which cannot contain spaces.
    key: encodeURIComponent(name),
    field: CELL + name,
    label: name,
    width: Math.min(220, Math.max(96, 40 + name.length * 8)),
    editable: true,
    ...(decimals !== undefined && { decimals }),
  }
}
