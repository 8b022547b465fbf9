/**
 * A row with its unsaved changes, and how they merge with other users' changes. Every value is text; a change keeps the
 * value it replaced (`base`), which the three-way merge needs.
 */

export type Values = Readonly<Record<string, string>>
type Pending = { base: string; mine: string }
export type Sentences = Readonly<Record<string, string>>

export type ServerRow = { id: string; version: number; values: Values }

export type SheetRow = ServerRow & {
  pending: Readonly<Record<string, Pending>>
  /** Problems found by our own rules, by field. */
  broken: Sentences
  /** Problems the server reported, by field. */
  refused: Sentences
  /** The server's errors for the whole row. */
  errors: readonly string[]
}

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

export const changesOf = (row: SheetRow): Values =>
  Object.fromEntries(Object.entries(row.pending).map(([field, { mine }]) => [field, mine]))

/** Fields that another user changed to a different value. */
export const conflictsOf = (row: SheetRow): string[] =>
  Object.entries(row.pending).flatMap(([field, { base }]) =>
    base === (row.values[field] ?? '') ? [] : field,
  )

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
 * Writes cells. A value equal to the server's is not a change. Undo passes the earlier `base`; otherwise a change keeps
 * the base it started with.
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
 * Three-way merge: the server's current row with the unsaved changes on top. Changes that both made alike are dropped,
 * changes of only one side are kept, and different ones are a conflict (`conflictsOf`) until the user chooses.
 */
export function rebaseRow(row: SheetRow, current: ServerRow, check: CheckValues): SheetRow {
  const left = Object.entries(row.pending).filter(
    ([field, { mine }]) => mine !== (current.values[field] ?? ''),
  )
  return recheckRow({ ...row, ...current, pending: Object.fromEntries(left) }, check)
}

/**
 * The row after `sent` was saved. Changes made in the meantime stay unsaved, even if a value went back to what it was
 * before. The server may have normalized a value.
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

/**
 * The row after the server refused it. Errors with a field are shown at its cell and not again for the row. A row
 * without changes ignores the refusal.
 */
export function refuseRow(row: SheetRow, errors: readonly string[], fields: Sentences = {}): SheetRow {
  if (!isChanged(row)) return row
  return { ...row, refused: fields, errors: Object.keys(fields).length > 0 ? [] : errors }
}

/** A cell's text, and the base if it was unsaved. */
export type CellState = { text: string; base?: string | undefined }
export type CellEdit = { id: string; field: string; before: CellState; after: CellState }

export type EditStep = { label: string; edits: readonly CellEdit[] }
export type EditHistory = { done: readonly EditStep[]; undone: readonly EditStep[] }

export const emptyHistory: EditHistory = { done: [], undone: [] }

// More than anyone undoes one by one; a paste over thousands of cells is a single step.
const STEPS_LIMIT = 200

export function recordStep(history: EditHistory, step: EditStep): EditHistory {
  return { done: [...history.done, step].slice(-STEPS_LIMIT), undone: [] }
}

type HistoryMove = { history: EditHistory; step: EditStep } | undefined

export function undoStep({ done, undone }: EditHistory): HistoryMove {
  const step = done.at(-1)
  return step && { history: { done: done.slice(0, -1), undone: [...undone, step] }, step }
}

export function redoStep({ done, undone }: EditHistory): HistoryMove {
  const step = undone.at(-1)
  return step && { history: { done: [...done, step], undone: undone.slice(0, -1) }, step }
}

/** After a save the old base values are outdated: undo then creates a new change to the saved row. */
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
