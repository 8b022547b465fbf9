import { useEffect, useRef, useState } from 'react'
import type { MappingTemplate } from '#contract/imports.ts'
import type { ChosenReading, ReadingOverride } from '#contract/yard-file/reading.ts'
import {
  type FileRead,
  readByTemplate,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/column-choice.ts'
import { readingFor } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/use-columns.ts'
import {
  FileProblem,
  type ImportFile,
  type OpenedFile,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { readImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/read-import-file.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'
import { readMemory } from './import-memory.ts'

/** What is sent to be remembered; an empty reading forgets an earlier choice. */
function chosenReadingOf(
  detected: readonly string[] | undefined,
  overrides: ReadingOverride,
  wasRemembered: boolean,
): ChosenReading | undefined {
  const isChosen = Object.keys(overrides).length > 0
  return detected && (isChosen || wasRemembered) ? { header: [...detected], reading: overrides } : undefined
}

/** What a person chose of the reading, for later files that look like this one; also in a resumed run. */
function useReadingChoice(overrides: ReadingOverride) {
  /** The columns of the file as they are found without any choice; undefined if it was read by a template only. */
  const [detected, setDetected] = useState<readonly string[]>()
  const [wasRemembered, setRemembered] = useState(false)
  const [adopted, setAdopted] = useState<ChosenReading>()
  return {
    reading: adopted ?? chosenReadingOf(detected, overrides, wasRemembered),
    detected: setDetected,
    remembered: (): void => setRemembered(true),
    begin(): void {
      setDetected(undefined)
      setRemembered(false)
      setAdopted(undefined)
    },
    change: (): void => setAdopted(undefined),
    adopt(readAs: ChosenReading | undefined): void {
      setDetected(readAs?.header)
      setAdopted(readAs)
    },
  }
}

type ChosenFile =
  | { step: 'none'; problem?: string; opened?: OpenedFile | undefined }
  | { step: 'reading'; name: string; share: number }
  | { step: 'ready'; file: ImportFile }

/** Progress is shown per percent, not for every piece. */
function perPercent(show: (share: number) => void) {
  let shown = -1
  return (share: number) => {
    const percent = Math.floor(share * 100) / 100
    if (percent !== shown) show(percent)
    shown = percent
  }
}

/** The chosen file and the user's settings for reading it. Choosing another file aborts the current read. */
export function useImportFile(templates: readonly MappingTemplate[]) {
  const [chosen, setChosen] = useState<ChosenFile>({ step: 'none' })
  const [source, setSource] = useState<File>()
  const [overrides, setOverrides] = useState<ReadingOverride>({})
  const choice = useReadingChoice(overrides)
  const reading = useRef<AbortController>(undefined)
  useEffect(() => () => reading.current?.abort(), [])
  const file = chosen.step === 'ready' ? chosen.file : undefined

  async function read(from: File, how: ReadingOverride): Promise<FileRead> {
    setSource(from)
    setOverrides(how)
    reading.current?.abort()
    const current = new AbortController()
    reading.current = current
    const show = (state: ChosenFile) => {
      if (!current.signal.aborted) setChosen(state)
    }
    const onRead = perPercent((share) => show({ step: 'reading', name: from.name, share }))
    onRead(0)
    try {
      const found = await readImportFile(from, { settings: how, onRead, signal: current.signal })
      show({ step: 'ready', file: found })
      if (Object.keys(how).length === 0 && !current.signal.aborted) choice.detected(found.headers)
      return current.signal.aborted ? 'superseded' : found
    } catch (error) {
      const known = error instanceof FileProblem ? error : undefined
      show({ step: 'none', problem: known?.message ?? 'Failed to read CSV', opened: known?.opened })
      return current.signal.aborted ? 'superseded' : 'unreadable'
    }
  }
  /** Uses a file that was already read. */
  function take(found: ImportFile, how: ReadingOverride): void {
    setSource(found.file)
    setOverrides(how)
    reading.current?.abort()
    setChosen({ step: 'ready', file: found })
  }
  return {
    chosen,
    file,
    overrides,
    chosenReading: choice.reading,
    /** Returns whether the file can be imported and is still the chosen one. */
    async choose(next: File): Promise<boolean> {
      const last = templates.find(({ id }) => id === readMemory().mappingId)
      choice.begin()
      return await chooseAndRead(last, (how) => read(next, how), choice.remembered)
    },
    /** Reads the same file again with other settings. */
    async readAs(next: ReadingOverride): Promise<void> {
      if (source === undefined) return
      choice.change()
      const { decimals = {}, ...rest } = next
      const { decimals: _, ...before } = overrides
      // The decimal mark does not change any cell, so the file is not read again.
      if (file && JSON.stringify(rest) === JSON.stringify(before)) {
        take({ ...file, reading: { ...file.reading, decimals } }, next)
      } else await read(source, next)
    },
    /** Uses the file of a resumed run. */
    adopt({ file: found, readAs }: Pick<RunOrder, 'file' | 'readAs'>): void {
      take(found, found.reading)
      choice.adopt(readAs)
    },
  }
}

/** Reads a new file by its template, or as a person had one read that looked the same at first. */
async function chooseAndRead(
  last: MappingTemplate | undefined,
  read: (how: ReadingOverride) => Promise<FileRead>,
  onRemembered: () => void,
): Promise<boolean> {
  let used: ReadingOverride = {}
  const found = await readByTemplate(last, (how) => {
    used = how
    return read(how)
  })
  if (typeof found === 'string') return false
  const known = Object.keys(used).length === 0 ? await readingFor(found.headers) : undefined
  if (known === undefined || Object.keys(known).length === 0) return true
  onRemembered()
  const again = await read(known)
  // This one may differ, such as in its sheets' names.
  return again === 'unreadable' ? typeof (await read({})) !== 'string' : again !== 'superseded'
}
