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
  keepMine,
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

/** Which of the loaded rows are shown. */
export type RowFilter = 'all' | 'wrong' | 'changed'

const keeps: Record<RowFilter, (row: SheetRow) => boolean> = {
  all: () => true,
  wrong: hasProblems,
  changed: isChanged,
}

/** Which rows are changed, wrong or in conflict, counted as they change: over thousands of rows a count would be felt. */
class RowTally {
  readonly changed = new Set<string>()
  readonly wrong = new Set<string>()
  readonly conflicts = new Set<string>()

  put(row: SheetRow): void {
    count(this.changed, row.id, isChanged(row))
    count(this.wrong, row.id, hasProblems(row))
    count(this.conflicts, row.id, conflictsOf(row).length > 0)
  }

  drop(id: string): void {
    for (const counted of [this.changed, this.wrong, this.conflicts]) counted.delete(id)
  }
}

function count(counted: Set<string>, id: string, belongs: boolean): void {
  if (belongs) counted.add(id)
  else counted.delete(id)
}

/** What a list of rows shows of the sheet; a new object after every change. */
export type SheetView = {
  ids: readonly string[]
  filter: RowFilter
  loaded: number
  changed: number
  wrong: number
  conflicts: number
  canUndo: boolean
  canRedo: boolean
}

export type FieldWrite = { id: string; field: string; text: string }

/** How a row came out of a save. */
export type Outcome = { id: string } & (
  | { kind: 'saved'; sent: Values; current: ServerRow }
  | { kind: 'stale'; current: ServerRow }
  | { kind: 'refused'; errors: readonly string[]; fields: Sentences }
)

export type SheetRules = {
  check: CheckValues
  /** A value as it is kept: "$1,299.5" of a price is "1299.50". */
  normalise: (field: string, text: string) => string
  /** Rows that no filter shows, such as deleted ones; they come and go with a change, and with its undo. */
  isHidden?: (row: SheetRow) => boolean
}

/**
 * The loaded rows and the changes that are not saved yet, outside React: a change of one cell is told to the row that
 * has it. Rows are never changed in place, so that a row which is the same object looks the same.
 */
export class Sheet {
  readonly #rules: SheetRules
  readonly #rows = new Map<string, SheetRow>()
  readonly #tally = new RowTally()
  readonly #listeners = new Set<() => void>()
  readonly #followers = new Set<(ids: readonly string[]) => void>()
  #order: string[] = []
  #shown: string[] = []
  #filter: RowFilter = 'all'
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

  /** Told which rows a change was about, for whoever keeps a copy of them. */
  follow(follower: (ids: readonly string[]) => void): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }

  readonly row = (id: string): SheetRow | undefined => this.#rows.get(id)

  readonly view = (): SheetView => {
    this.#view ??= this.#look()
    return this.#view
  }

  changedRows(): SheetRow[] {
    return this.#order.flatMap((id) => (this.#tally.changed.has(id) ? (this.#rows.get(id) ?? []) : []))
  }

  /** Rows as the server has them now: after those that are there, or in their place. Unsaved ones stay, on top. */
  load(rows: readonly ServerRow[], how: 'replace' | 'append'): void {
    const isKept = (id: string) => this.#tally.changed.has(id) || id === this.#held
    const kept = how === 'append' ? this.#order : this.#order.filter(isKept)
    for (const fresh of rows) {
      const known = this.#rows.get(fresh.id)
      // An older answer than what is known since, by a save for example, changes nothing.
      if (known && fresh.version < known.version) continue
      this.#put(known && isChanged(known) ? rebaseRow(known, fresh, this.#rules.check) : toSheetRow(fresh))
    }
    this.#order = [...new Set([...kept, ...rows.map(({ id }) => id)])]
    const staying = new Set(this.#order)
    for (const id of this.#rows.keys()) if (!staying.has(id)) this.#drop(id)
    this.#refilter()
    this.#tell(rows.map(({ id }) => id))
  }

  /** A row that is being written stays, whatever is loaded: the letters in it are nowhere else yet. */
  hold(id: string | undefined): void {
    this.#held = id
  }

  /** Unsaved rows of an earlier visit, on top of what is loaded. */
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
    this.#refilter()
    this.#tell(missing.map(({ id }) => id))
  }

  /** One step, which one undo takes back. Answers how many cells it changed. */
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

  /** Ends a conflict; it can be undone like any other step. */
  resolve(id: string, choices: Readonly<Record<string, 'mine' | 'theirs' | { text: string }>>): void {
    const row = this.#rows.get(id)
    if (!row) return
    const edits = Object.entries(choices).map(([field, choice]): CellEdit => {
      const theirs = row.values[field] ?? ''
      const before = cellState(row, field)
      if (choice === 'mine') return { id, field, before, after: keepMine(row, field) }
      if (choice === 'theirs') return { id, field, before, after: { text: theirs } }
      const text = this.#rules.normalise(field, choice.text)
      return { id, field, before, after: { text, base: theirs } }
    })
    this.#record({ label: 'Resolve', edits })
  }

  /** Every change of these rows is taken back, as one step. */
  discard(rows: readonly SheetRow[] = this.changedRows()): void {
    const edits = rows.flatMap((row) =>
      Object.keys(row.pending).map((field): CellEdit => {
        const after = { text: row.values[field] ?? '' }
        return { id: row.id, field, before: cellState(row, field), after }
      }),
    )
    this.#record({ label: 'Discard', edits })
  }

  /** The step that undo takes back. */
  lastStep(): EditStep | undefined {
    return this.#history.done.at(-1)
  }

  undo(): EditStep | undefined {
    return this.#turn(undoStep, 'before')
  }

  redo(): EditStep | undefined {
    return this.#turn(redoStep, 'after')
  }

  settle(outcomes: readonly Outcome[]): void {
    const saved = new Set<string>()
    for (const outcome of outcomes) {
      const row = this.#rows.get(outcome.id)
      if (!row) continue
      if (outcome.kind === 'saved') saved.add(outcome.id)
      this.#put(this.#settled(row, outcome))
    }
    if (saved.size > 0) this.#history = settleHistory(this.#history, saved)
    this.#tell(outcomes.map(({ id }) => id))
  }

  /** The rules know more of these rows than they did. */
  recheck(ids: readonly string[]): void {
    for (const id of ids) {
      const row = this.#rows.get(id)
      if (row) this.#put(recheckRow(row, this.#rules.check))
    }
    this.#tell(ids)
  }

  /** A row that is put right stays in sight until the filter is chosen again. */
  show(filter: RowFilter): void {
    this.#filter = filter
    this.#refilter()
    this.#tell([])
  }

  #settled(row: SheetRow, outcome: Outcome): SheetRow {
    if (outcome.kind === 'refused') return refuseRow(row, outcome.errors, outcome.fields)
    if (outcome.kind === 'stale') return rebaseRow(row, outcome.current, this.#rules.check)
    return saveRow(row, outcome.sent, outcome.current, this.#rules.check)
  }

  #record(step: EditStep): void {
    if (step.edits.length === 0) return
    this.#history = recordStep(this.#history, step)
    this.#write(step.edits, 'after')
  }

  /** Steps of rows that are no longer loaded are passed over. */
  #turn(turn: typeof undoStep, side: 'before' | 'after'): EditStep | undefined {
    const turned = turn(this.#history)
    if (!turned) return undefined
    this.#history = turned.history
    const edits = turned.step.edits.filter(({ id }) => this.#rows.has(id))
    if (edits.length === 0) return this.#turn(turn, side)
    this.#write(edits, side)
    return { ...turned.step, edits }
  }

  #write(edits: readonly CellEdit[], side: 'before' | 'after'): void {
    const cells = new Map<string, Record<string, CellState>>()
    for (const edit of edits) {
      const ofRow = cells.get(edit.id) ?? {}
      ofRow[edit.field] = edit[side]
      cells.set(edit.id, ofRow)
    }
    let comeOrGone = false
    for (const [id, states] of cells) {
      const row = this.#rows.get(id)
      if (!row) continue
      const written = writeCells(row, states, this.#rules.check)
      comeOrGone ||= this.#isHidden(row) !== this.#isHidden(written)
      this.#put(written)
    }
    if (comeOrGone) this.#refilter()
    this.#tell([...cells.keys()])
  }

  #put(row: SheetRow): void {
    this.#rows.set(row.id, row)
    this.#tally.put(row)
  }

  #drop(id: string): void {
    this.#rows.delete(id)
    this.#tally.drop(id)
  }

  #refilter(): void {
    this.#shown = this.#order.filter((id) => {
      const row = this.#rows.get(id)
      return row !== undefined && !this.#isHidden(row) && keeps[this.#filter](row)
    })
  }

  #isHidden(row: SheetRow): boolean {
    return this.#rules.isHidden?.(row) ?? false
  }

  #look(): SheetView {
    return {
      ids: this.#shown,
      filter: this.#filter,
      loaded: this.#rows.size,
      changed: this.#tally.changed.size,
      wrong: this.#tally.wrong.size,
      conflicts: this.#tally.conflicts.size,
      canUndo: this.#history.done.length > 0,
      canRedo: this.#history.undone.length > 0,
    }
  }

  #tell(ids: readonly string[]): void {
    this.#view = undefined
    for (const follower of this.#followers) follower(ids)
    for (const listener of this.#listeners) listener()
  }
}
