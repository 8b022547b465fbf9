import { useState } from 'react'
import { notifyProblem } from '#web/components/toasts.tsx'
import { type Save, type Saved, textOfDraft } from './save-staged.ts'
import {
  type Draft,
  type DraftMode,
  draftOf,
  gridDraft,
  jsonDraft,
  newFile,
  type OpenFile,
} from './staged-file.ts'
import type { StagedName } from './staging-calls.ts'

/** The file in the editor and what is changed of it, as text or as a grid. */
export function useOpenFile(first: StagedName) {
  const [open, setOpen] = useState<OpenFile>(() => newFile(first))
  const [draft, setDraft] = useState<Draft>(() => draftOf(open, 'json'))
  /** Another one for each file that is shown, so that the editor begins anew. */
  const [shownAs, setShownAs] = useState(0)
  const begin = (next: Draft) => {
    setDraft(next)
    setShownAs((count) => count + 1)
  }
  const show = (file: OpenFile, mode: DraftMode) => {
    setOpen(file)
    begin(draftOf(file, mode))
  }
  const switchTo = (mode: DraftMode) => {
    if (mode === draft.mode) return
    const next = turned(draft, mode)
    if (typeof next === 'string') notifyProblem(next, { about: 'staging' })
    else begin(next)
  }
  /** The text stands as this version. What was written while it was being saved is not saved yet. */
  const settle = ({ contents, rows, ...saved }: Saved & { contents: string }, save: Save) => {
    const { length } = JSON.parse(contents) as unknown[]
    setOpen({ ...saved, root: save.root, rows: length, kind: 'text', contents })
    const isSameGrid = draft.mode === 'csv' && save.draft.mode === 'csv' && draft.sheet === save.draft.sheet
    if (isSameGrid) draft.sheet.settle(rows)
    const differs = !isSameGrid && textOfDraft(draft) !== contents
    setDraft((now) => ({ ...now, isChanged: differs }))
  }
  return { open, draft, setDraft, shownAs, show, switchTo, settle }
}

export const isChanged = (draft: Draft): boolean =>
  draft.isChanged || (draft.mode === 'csv' && draft.sheet.sheet.view().changed > 0)

/** Changed, or about to be: a cell is open for writing. */
export const isTouched = (draft: Draft): boolean =>
  isChanged(draft) || (draft.mode === 'csv' && draft.sheet.grid.state().editing !== undefined)

/** The same rows in the other editor; a sentence where they cannot be. */
function turned(draft: Draft, mode: DraftMode): Draft | string {
  const text = textOfDraft(draft)
  return mode === 'csv' ? gridDraft(text, isChanged(draft)) : jsonDraft(text, isChanged(draft))
}
