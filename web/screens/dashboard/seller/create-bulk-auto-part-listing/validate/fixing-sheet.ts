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
  sameCells,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'

/** Joins the cell with the next one, separated by a space. The following cells move left. */
export function joinedWithNext(cells: readonly string[], at: number): string[] {
  const [one, next] = [cells[at] ?? '', cells[at + 1] ?? '']
  const joined = [one, next].filter((text) => text !== '').join(' ')
  return cells.toSpliced(at, 2, joined)
}

export const withCellInserted = (cells: readonly string[], at: number): string[] => cells.toSpliced(at, 0, '')

export const withCellRemoved = (cells: readonly string[], at: number): string[] => cells.toSpliced(at, 1)

/** Pads to one cell per column, and drops empty cells beyond them. */
export function fitted(cells: readonly string[], columns: number): string[] {
  let length = cells.length
  while (length > columns && (cells[length - 1] ?? '').trim() === '') length--
  return Array.from({ length: Math.max(length, columns) }, (_, at) => cells[at] ?? '')
}

/** The cells a check saw, and what it found. */
export type Verdict = { cells: readonly string[]; issues: readonly RowIssue[] }

/** The column index of a finding about the whole row. */
const WHOLE_ROW = -1

/** The findings that still apply, by column index. A changed cell counts as fixed until the next check. */
function currentFindings(
  { cells: checked, issues }: Verdict,
  now: readonly string[],
  headers: readonly string[],
): Map<number, string> {
  const findings = new Map<number, string>()
  for (const issue of issues) {
    const at = issue.column === '' ? WHOLE_ROW : findColumn(headers, issue.column)
    const applies =
      at === WHOLE_ROW ? appliesToRow(issue, checked, now, headers) : (now[at] ?? '') === (checked[at] ?? '')
    if (!applies) continue
    const before = findings.get(at)
    findings.set(at, before === undefined ? issue.message : `${before}; ${issue.message}`)
  }
  return findings
}

function appliesToRow(
  { column, code }: RowIssue,
  checked: readonly string[],
  now: readonly string[],
  headers: readonly string[],
): boolean {
  // The field has no column, so it cannot be fixed in the row.
  if (column !== '') return true
  if (sameCells(checked, now)) return true
  return code === 'TOO_MANY_CELLS' && now.length > headers.length
}

export type RowToFix = { row: number; cells: readonly string[]; verdict?: Verdict }

const CELL = 'cell:'
const LEFT_OUT = 'leftOut'
/** Missing cells are treated as empty. */
const FILLED = 'filled'
const YES = 'yes'

export const cellField = (at: number): string => `${CELL}${at}`

/** `unchecked`: the cells changed since the last check. */
export type RowState = 'leftOut' | 'wrong' | 'unchecked' | 'fine'

type Source = { headers: readonly string[]; rows: readonly RowToFix[]; edits: RowEdits }

/**
 * The failing rows of a file in a grid. A finding is shown at its cell until the cell changes. Leaving a row out is an
 * edit that can be undone like any other.
 */
export class FixingSheet {
  readonly sheet = new Sheet({
    check: (_changed, row) => this.#findings(row),
    normalise: (_field, text) => text,
  })
  readonly grid = new Grid(this.sheet, [])
  readonly headers: readonly string[]
  /** The largest number of cells in a row. */
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

  /** The number of extra cells in a row; negative if cells are missing. */
  cellsTooMany(id: string): number {
    const row = this.sheet.row(id)
    return row ? this.cellsOf(row).length - this.headers.length : 0
  }

  placeOf(field: string): number | undefined {
    return field.startsWith(CELL) ? Number(field.slice(CELL.length)) : undefined
  }

  rows(): SheetRow[] {
    return [...this.#before.keys()].flatMap((id) => this.sheet.row(id) ?? [])
  }

  /** The cells to send: those of the file, or the edited ones. */
  cellsOf(row: SheetRow): readonly string[] {
    const before = this.#before.get(row.id) ?? []
    const isWritten = Object.keys(row.pending).some((field) => field !== LEFT_OUT)
    if (!isWritten) return before
    // Cached: rows are immutable, and each keystroke asks for thousands of them.
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

  /** Changed rows that were not checked since. */
  uncheckedRows(): { row: number; cells: readonly string[] }[] {
    return this.sheet.changedRows().flatMap((row) => {
      const cells = this.cellsOf(row)
      const verdict = this.#verdicts.get(row.id)
      const isSeen = verdict && sameCells(verdict.cells, cells)
      return isSeen || this.stateOf(row) === 'leftOut' ? [] : { row: Number(row.id), cells }
    })
  }

  judge(verdicts: ReadonlyMap<number, Verdict>): void {
    for (const [row, verdict] of verdicts) this.#verdicts.set(String(row), verdict)
    this.sheet.recheck([...verdicts.keys()].map(String))
  }

  leaveOut(ids: readonly string[], isOut = true): number {
    const writes = ids.map((id) => ({ id, field: LEFT_OUT, text: isOut ? YES : '' }))
    return this.sheet.edit(isOut ? 'Leave out' : 'Put back', writes)
  }

  /** Treats the missing cells of short rows as empty. */
  fillUp(ids: readonly string[]): number {
    return this.sheet.edit(
      'Read as empty',
      ids.flatMap((id) => {
        const row = this.sheet.row(id)
        const isShort = row && this.cellsOf(row).length < this.headers.length
        return isShort ? { id, field: FILLED, text: YES } : []
      }),
    )
  }

  /** One undoable step. `undoReplace` returns false and does nothing if another step followed. */
  replace(writes: readonly FieldWrite[]): { changed: number; undoReplace: () => boolean } {
    const changed = this.sheet.edit('Replace', writes)
    const step = this.sheet.lastStep()
    const undoReplace = (): boolean => {
      const isLast = step !== undefined && this.sheet.lastStep() === step
      if (isLast) undo(this.grid)
      return isLast
    }
    return { changed, undoReplace }
  }

  /** Rewrites all cells of these rows as one step. */
  reshape(label: string, ids: readonly string[], shape: (cells: readonly string[]) => string[]): number {
    const writes = ids.flatMap((id): FieldWrite[] => {
      const row = this.sheet.row(id)
      if (!row) return []
      const cells = fitted(shape(this.cellsOf(row)), this.headers.length)
      // The last cell would be pushed out of the grid.
      if (cells.length > this.width) return []
      const written = Array.from({ length: this.width }, (_, at) => cells[at] ?? '')
      return written.map((text, at) => ({ id, field: cellField(at), text }))
    })
    return this.sheet.edit(label, writes)
  }

  /** The file's edits, updated with these rows. */
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
    const findings = currentFindings(verdict, this.cellsOf(row), this.headers)
    return Object.fromEntries([...findings].map(([at, sentence]) => [findingField(at), sentence]))
  }
}

/** Findings about the whole row belong to a field that has no column. */
const findingField = (at: number) => (at === WHOLE_ROW ? 'row' : cellField(at))
