import { useState } from 'react'
import type { MappingTemplate } from '#contract/mapping-templates.ts'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import { choiceOf } from './column-choice.ts'
import type { ImportFile } from './import-file.ts'
import { readMemory } from './import-memory.ts'
import { useImportFile } from './use-import-file.ts'

const nothing: SaidReading = {}

/** The file, and what was said of how it is read. */
export function useWizardFile(templates: readonly MappingTemplate[]) {
  const { chosen, read, take } = useImportFile()
  const [source, setSource] = useState<File>()
  const [said, setSaid] = useState(nothing)
  const file = chosen.step === 'ready' ? chosen.file : undefined

  async function readBy(from: File, how: SaidReading): Promise<ImportFile | undefined> {
    setSource(from)
    setSaid(how)
    return await read(from, how)
  }
  return {
    chosen,
    file,
    said,
    /** Reads it as the files of the last template are; where that is no such file, as its own bytes tell. */
    async choose(next: File): Promise<ImportFile | undefined> {
      const last = templates.find(({ id }) => id === readMemory().mappingId)
      if (!last?.reading) return await readBy(next, nothing)
      const found = await readBy(next, last.reading)
      const fits = found && choiceOf(last, found.headers).lacking.length === 0
      return fits ? found : await readBy(next, nothing)
    },
    async readAs(next: SaidReading): Promise<ImportFile | undefined> {
      if (source === undefined) return undefined
      const { decimals, ...rest } = next
      const { decimals: _, ...before } = said
      if (file && JSON.stringify(rest) === JSON.stringify(before)) {
        // What marks mean changes no cell: the file is not read again.
        setSaid(next)
        const other = { ...file, reading: { ...file.reading, decimals: decimals ?? {} } }
        take(other)
        return other
      }
      return await readBy(source, next)
    },
    /** The file of a run that goes on. */
    adopt(found: ImportFile): void {
      setSource(found.file)
      setSaid(found.reading)
      take(found)
    },
  }
}
