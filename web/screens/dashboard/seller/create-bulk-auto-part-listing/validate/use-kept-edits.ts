import { useCallback, useEffect, useRef, useState } from 'react'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { notifyInfo } from '#web/components/toasts.tsx'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  editsKey,
  noEdits,
  type RowEdits,
  readEdits,
  sweepEdits,
  writeEdits,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'

export type KeptEdits = {
  edits: RowEdits
  setEdits: (edits: RowEdits) => void
  /** False until earlier corrections are loaded. A run before that would miss them. */
  isRead: boolean
}

type State = { key: string | undefined; name: string; edits: RowEdits; isRead: boolean }
const nothing: State = { key: undefined, name: '', edits: noEdits, isRead: false }

/** Row corrections, stored on this device. Choosing the same file again restores them. */
export function useKeptEdits(file: ImportFile | undefined): KeptEdits {
  const key = file && editsKey(file)
  const name = file?.file.name ?? ''
  const [state, setState] = useState(nothing)
  // Several changes can happen before the next render.
  const latest = useRef(nothing)
  // Writes run one after another, so that an older one cannot finish last.
  const written = useRef(Promise.resolve())
  const show = useCallback((next: State) => {
    latest.current = next
    setState(next)
  }, [])
  useEffect(() => void sweepEdits(), [])
  useEffect(() => {
    // The file is briefly undefined while its columns are suggested again.
    if (key === undefined || (latest.current.key === key && latest.current.isRead)) return
    notifyKept(latest.current, name)
    let isOver = false
    void written.current
      .then(() => readEdits(key))
      .then((kept) => {
        if (isOver) return
        const edits = latest.current.key === key ? latest.current.edits : noEdits
        show({ key, name, edits: new Map([...kept, ...edits]), isRead: true })
        if (kept.size > 0) notifyInfo(`Restored your corrections to ${rowsInWords(kept.size)}`)
      })
    return () => {
      isOver = true
    }
  }, [key, name, show])
  const setEdits = useCallback(
    (edits: RowEdits) => {
      if (key === undefined) return
      const before = latest.current.key === key ? latest.current : nothing
      written.current = written.current.then(() => writeEdits(key, before.edits, edits))
      show({ key, name, edits, isRead: before.isRead })
    },
    [key, name, show],
  )
  const isOurs = key !== undefined && state.key === key
  return { edits: isOurs ? state.edits : noEdits, setEdits, isRead: isOurs && state.isRead }
}

/** Tells the user that corrections belong to the previous file or reading and are not lost. */
function notifyKept({ key, name, edits }: State, next: string): void {
  if (key === undefined || edits.size === 0) return
  const rows = rowsInWords(edits.size)
  notifyInfo(
    name === next
      ? `Your corrections to ${rows} are saved with the earlier format settings`
      : `Your corrections to ${rows} are saved with ${name}. Choose it again to restore them.`,
  )
}
