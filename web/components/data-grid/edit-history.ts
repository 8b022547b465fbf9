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
