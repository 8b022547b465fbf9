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
  /** False until those of an earlier visit are back: a run before that would go without them. */
  isRead: boolean
}

type State = { key: string | undefined; name: string; edits: RowEdits; isRead: boolean }
const nothing: State = { key: undefined, name: '', edits: noEdits, isRead: false }

/** What is corrected in the rows of a file, kept on this device: choosing the same file again brings it back. */
export function useKeptEdits(file: ImportFile | undefined): KeptEdits {
  const key = file && editsKey(file)
  const name = file?.file.name ?? ''
  const [state, setState] = useState(nothing)
  // Several changes may come before the page is drawn again.
  const latest = useRef(nothing)
  // One after the other, so that an earlier writing does not end last.
  const written = useRef(Promise.resolve())
  const show = useCallback((next: State) => {
    latest.current = next
    setState(next)
  }, [])
  useEffect(() => void sweepEdits(), [])
  useEffect(() => {
    // The file may be away for a moment, while its columns are proposed anew.
    if (key === undefined || (latest.current.key === key && latest.current.isRead)) return
    tellWhatStays(latest.current, name)
    let isOver = false
    void written.current
      .then(() => readEdits(key))
      .then((kept) => {
        if (isOver) return
        const edits = latest.current.key === key ? latest.current.edits : noEdits
        show({ key, name, edits: new Map([...kept, ...edits]), isRead: true })
        if (kept.size > 0) notifyInfo(`Your corrections of ${rowsInWords(kept.size)} are back`)
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

/** Another file, or the same one read in another way, has rows of its own; nothing is lost. */
function tellWhatStays({ key, name, edits }: State, next: string): void {
  if (key === undefined || edits.size === 0) return
  const rows = rowsInWords(edits.size)
  notifyInfo(
    name === next
      ? `Your corrections of ${rows} are of the file as it was read before`
      : `Your corrections of ${rows} stay with ${name}: choose it again, and they are back`,
  )
}
