import { type RowOrder, sortRows } from './row-order.ts'
import {
  type CellEdit,
  type CellState,
  type CheckValues,
  cellState,
  conflictsOf,
  type EditStep,
  emptyHistory,
  hasProblems,
  isChanged,
  rebaseRow,
  recheckRow,
  recordStep,
  redoStep,
  refuseRow,
  type Sentences,
  type ServerRow,
  type SheetRow,
  saveRow,
  settleHistory,
  toSheetRow,
  undoStep,
  type Values,
  writeCells,
} from './sheet-row.ts'

export type RowFilter = 'all' | 'wrong' | 'changed'

const keeps: Record<RowFilter, (row: SheetRow) => boolean> = {
  all: () => true,
  wrong: hasProblems,
  changed: isChanged,
}

/** Tracks which rows are changed, wrong, or in conflict: counting thousands of rows after every edit is too slow. */
class RowTally {
  readonly changed = new Set<string>()
  readonly wrong = new Set<string>()
  readonly conflicts = new Set<string>()

  put(row: SheetRow): void {
    this.drop(row.id)
    if (isChanged(row)) this.changed.add(row.id)
    if (hasProblems(row)) this.wrong.add(row.id)
    if (conflictsOf(row).length > 0) this.conflicts.add(row.id)
  }

  drop(id: string): void {
    for (const counted of [this.changed, this.wrong, this.conflicts]) counted.delete(id)
  }
}

/** The sheet's rows and counts; a new object after every change. */
export type SheetView = {
  ids: readonly string[]
  filter: RowFilter
  order: RowOrder | undefined
  loaded: number
  changed: number
  wrong: number
  conflicts: number
  canUndo: boolean
  canRedo: boolean
}

export type FieldWrite = { id: string; field: string; text: string }

export type RowOutcome = { id: string } & (
  | { kind: 'saved'; sent: Values; current: ServerRow }
  | { kind: 'stale'; current: ServerRow }
  | { kind: 'refused'; errors: readonly string[]; fields: Sentences }
)

export type SheetRules = {
  check: CheckValues
  /** A value as it is stored: the price "$1,299.5" becomes "1299.50". */
  normalise: (field: string, text: string) => string
  /** Rows that no filter shows, such as deleted ones; a change or its undo can hide and show them. */
  isHidden?: (row: SheetRow) => boolean
}

/**
 * The loaded rows with their unsaved changes, outside React, so that a change of one cell rerenders only its row. Rows
 * are immutable: the same object means no change.
 */
export class Sheet {
  readonly #rules: SheetRules
  readonly #rows = new Map<string, SheetRow>()
  readonly #tally = new RowTally()
  readonly #listeners = new Set<() => void>()
  readonly #followers = new Set<(ids: readonly string[]) => void>()
  /** As loaded. */
  #order: string[] = []
  /** As sorted when the order was chosen or rows were loaded: a row must not jump away while it is edited. */
  #sorted: readonly string[] = []
  #shown: readonly string[] = []
  #filter: RowFilter = 'all'
  #sortedBy: RowOrder | undefined
  #held: string | undefined
  #history = emptyHistory
  #view: SheetView | undefined

  constructor(rules: SheetRules) {
    this.#rules = rules
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls `follower` with the ids of changed rows, for keeping a copy of them. */
  follow(follower: (ids: readonly string[]) => void): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }

  readonly row = (id: string): SheetRow | undefined => this.#rows.get(id)

  readonly view = (): SheetView => {
    this.#view ??= this.#makeView()
    return this.#view
  }

  /** All rows but hidden ones, in the order they were loaded, whatever is shown. */
  rowsAsLoaded(): SheetRow[] {
    return this.#rowsOf(this.#order).filter((row) => !this.#isHidden(row))
  }

  changedRows(): SheetRow[] {
    return this.#rowsOf(this.#order.filter((id) => this.#tally.changed.has(id)))
  }

  /** Appends the server's rows or replaces the current ones. Unsaved rows stay, at the top. */
  load(rows: readonly ServerRow[], how: 'replace' | 'append'): void {
    const isKept = (id: string) => this.#tally.changed.has(id) || id === this.#held
    const kept = how === 'append' ? this.#order : this.#order.filter(isKept)
    for (const fresh of rows) {
      const known = this.#rows.get(fresh.id)
      // Ignore a response older than what is known, for example from a save.
      if (known && fresh.version < known.version) continue
      this.#put(known && isChanged(known) ? rebaseRow(known, fresh, this.#rules.check) : toSheetRow(fresh))
    }
    this.#order = [...new Set([...kept, ...rows.map(({ id }) => id)])]
    const staying = new Set(this.#order)
    for (const id of this.#rows.keys()) if (!staying.has(id)) this.#drop(id)
    this.#resort()
    this.#notify(rows.map(({ id }) => id))
  }

  /** Keeps a row while it is edited, whatever is loaded: its text is nowhere else yet. */
  hold(id: string | undefined): void {
    this.#held = id
  }

  /** Puts unsaved rows from an earlier visit on top of the loaded ones. */
  restore(rows: readonly SheetRow[]): void {
    const missing = rows.filter(({ id }) => {
      const known = this.#rows.get(id)
      return known === undefined || !isChanged(known)
    })
    for (const row of missing) {
      const known = this.#rows.get(row.id)
      this.#put(rebaseRow(row, known ?? row, this.#rules.check))
    }
    this.#order = [...new Set([...missing.map(({ id }) => id), ...this.#order])]
    this.#resort()
    this.#notify(missing.map(({ id }) => id))
  }

  /** Makes one undo step. Returns the number of changed cells. */
  edit(label: string, writes: readonly FieldWrite[]): number {
    const edits = writes.flatMap(({ id, field, text }): CellEdit[] => {
      const row = this.#rows.get(id)
      const after = { text: this.#rules.normalise(field, text) }
      if (!row || cellState(row, field).text === after.text) return []
      return [{ id, field, before: cellState(row, field), after }]
    })
    this.#record({ label, edits })
    return edits.length
  }

  resolve(id: string, choices: Readonly<Record<string, 'mine' | 'theirs' | { text: string }>>): void {
    const row = this.#rows.get(id)
    if (!row) return
    const edits = Object.entries(choices).map(([field, choice]): CellEdit => {
      const theirs = row.values[field] ?? ''
      const before = cellState(row, field)
      if (choice === 'theirs') return { id, field, before, after: { text: theirs } }
      const text = choice === 'mine' ? before.text : this.#rules.normalise(field, choice.text)
      return { id, field, before, after: { text, base: theirs } }
    })
    this.#record({ label: 'Resolve', edits })
  }

  discard(rows: readonly SheetRow[] = this.changedRows()): void {
    const edits = rows.flatMap((row) =>
      Object.keys(row.pending).map((field): CellEdit => {
        const after = { text: row.values[field] ?? '' }
        return { id: row.id, field, before: cellState(row, field), after }
      }),
    )
    this.#record({ label: 'Discard', edits })
  }

  lastStep(): EditStep | undefined {
    return this.#history.done.at(-1)
  }

  undo(): EditStep | undefined {
    return this.#move(undoStep, 'before')
  }

  redo(): EditStep | undefined {
    return this.#move(redoStep, 'after')
  }

  settle(outcomes: readonly RowOutcome[]): void {
    const saved = new Set<string>()
    for (const outcome of outcomes) {
      const row = this.#rows.get(outcome.id)
      if (!row) continue
      if (outcome.kind === 'saved') saved.add(outcome.id)
      this.#put(this.#settled(row, outcome))
    }
    if (saved.size > 0) this.#history = settleHistory(this.#history, saved)
    this.#notify(outcomes.map(({ id }) => id))
  }

  /** Checks these rows again after the rules have changed. */
  recheck(ids: readonly string[]): void {
    for (const id of ids) {
      const row = this.#rows.get(id)
      if (row) this.#put(recheckRow(row, this.#rules.check))
    }
    this.#notify(ids)
  }

  /** Sorts what is shown. An edited row keeps its place until the order is chosen again. */
  sort(order: RowOrder | undefined): void {
    this.#sortedBy = order
    this.#resort()
    this.#notify([])
  }

  /** A fixed row stays visible until the filter is chosen again. */
  show(filter: RowFilter): void {
    this.#filter = filter
    this.#refilter()
    this.#notify([])
  }

  #settled(row: SheetRow, outcome: RowOutcome): SheetRow {
    if (outcome.kind === 'refused') return refuseRow(row, outcome.errors, outcome.fields)
    if (outcome.kind === 'stale') return rebaseRow(row, outcome.current, this.#rules.check)
    return saveRow(row, outcome.sent, outcome.current, this.#rules.check)
  }

  #record(step: EditStep): void {
    if (step.edits.length === 0) return
    this.#history = recordStep(this.#history, step)
    this.#write(step.edits, 'after')
  }

  /** Skips steps of rows that are no longer loaded. */
  #move(take: typeof undoStep, side: 'before' | 'after'): EditStep | undefined {
    const taken = take(this.#history)
    if (!taken) return undefined
    this.#history = taken.history
    const edits = taken.step.edits.filter(({ id }) => this.#rows.has(id))
    if (edits.length === 0) return this.#move(take, side)
    this.#write(edits, side)
    return { ...taken.step, edits }
  }

  #write(edits: readonly CellEdit[], side: 'before' | 'after'): void {
    const cells = new Map<string, Record<string, CellState>>()
    for (const edit of edits) {
      const ofRow = cells.get(edit.id) ?? {}
      ofRow[edit.field] = edit[side]
      cells.set(edit.id, ofRow)
    }
    let visibilityChanged = false
    for (const [id, states] of cells) {
      const row = this.#rows.get(id)
      if (!row) continue
      const written = writeCells(row, states, this.#rules.check)
      visibilityChanged ||= this.#isHidden(row) !== this.#isHidden(written)
      this.#put(written)
    }
    if (visibilityChanged) this.#refilter()
    this.#notify([...cells.keys()])
  }

  #put(row: SheetRow): void {
    this.#rows.set(row.id, row)
    this.#tally.put(row)
  }

  #drop(id: string): void {
    this.#rows.delete(id)
    this.#tally.drop(id)
  }

  #rowsOf(ids: readonly string[]): SheetRow[] {
    return ids.flatMap((id) => this.#rows.get(id) ?? [])
  }

  #resort(): void {
    const order = this.#sortedBy
    this.#sorted = order ? sortRows(this.#rowsOf(this.#order), order).map(({ id }) => id) : this.#order
    this.#refilter()
  }

  #refilter(): void {
    this.#shown = this.#sorted.filter((id) => {
      const row = this.#rows.get(id)
      return row !== undefined && !this.#isHidden(row) && keeps[this.#filter](row)
    })
  }

  #isHidden(row: SheetRow): boolean {
    return this.#rules.isHidden?.(row) ?? false
  }

  #makeView(): SheetView {
    return {
      ids: this.#shown,
      filter: this.#filter,
      order: this.#sortedBy,
      loaded: this.#rows.size,
      changed: this.#tally.changed.size,
      wrong: this.#tally.wrong.size,
      conflicts: this.#tally.conflicts.size,
      canUndo: this.#history.done.length > 0,
      canRedo: this.#history.undone.length > 0,
    }
  }

  #notify(ids: readonly string[]): void {
    this.#view = undefined
    for (const follower of this.#followers) follower(ids)
    for (const listener of this.#listeners) listener()
  }
}
