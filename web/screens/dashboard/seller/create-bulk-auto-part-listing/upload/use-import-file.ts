import { useEffect, useRef, useState } from 'react'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import {
  FileProblem,
  type ImportFile,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { readImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/read-import-file.ts'

export type ChosenFile =
  | { step: 'none'; problem?: string }
  | { step: 'reading'; name: string; share: number }
  | { step: 'ready'; file: ImportFile }

/** `superseded`: a newer read started, or the user left the page. */
export type FileRead = ImportFile | 'unreadable' | 'superseded'

/** Progress is shown per percent, not for every piece. */
const wholePercent = (share: number) => Math.floor(share * 100) / 100

/** Reads the chosen file. Choosing another file aborts the current read. */
export function useImportFile() {
  const [chosen, setChosen] = useState<ChosenFile>({ step: 'none' })
  const reading = useRef<AbortController>(undefined)
  useEffect(() => () => reading.current?.abort(), [])

  async function read(file: File, said: SaidReading): Promise<FileRead> {
    reading.current?.abort()
    const current = new AbortController()
    reading.current = current
    const show = (state: ChosenFile) => {
      if (!current.signal.aborted) setChosen(state)
    }
    let shown = -1
    const onRead = (share: number) => {
      if (wholePercent(share) === shown) return
      shown = wholePercent(share)
      show({ step: 'reading', name: file.name, share: shown })
    }
    onRead(0)
    try {
      const found = await readImportFile(file, { said, onRead, signal: current.signal })
      show({ step: 'ready', file: found })
      return current.signal.aborted ? 'superseded' : found
    } catch (error) {
      show({ step: 'none', problem: error instanceof FileProblem ? error.message : 'Failed to read CSV' })
      return current.signal.aborted ? 'superseded' : 'unreadable'
    }
  }

  return {
    chosen,
    read,
    /** Uses a file that was already read: of a resumed run, or with another decimal mark. */
    take(file: ImportFile): void {
      reading.current?.abort()
      setChosen({ step: 'ready', file })
    },
  }
}
