import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#web/api/failures.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'
import { readFile, readWindow } from './read-file.ts'
import { type Save, type Saved, saveStaged } from './save-staged.ts'
import { asJsonPath, isCsvPath } from './staged-file.ts'
import type { StagedName } from './staging-calls.ts'
import { useRefreshStaging } from './staging-calls.ts'
import { isChanged, useOpenFile } from './use-open-file.ts'
import type { StagingPlace } from './use-staging-place.ts'
import { withoutLosing } from './without-losing.ts'

export const PATH_NEEDED = 'Enter a staging file path first'

const ONLY_PART = 'Only some rows of this file are here, so it is saved under its own path alone'

/** What stands open in the editor, how it gets there and how it is saved. */
export function useStagedFile(place: StagingPlace) {
  const file = useOpenFile(place)
  const { open, draft, show } = file
  const [stale, setStale] = useState<Save>()
  const refresh = useRefreshStaging()

  const loading = useMutation({
    mutationFn: ({ from, ...name }: StagedName & { from?: number }) =>
      from === undefined ? readFile(name) : readWindow(name, from),
    onSuccess: (read, { path }) => {
      setStale(undefined)
      show(read, isCsvPath(path) ? 'csv' : draft.mode)
      place.setPath(read.path)
      place.keep(read.root, read.path)
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
      const isStale = error instanceof ApiError && error.code === 'STALE'
      // Who keeps theirs may be overtaken again, or find a cell that says something else by now.
      if (!isStale || stale) notifyProblem(failureWords(error, 'Failed to save'), { about: 'staging' })
      if (!isStale) return
      setStale(stale ?? save)
      refresh()
    },
  })
  const settle = ({ path, version, contents }: Saved, { root }: Save) => {
    setStale(undefined)
    // Only the server knows the ids and places of the rows that a patch added.
    if (contents === undefined || open.kind === 'window') {
      loading.mutate({ root, path, from: open.kind === 'window' ? open.from : 0 })
    } else file.settle({ root, path, version, contents })
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
    if (!isOpen && open.kind === 'window') return notifyProblem(ONLY_PART, { about: 'staging' })
    if (!isOpen && !(await mayReplace(name))) return
    saving.mutate({ ...name, draft, kind: open.kind, version: isOpen ? open.version : undefined })
  }
  return { ...file, stale, setStale, load, loading, save, saving }
}

export type StagedFileDesk = ReturnType<typeof useStagedFile>

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
