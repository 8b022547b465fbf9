/**
 * A row with its unsaved changes, and how they meet what others changed meanwhile: pure. Every value is text; a change
 * remembers the value that its editor had found (`base`), so that base, mine and theirs can be told apart.
 */

export type Values = Readonly<Record<string, string>>
export type Pending = { base: string; mine: string }
export type Sentences = Readonly<Record<string, string>>

/** A row as the server has it. */
export type ServerRow = { id: string; version: number; values: Values }

export type SheetRow = ServerRow & {
  pending: Readonly<Record<string, Pending>>
  /** What the rules say of the row, by field. */
  broken: Sentences
  /** What the server said of them. */
  refused: Sentences
  /** What it said of the row as a whole. */
  errors: readonly string[]
}

/** What the rules say of these values, by field. */
export type CheckValues = (changed: Values, row: SheetRow) => Sentences

export const toSheetRow = (row: ServerRow): SheetRow => ({
  ...row,
  pending: {},
  broken: {},
  refused: {},
  errors: [],
})

export const textOf = (row: SheetRow, field: string): string =>
  row.pending[field]?.mine ?? row.values[field] ?? ''

export const isChanged = (row: SheetRow): boolean => Object.keys(row.pending).length > 0

/** The unsaved values alone. */
export const changesOf = (row: SheetRow): Values =>
  Object.fromEntries(Object.entries(row.pending).map(([field, { mine }]) => [field, mine]))

/** Fields that somebody else changed as well, to something else. */
export const conflictsOf = (row: SheetRow): string[] =>
  Object.entries(row.pending).flatMap(([field, { base }]) =>
    base === (row.values[field] ?? '') ? [] : field,
  )

/** What stands in the way of saving a cell. */
export const problemOf = (row: SheetRow, field: string): string | undefined =>
  row.broken[field] ?? row.refused[field]

export const hasProblems = (row: SheetRow): boolean =>
  row.errors.length > 0 ||
  Object.keys(row.broken).length > 0 ||
  Object.keys(row.refused).length > 0 ||
  conflictsOf(row).length > 0

export const cellState = (row: SheetRow, field: string): CellState => ({
  text: textOf(row, field),
  base: row.pending[field]?.base,
})

const without = (record: Sentences, field: string): Sentences => {
  const { [field]: _gone, ...rest } = record
  return rest
}

export const recheckRow = (row: SheetRow, check: CheckValues): SheetRow => ({
  ...row,
  broken: check(changesOf(row), row),
})

/**
 * Writes cells. A value that the server has already is no change. `base` is given where a state of before comes back;
 * else a change keeps the base that it began with.
 */
export function writeCells(
  row: SheetRow,
  cells: Readonly<Record<string, CellState>>,
  check: CheckValues,
): SheetRow {
  const pending = { ...row.pending }
  let { refused } = row
  for (const [field, { text, base }] of Object.entries(cells)) {
    const known = row.values[field] ?? ''
    if (text === known) delete pending[field]
    else pending[field] = { base: base ?? pending[field]?.base ?? known, mine: text }
    refused = without(refused, field)
  }
  return recheckRow({ ...row, pending, refused, errors: [] }, check)
}

/**
 * The three-way merge: the row as the server has it now, with the unsaved changes on top. What both changed alike is no
 * change any more; what only one of them changed stands; what both changed differently is a conflict (`conflictsOf`)
 * until somebody chooses.
 */
export function rebaseRow(row: SheetRow, current: ServerRow, check: CheckValues): SheetRow {
  const left = Object.entries(row.pending).filter(
    ([field, { mine }]) => mine !== (current.values[field] ?? ''),
  )
  return recheckRow({ ...row, ...current, pending: Object.fromEntries(left) }, check)
}

/**
 * The row after these values of it were saved. What was written meanwhile stays unsaved, on top of what is saved now,
 * also where a value went back to what it had been; the server may have spelled a value its own way.
 */
export function saveRow(row: SheetRow, sent: Values, current: ServerRow, check: CheckValues): SheetRow {
  const written = new Set([...Object.keys(row.pending), ...Object.keys(sent)])
  const left = [...written].filter((field) => textOf(row, field) !== sent[field])
  const pending = left.map((field) => {
    const known = field in sent ? current.values[field] : (row.pending[field]?.base ?? row.values[field])
    return [field, { base: known ?? '', mine: textOf(row, field) }] as const
  })
  return rebaseRow({ ...row, pending: Object.fromEntries(pending), refused: {}, errors: [] }, current, check)
}

/** Mine stays, on top of theirs. */
export function keepMine(row: SheetRow, field: string): CellState {
  return { text: textOf(row, field), base: row.values[field] ?? '' }
}

/**
 * The server refused the row. Sentences of fields stand at their cells, and need not be said of the row again; of a row
 * that turned out to be as it should be there is nothing to say.
 */
export function refuseRow(row: SheetRow, errors: readonly string[], fields: Sentences = {}): SheetRow {
  if (!isChanged(row)) return row
  return { ...row, refused: fields, errors: Object.keys(fields).length > 0 ? [] : errors }
}

/** What can be undone and done again: pure. */

/** A cell as it stood: its text, and for an unsaved one the value that its editor had found there. */
export type CellState = { text: string; base?: string | undefined }
export type CellEdit = { id: string; field: string; before: CellState; after: CellState }

/** Everything that one action changed. */
export type EditStep = { label: string; edits: readonly CellEdit[] }
export type EditHistory = { done: readonly EditStep[]; undone: readonly EditStep[] }

export const emptyHistory: EditHistory = { done: [], undone: [] }

// More than anybody takes back one by one; a paste over thousands of cells is one step of them.
const MOST_STEPS = 200

export function recordStep(history: EditHistory, step: EditStep): EditHistory {
  return { done: [...history.done, step].slice(-MOST_STEPS), undone: [] }
}

type Turned = { history: EditHistory; step: EditStep } | undefined

/** The last step, to be taken back; undefined where there is none. */
export function undoStep({ done, undone }: EditHistory): Turned {
  const step = done.at(-1)
  return step && { history: { done: done.slice(0, -1), undone: [...undone, step] }, step }
}

/** The step that was taken back last, to be done again. */
export function redoStep({ done, undone }: EditHistory): Turned {
  const step = undone.at(-1)
  return step && { history: { done: [...done, step], undone: undone.slice(0, -1) }, step }
}

/** After a save the values that editors had found no longer stand: going back makes a new change of what is saved. */
export function settleHistory(history: EditHistory, ids: ReadonlySet<string>): EditHistory {
  const settle = (step: EditStep): EditStep => ({
    ...step,
    edits: step.edits.map((edit) =>
      ids.has(edit.id)
        ? { ...edit, before: { text: edit.before.text }, after: { text: edit.after.text } }
        : edit,
    ),
  })
  return { done: history.done.map(settle), undone: history.undone.map(settle) }
}
