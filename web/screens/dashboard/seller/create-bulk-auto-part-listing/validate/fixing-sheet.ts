import { findColumn } from '#contract/csv/csv-header.ts'
import type { RowIssue } from '#contract/imports.ts'
import { Grid } from '#web/components/data-grid/grid.ts'
import { undo } from '#web/components/data-grid/grid-edits.ts'
import { type FieldWrite, Sheet } from '#web/components/data-grid/sheet.ts'
import {
  hasProblems,
  isChanged,
  type Sentences,
  type SheetRow,
  textOf,
  toSheetRow,
} from '#web/components/data-grid/sheet-row.ts'
import {
  isLeftOut,
  type RowEdits,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'

/** Puts the cells of a row right that a mark too few or too much has moved: pure. Cells behind move along. */

/** The cell and the next one become one, with a blank between them. */
export function joinedWithNext(cells: readonly string[], at: number): string[] {
  const [one, next] = [cells[at] ?? '', cells[at + 1] ?? '']
  const joined = [one, next].filter((text) => text !== '').join(' ')
  return [...cells.slice(0, at), joined, ...cells.slice(at + 2)]
}

export const withCellInserted = (cells: readonly string[], at: number): string[] => [
  ...cells.slice(0, at),
  '',
  ...cells.slice(at),
]

export const withCellRemoved = (cells: readonly string[], at: number): string[] => [
  ...cells.slice(0, at),
  ...cells.slice(at + 1),
]

/** As many cells as there are columns; behind them only cells that say something. */
export function fitted(cells: readonly string[], columns: number): string[] {
  let length = cells.length
  while (length > columns && (cells[length - 1] ?? '').trim() === '') length--
  return Array.from({ length: Math.max(length, columns) }, (_, at) => cells[at] ?? '')
}

/** Cells as they were checked, and what was found. */
export type Verdict = { cells: readonly string[]; issues: readonly RowIssue[] }

/** Where a finding stands: at a cell, by the place of its column in the file, or at the row as a whole. */
const WHOLE_ROW = -1

const sameCells = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((cell, at) => cell === other[at])

/**
 * What a check found that still holds for these cells: a cell that was changed is not known to be wrong any more. By the
 * place of the column.
 */
function standingFindings(
  { cells: checked, issues }: Verdict,
  now: readonly string[],
  headers: readonly string[],
): Map<number, string> {
  const findings = new Map<number, string>()
  for (const issue of issues) {
    const at = issue.column === '' ? WHOLE_ROW : findColumn(headers, issue.column)
    const stands =
      at === WHOLE_ROW ? standsForRow(issue, checked, now, headers) : (now[at] ?? '') === (checked[at] ?? '')
    if (!stands) continue
    const before = findings.get(at)
    findings.set(at, before === undefined ? issue.message : `${before}; ${issue.message}`)
  }
  return findings
}

function standsForRow(
  { column, code }: RowIssue,
  checked: readonly string[],
  now: readonly string[],
  headers: readonly string[],
): boolean {
  // A value that no column gives cannot be given here.
  if (column !== '') return true
  if (sameCells(checked, now)) return true
  return code === 'TOO_MANY_CELLS' && now.length > headers.length
}

/** A row as it stands in the file; `verdict` where a check has seen it. */
export type RowToFix = { row: number; cells: readonly string[]; verdict?: Verdict }

const CELL = 'cell:'
const LEFT_OUT = 'leftOut'
/** Missing cells are taken as empty. */
const FILLED = 'filled'
const YES = 'yes'

export const cellField = (at: number): string => `${CELL}${at}`

/** What becomes of a row: `unchecked` since its cells are other ones than those that were checked. */
export type RowState = 'leftOut' | 'wrong' | 'unchecked' | 'fine'

type Source = { headers: readonly string[]; rows: readonly RowToFix[]; edits: RowEdits }

/**
 * Failing rows of a file in a grid. What a check found stands at its cell until the cell is another one; leaving a row
 * out is a step like any other, which undo takes back.
 */
export class FixingSheet {
  readonly sheet = new Sheet({
    check: (_changed, row) => this.#findings(row),
    normalise: (_field, text) => text,
  })
  readonly grid = new Grid(this.sheet, [])
  readonly headers: readonly string[]
  /** The most cells that a row has. */
  readonly width: number
  readonly #before = new Map<string, readonly string[]>()
  readonly #verdicts = new Map<string, Verdict>()
  readonly #written = new WeakMap<SheetRow, readonly string[]>()

  constructor({ headers, rows, edits }: Source) {
    this.headers = headers
    const longest = (cells: readonly string[] = []) => cells.length
    this.width = Math.max(
      headers.length,
      ...rows.map(({ row, cells }) => Math.max(longest(cells), longest(edits.get(row)))),
    )
    const loaded = rows.map(({ row, cells, verdict }) => {
      const id = String(row)
      this.#before.set(id, cells)
      if (verdict) this.#verdicts.set(id, verdict)
      return this.#loaded(id, cells, edits.get(row))
    })
    this.sheet.restore(loaded)
  }

  /** How many cells a row has too many; below zero, too few. */
  cellsTooMany(id: string): number {
    const row = this.sheet.row(id)
    return row ? this.cellsOf(row).length - this.headers.length : 0
  }

  /** The place of a field's column in the file. */
  placeOf(field: string): number | undefined {
    return field.startsWith(CELL) ? Number(field.slice(CELL.length)) : undefined
  }

  rows(): SheetRow[] {
    return [...this.#before.keys()].flatMap((id) => this.sheet.row(id) ?? [])
  }

  /** As they are sent: those of the file until one of them is changed. */
  cellsOf(row: SheetRow): readonly string[] {
    const before = this.#before.get(row.id) ?? []
    const isWritten = Object.keys(row.pending).some((field) => field !== LEFT_OUT)
    if (!isWritten) return before
    // A row is never changed in place, and thousands are asked for at every key.
    const known = this.#written.get(row)
    if (known) return known
    const cells = this.#writtenCells(row)
    this.#written.set(row, cells)
    return cells
  }

  #writtenCells(row: SheetRow): string[] {
    const cells = Array.from({ length: this.width }, (_, at) => textOf(row, cellField(at)))
    return fitted(cells, this.headers.length)
  }

  stateOf(row: SheetRow): RowState {
    if (textOf(row, LEFT_OUT) === YES) return 'leftOut'
    if (hasProblems(row)) return 'wrong'
    const verdict = this.#verdicts.get(row.id)
    return verdict && sameCells(verdict.cells, this.cellsOf(row)) ? 'fine' : 'unchecked'
  }

  /** Changed rows that no check has seen as they are now. */
  uncheckedRows(): { row: number; cells: readonly string[] }[] {
    return this.sheet.changedRows().flatMap((row) => {
      const cells = this.cellsOf(row)
      const verdict = this.#verdicts.get(row.id)
      const isSeen = verdict && sameCells(verdict.cells, cells)
      return isSeen || this.stateOf(row) === 'leftOut' ? [] : { row: Number(row.id), cells }
    })
  }

  /** What a check found of these cells. */
  judge(verdicts: ReadonlyMap<number, Verdict>): void {
    for (const [row, verdict] of verdicts) this.#verdicts.set(String(row), verdict)
    this.sheet.recheck([...verdicts.keys()].map(String))
  }

  leaveOut(ids: readonly string[], isOut = true): number {
    const writes = ids.map((id) => ({ id, field: LEFT_OUT, text: isOut ? YES : '' }))
    return this.sheet.edit(isOut ? 'Leave out' : 'Put back', writes)
  }

  /** Rows with too few cells are taken as they are, with empty ones behind. */
  fillUp(ids: readonly string[]): number {
    return this.sheet.edit(
      'Take as empty',
      ids.flatMap((id) => {
        const row = this.sheet.row(id)
        const isShort = row && this.cellsOf(row).length < this.headers.length
        return isShort ? { id, field: FILLED, text: YES } : []
      }),
    )
  }

  /** One step. `takeBack` is for this one alone: where another came after it, it does nothing and answers false. */
  replace(writes: readonly FieldWrite[]): { changed: number; takeBack: () => boolean } {
    const changed = this.sheet.edit('Replace', writes)
    const step = this.sheet.lastStep()
    const takeBack = (): boolean => {
      const isLast = step !== undefined && this.sheet.lastStep() === step
      if (isLast) undo(this.grid)
      return isLast
    }
    return { changed, takeBack }
  }

  /** Writes all cells of these rows, as one step. */
  reshape(label: string, ids: readonly string[], shape: (cells: readonly string[]) => string[]): number {
    const writes = ids.flatMap((id): FieldWrite[] => {
      const row = this.sheet.row(id)
      if (!row) return []
      const cells = fitted(shape(this.cellsOf(row)), this.headers.length)
      // There is no column left to move the last cell to.
      if (cells.length > this.width) return []
      const written = Array.from({ length: this.width }, (_, at) => cells[at] ?? '')
      return written.map((text, at) => ({ id, field: cellField(at), text }))
    })
    return this.sheet.edit(label, writes)
  }

  /** The edits after these rows were changed. */
  editsAfter(edits: RowEdits, ids: readonly string[]): RowEdits {
    const now = new Map(edits)
    for (const id of ids) {
      const row = this.sheet.row(id)
      if (!row || !isChanged(row)) now.delete(Number(id))
      else now.set(Number(id), this.stateOf(row) === 'leftOut' ? [] : this.cellsOf(row))
    }
    return now
  }

  #loaded(id: string, cells: readonly string[], edited: readonly string[] | undefined): SheetRow {
    const values = Object.fromEntries(cells.map((text, at) => [cellField(at), text]))
    const row = toSheetRow({ id, version: 1, values })
    const mine = (text: string) => ({ base: '', mine: text })
    if (edited === undefined) return row
    if (isLeftOut(edited)) return { ...row, pending: { [LEFT_OUT]: mine(YES) } }
    const changed = Array.from({ length: this.width }, (_, at) => at).filter(
      (at) => (edited[at] ?? '') !== (cells[at] ?? ''),
    )
    const pending = Object.fromEntries(
      changed.map((at) => [cellField(at), { base: cells[at] ?? '', mine: edited[at] ?? '' }]),
    )
    return { ...row, pending: changed.length > 0 ? pending : { [FILLED]: mine(YES) } }
  }

  #findings(row: SheetRow): Sentences {
    const verdict = this.#verdicts.get(row.id)
    if (!verdict || textOf(row, LEFT_OUT) === YES) return {}
    const standing = standingFindings(verdict, this.cellsOf(row), this.headers)
    return Object.fromEntries([...standing].map(([at, sentence]) => [findingField(at), sentence]))
  }
}

/** What is wrong with the row as a whole stands at a field that no column shows. */
const findingField = (at: number) => (at === WHOLE_ROW ? 'row' : cellField(at))
