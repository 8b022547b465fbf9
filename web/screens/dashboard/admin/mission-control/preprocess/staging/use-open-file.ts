import { useState } from 'react'
import { notifyProblem } from '#web/components/toasts.tsx'
import { textOfDraft } from './save-staged.ts'
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
  /** The text stands as this version. */
  const settle = ({ contents, ...saved }: StagedName & { version: number; contents: string }) => {
    const { length: rows } = JSON.parse(contents) as unknown[]
    setOpen({ ...saved, rows, kind: 'text', contents })
    if (draft.mode === 'csv') draft.sheet.settle()
    // What was written while it was being saved is not saved yet.
    setDraft((now) => ({ ...now, isChanged: now.mode === 'json' && now.text.read() !== contents }))
  }
  return { open, draft, setDraft, shownAs, show, switchTo, settle }
}

export const isChanged = (draft: Draft): boolean =>
  draft.isChanged || (draft.mode === 'csv' && draft.sheet.sheet.view().changed > 0)

/** The same rows in the other editor; a sentence where they cannot be. */
function turned(draft: Draft, mode: DraftMode): Draft | string {
  const text = textOfDraft(draft)
  return mode === 'csv' ? gridDraft(text, isChanged(draft)) : jsonDraft(text, isChanged(draft))
}
