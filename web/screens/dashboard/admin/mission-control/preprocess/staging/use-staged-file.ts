import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#web/api/failures.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'
import { readFile, readWindow } from './read-file.ts'
import { type Save, type Saved, saveStaged, textOfDraft } from './save-file.ts'
import {
  asJsonPath,
  type Draft,
  type DraftMode,
  draftOf,
  gridDraft,
  isCsvPath,
  jsonDraft,
  newFile,
  type OpenFile,
} from './staged-file.ts'
import type { StagedName } from './staging-calls.ts'
import { useRefreshStaging } from './staging-calls.ts'
import type { StagingPlace } from './use-staging-place.ts'
import { withoutLosing } from './without-losing.ts'

export const PATH_NEEDED = 'Enter a staging file path first'

/** What stands open in the editor, how it gets there and how it is saved. */
export function useStagedFile(place: StagingPlace) {
  const [open, setOpen] = useState<OpenFile>(() => newFile(place))
  const [draft, setDraft] = useState<Draft>(() => draftOf(open, 'json'))
  /** Another one for each file that is shown, so that the editor begins anew. */
  const [shownAs, setShownAs] = useState(0)
  const [stale, setStale] = useState<Save>()
  const refresh = useRefreshStaging()

  const show = (file: OpenFile, mode: DraftMode) => {
    setOpen(file)
    setDraft(draftOf(file, mode))
    setShownAs((count) => count + 1)
    setStale(undefined)
  }
  const loading = useMutation({
    mutationFn: ({ from, ...name }: StagedName & { from?: number }) =>
      from === undefined ? readFile(name) : readWindow(name, from),
    onSuccess: (file, { path }) => {
      show(file, isCsvPath(path) ? 'csv' : draft.mode)
      place.setPath(file.path)
      place.keep(file.root, file.path)
    },
    onError: (error) => notifyProblem(failureWords(error, 'Failed to load'), { about: 'staging' }),
  })
  const saving = useMutation({
    mutationFn: saveStaged,
    onSuccess: (saved, save) => {
      notifyDone(`Saved as version ${saved.version}`, { about: 'staging' })
      refresh()
      place.keep(save.root, saved.path)
      place.setPath(saved.path)
      settle(saved, save)
    },
    onError: (error, save) => {
      if (error instanceof ApiError && error.code === 'STALE') setStale(save)
      else notifyProblem(failureWords(error, 'Failed to save'), { about: 'staging' })
    },
  })
  const settle = (saved: Saved, save: Save) => {
    setStale(undefined)
    const { root, path } = { ...save, ...saved }
    // Only the server knows the ids and places of the rows that a patch added.
    if (saved.contents === undefined || open.kind === 'window') {
      return loading.mutate({ root, path, from: open.kind === 'window' ? open.from : 0 })
    }
    setOpen({ root, path, version: saved.version, rows: open.rows, kind: 'text', contents: saved.contents })
    if (save.draft.mode === 'csv') save.draft.sheet.settle()
    // What was written while it was being saved is not saved yet.
    setDraft((now) => ({ ...now, isChanged: now.mode === 'json' && now.text.read() !== saved.contents }))
  }
  const load = (name: StagedName) => {
    if (name.path.trim() === '') return notifyProblem(PATH_NEEDED, { about: 'staging' })
    void withoutLosing(isChanged(draft), () => loading.mutate(name))
  }
  const save = async () => {
    const name = { root: place.root, path: asJsonPath(place.path.trim()) }
    if (name.path === '') return notifyProblem(PATH_NEEDED, { about: 'staging' })
    if (saving.isPending) return
    const isOpen = name.root === open.root && name.path === open.path && open.version !== undefined
    if (!isOpen && !(await mayReplace(name))) return
    saving.mutate({ ...name, draft, kind: open.kind, version: isOpen ? open.version : undefined })
  }
  const switchTo = (mode: DraftMode) => {
    if (mode === draft.mode) return
    const next = turned(draft, mode)
    if (typeof next === 'string') return notifyProblem(next, { about: 'staging' })
    setDraft(next)
    setShownAs((count) => count + 1)
  }
  return { switchTo, open, draft, setDraft, shownAs, stale, setStale, load, loading, save, saving }
}

export type StagedFileDesk = ReturnType<typeof useStagedFile>

export const isChanged = (draft: Draft): boolean =>
  draft.isChanged || (draft.mode === 'csv' && draft.sheet.sheet.view().changed > 0)

/** The same rows in the other editor; a sentence where they cannot be. */
function turned(draft: Draft, mode: DraftMode): Draft | string {
  const text = textOfDraft(draft)
  return mode === 'csv' ? gridDraft(text, isChanged(draft)) : jsonDraft(text, isChanged(draft))
}

/** Saving under another path must not replace somebody's rows unawares. */
async function mayReplace(name: StagedName): Promise<boolean> {
  const there = await readWindow(name, 0).catch(() => undefined)
  if (!there) return true
  return askToConfirm({
    title: `Replace the rows of ${there.path}?`,
    text: `There is such a file already, at version ${there.version}. What you see here becomes its newest version; the earlier ones stay.`,
    confirm: 'Replace rows',
    destroys: true,
  })
}
