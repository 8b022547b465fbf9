import { useEffect, useRef, useState } from 'react'
import { FileProblem, type ImportFile, readImportFile } from './read-import-file.ts'

export type ChosenFile =
  | { step: 'none'; problem?: string }
  | { step: 'reading'; name: string; share: number }
  | { step: 'ready'; file: ImportFile }

/** Of a large file the progress is told once per cent, not at every piece. */
const wholePercent = (share: number) => Math.floor(share * 100) / 100

/** The file that is chosen, read through once. Another choice ends the reading of the one before. */
export function useImportFile() {
  const [chosen, setChosen] = useState<ChosenFile>({ step: 'none' })
  const reading = useRef<AbortController>(undefined)
  useEffect(() => () => reading.current?.abort(), [])

  async function choose(file: File): Promise<void> {
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
      show({ step: 'ready', file: await readImportFile(file, onRead, current.signal) })
    } catch (error) {
      show({ step: 'none', problem: error instanceof FileProblem ? error.message : 'Failed to read CSV' })
    }
  }
  return { chosen, choose }
}
