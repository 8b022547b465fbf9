import { useEffect, useRef, useState } from 'react'
import type { MappingTemplate } from '#contract/imports.ts'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import {
  type FileRead,
  readByTemplate,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/column-choice.ts'
import {
  FileProblem,
  type ImportFile,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { readImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/read-import-file.ts'
import { readMemory } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-memory.ts'

type ChosenFile =
  | { step: 'none'; problem?: string }
  | { step: 'reading'; name: string; share: number }
  | { step: 'ready'; file: ImportFile }

/** Progress is shown per percent, not for every piece. */
const wholePercent = (share: number) => Math.floor(share * 100) / 100

/** The chosen file and the user's settings for reading it. Choosing another file aborts the current read. */
export function useImportFile(templates: readonly MappingTemplate[]) {
  const [chosen, setChosen] = useState<ChosenFile>({ step: 'none' })
  const [source, setSource] = useState<File>()
  const [said, setSaid] = useState<SaidReading>({})
  const reading = useRef<AbortController>(undefined)
  useEffect(() => () => reading.current?.abort(), [])
  const file = chosen.step === 'ready' ? chosen.file : undefined

  async function read(from: File, how: SaidReading): Promise<FileRead> {
    setSource(from)
    setSaid(how)
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
      show({ step: 'reading', name: from.name, share: shown })
    }
    onRead(0)
    try {
      const found = await readImportFile(from, { said: how, onRead, signal: current.signal })
      show({ step: 'ready', file: found })
      return current.signal.aborted ? 'superseded' : found
    } catch (error) {
      show({ step: 'none', problem: error instanceof FileProblem ? error.message : 'Failed to read CSV' })
      return current.signal.aborted ? 'superseded' : 'unreadable'
    }
  }
  /** Uses a file that was already read. */
  function take(found: ImportFile, how: SaidReading): void {
    setSource(found.file)
    setSaid(how)
    reading.current?.abort()
    setChosen({ step: 'ready', file: found })
  }
  return {
    chosen,
    file,
    said,
    /** Returns whether the file can be imported and is still the chosen one. */
    async choose(next: File): Promise<boolean> {
      const last = templates.find(({ id }) => id === readMemory().mappingId)
      const found = await readByTemplate(last, (how) => read(next, how))
      return typeof found !== 'string'
    },
    /** Reads the same file again with other settings. */
    async readAs(next: SaidReading): Promise<void> {
      if (source === undefined) return
      const { decimals = {}, ...rest } = next
      const { decimals: _, ...before } = said
      // The decimal mark does not change any cell, so the file is not read again.
      if (file && JSON.stringify(rest) === JSON.stringify(before)) {
        take({ ...file, reading: { ...file.reading, decimals } }, next)
      } else await read(source, next)
    },
    /** Uses the file of a resumed run. */
    adopt: (found: ImportFile): void => take(found, found.reading),
  }
}
