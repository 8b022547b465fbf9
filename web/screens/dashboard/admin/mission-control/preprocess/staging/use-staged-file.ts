import { useMutation } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { useSearchParams } from 'react-router'
import { type StagingRoot, stagingRoots } from '#contract/admin/staging.ts'
import { ApiError } from '#web/api/failures.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import {
  isChanged,
  isTouched,
  readWindow,
  type Save,
  type Saved,
  saveStaged,
  useFileLoading,
  useOpenFile,
} from './open-file.ts'
import { asJsonPath, type Draft, isCsvPath } from './staged-file.ts'
import { type StagedName, useRefreshStaging } from './staging-calls.ts'

export const PATH_NEEDED = 'Enter a staging file path first'

const ONLY_PART = 'Only some rows of this file are loaded, so it can only be saved under its own path'

/** The file in the editor: loading, saving, and conflicts. */
export function useStagedFile(place: StagingPlace) {
  const file = useOpenFile(place)
  const { open, draft, show } = file
  const [stale, setStale] = useState<Save>()
  const refresh = useRefreshStaging()

  const loading = useFileLoading((read, { path, unlessTouched }) => {
    if (unlessTouched && isTouched(draft)) return
    setStale(undefined)
    show(read, isCsvPath(path) ? 'csv' : draft.mode)
    place.setPath(read.path)
    place.keep(read.root, read.path)
  })
  const saving = useMutation({
    mutationFn: saveStaged,
    onSuccess: (saved, save) => {
      notifyDone(`Saved as version ${saved.version}`, { about: 'staging' })
      refresh()
      // The user may have moved on to another file.
      if (save.open !== open) return
      place.keep(save.root, saved.path)
      place.setPath(saved.path)
      settle(saved, save)
    },
    onError: (error, save) => {
      const isStale = error instanceof ApiError && error.code === 'STALE'
      // Keeping one's own version can be stale again, or conflict with a changed cell.
      const asks = isStale && save.open === open
      if (!asks || stale) notifyProblem(failureWords(error, 'Failed to save'), { about: 'staging' })
      if (!asks) return
      setStale(stale ?? save)
      refresh()
    },
  })
  const settle = (saved: Saved, save: Save) => {
    setStale(undefined)
    const { contents } = saved
    if (contents !== undefined) return file.settle({ ...saved, contents }, save)
    // Only the server knows the ids and places of the rows that a patch added.
    if (open.kind === 'window' && !loading.isLoading()) {
      loading.start({ root: save.root, path: saved.path, from: open.from })
    }
  }
  const load = ({ root, path }: StagedName, from?: number) => {
    if (path.trim() === '') return notifyProblem(PATH_NEEDED, { about: 'staging' })
    const wanted = from === undefined ? { root, path } : { root, path, from }
    void confirmDiscard(isChanged(draft), () => loading.start(wanted))
  }
  /** After the server created a version. If it is not loaded, `NewerVersion` offers it. */
  const showNewest = ({ root, path }: StagedName, mayDropChanges = false) => {
    if (!loading.isLoading()) loading.start({ root, path, unlessTouched: !mayDropChanges })
  }
  const save = async () => {
    const name = { root: place.root, path: asJsonPath(place.path.trim()) }
    if (name.path === '') return notifyProblem(PATH_NEEDED, { about: 'staging' })
    if (saving.isPending) return
    const isOpen = name.root === open.root && name.path === open.path && open.version !== undefined
    if (!isOpen && open.kind === 'window') return notifyProblem(ONLY_PART, { about: 'staging' })
    if (!isOpen && !(await mayReplace(name))) return
    saving.mutate({ ...name, draft, open, version: isOpen ? open.version : undefined })
  }
  // The response would overwrite anything typed now.
  const isLocked =
    (loading.isPending && !loading.load?.unlessTouched) || (saving.isPending && open.kind === 'window')
  return { ...file, stale, setStale, load, loading, showNewest, save, saving, isLocked }
}

export type StagedFileDesk = ReturnType<typeof useStagedFile>

/** Saving under another path must not silently replace an existing file. */
async function mayReplace(name: StagedName): Promise<boolean> {
  const there = await readWindow(name, 0).catch(() => undefined)
  if (!there) return true
  return askToConfirm({
    title: `Replace the rows of ${there.path}?`,
    text: `This file already exists, at version ${there.version}. Your rows become its newest version; earlier versions are kept.`,
    confirm: 'Replace rows',
    destroys: true,
  })
}

export type StagingPlace = ReturnType<typeof useStagingPlace>

/** The root and path fields, and the open file in the URL. */
export function useStagingPlace() {
  const [params, setParams] = useSearchParams()
  /** The file in the URL, so that a link from an import opens it. */
  const linked = params.get('path') ?? ''
  const [path, setPath] = useState(linked)
  const [root, setRoot] = useState<StagingRoot>(
    () => stagingRoots.find((name) => name === params.get('root')) ?? 'ecomm',
  )
  /** Puts the open file in the URL. */
  const keep = (keptRoot: StagingRoot, keptPath: string) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        next.set('root', keptRoot)
        next.set('path', keptPath)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return { root, path, setRoot, setPath, linked, keep }
}

/** Whether there are unsaved changes; updates with every cell. */
export function useIsChanged(draft: Draft): boolean {
  const sheet = draft.mode === 'csv' ? draft.sheet.sheet : undefined
  const changed = useSyncExternalStore(
    sheet?.subscribe ?? noSubscription,
    () => (sheet?.view().changed ?? 0) > 0,
  )
  return draft.isChanged || changed
}

const noSubscription = () => () => undefined

/** Calls `proceed`, but asks first if unsaved changes would be lost. */
export async function confirmDiscard(changed: boolean, proceed: () => void): Promise<void> {
  const sure =
    !changed ||
    (await askToConfirm({
      title: 'Discard unsaved changes?',
      text: 'Your changes in this file are not saved.',
      confirm: 'Discard changes',
      cancel: 'Keep editing',
      destroys: true,
    }))
  if (sure) proceed()
}
