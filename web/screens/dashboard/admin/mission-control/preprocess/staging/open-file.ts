import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { stagingDeskEndpoints, stagingEndpoints } from '#contract/admin/staging.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import { jsonOf } from './staged-cells.ts'
import {
  asJsonPath,
  type Draft,
  type DraftMode,
  draftOf,
  gridDraft,
  jsonDraft,
  newFile,
  type OpenFile,
  WINDOW_ROWS,
} from './staged-file.ts'
import type { UnsavedRow } from './staged-sheet.ts'
import type { StagedName } from './staging-calls.ts'

/** The file in the editor and its unsaved changes, as text or as a grid. */
export function useOpenFile(first: StagedName) {
  const [open, setOpen] = useState<OpenFile>(() => newFile(first))
  const [draft, setDraft] = useState<Draft>(() => draftOf(open, 'json'))
  /** Changes with every file shown, so that the editor is recreated. */
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
    const text = textOfDraft(draft)
    const next = mode === 'csv' ? gridDraft(text, isChanged(draft)) : jsonDraft(text, isChanged(draft))
    if (typeof next === 'string') notifyProblem(next, { about: 'staging' })
    else begin(next)
  }
  /** The saved text becomes the open version. Changes made during the save stay unsaved. */
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

/** Changed, or about to be: a cell is being edited. */
export const isTouched = (draft: Draft): boolean =>
  isChanged(draft) || (draft.mode === 'csv' && draft.sheet.grid.state().editing !== undefined)

export type Load = StagedName & {
  /** The first row to load, for a file that is too large to load at once. */
  from?: number
  /** The user did not ask for it: it must not replace unsaved input. */
  unlessTouched?: boolean
}

/** Loads files for the editor. Responses may arrive out of order: only the newest request counts. */
export function useFileLoading(onRead: (file: OpenFile, load: Load) => void) {
  const newest = useRef<Load>(undefined)
  const reading = useMutation({
    mutationFn: ({ root, path, from }: Load) =>
      from === undefined ? readFile({ root, path }) : readWindow({ root, path }, from),
    onSuccess: (file, load) => {
      if (load === newest.current) onRead(file, load)
    },
    onError: (error, load) => {
      if (load !== newest.current) return
      notifyProblem(failureWords(error, 'Failed to load'), { about: 'staging' })
    },
    onSettled: (_file, _error, load) => {
      if (load === newest.current) newest.current = undefined
    },
  })
  const start = (load: Load) => {
    newest.current = load
    reading.mutate(load)
  }
  return {
    start,
    /** A function, because the last render may be older than a click. */
    isLoading: () => newest.current !== undefined,
    isPending: reading.isPending,
    load: reading.variables,
    file: reading.data,
  }
}

/** The newest version of a file, or its first rows if it is larger than 8 MB. */
async function readFile({ root, path }: StagedName): Promise<OpenFile> {
  const name = { root, path: asJsonPath(path) }
  try {
    const file = await call(stagingEndpoints.readStagingFile, { query: name })
    return {
      root,
      path: file.path,
      version: file.version,
      rows: file.rows,
      kind: 'text',
      contents: file.contents,
    }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'TOO_LARGE') return readWindow(name, 0)
    throw error
  }
}

/** A window of a large file's rows, starting at `from`. */
export async function readWindow(name: StagedName, from: number): Promise<OpenFile> {
  const { root, path, version, total, columns, rows } = await call(stagingDeskEndpoints.readStagingWindow, {
    query: { ...name, from, limit: WINDOW_ROWS },
  })
  return { root, path, version, rows: total, kind: 'window', from, columns, window: rows }
}

/** Given by the spec. */
const message = 'UI save'

export type Save = StagedName & {
  draft: Draft
  /** The file that was open. */
  open: OpenFile
  /** The version it is based on; undefined overwrites any version. */
  version: number | undefined
}

export type Saved = {
  path: string
  version: number
  /** Undefined if only changed cells were sent. */
  contents: string | undefined
  /** The rows a grid sent. */
  rows: readonly UnsavedRow[]
}

const textOfDraft = (draft: Draft): string =>
  draft.mode === 'json' ? draft.text.read() : jsonOf(draft.sheet.rows())

/** Saves the whole text, or only the changed cells of a large file. */
export async function saveStaged({ root, path, draft, open, version }: Save): Promise<Saved> {
  const rows = draft.mode === 'csv' ? draft.sheet.unsavedRows() : []
  if (open.kind === 'window' && draft.mode === 'csv' && version !== undefined) {
    const { cells, deleted: deleteRows, added: addRows } = draft.sheet.changes()
    const body = { root, path, version, message, cells, deleteRows, addRows }
    const saved = await call(stagingDeskEndpoints.patchStagingFile, { body })
    return { path: saved.path, version: saved.version, contents: undefined, rows }
  }
  const contents = textOfDraft(draft)
  const body = { root, path, contents, message, ...(version !== undefined && { version }) }
  const saved = await call(stagingEndpoints.saveStagingFile, { body })
  return { path: saved.path, version: saved.version, contents, rows }
}
