import { useState } from 'react'
import type { MappingTemplate } from '#contract/imports.ts'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import { readMemory } from './import-memory.ts'
import { nothingSaid, readByTemplate } from './mapping/read-by-template.ts'
import type { ImportFile } from './reading/import-file.ts'
import { type FileRead, useImportFile } from './upload/use-import-file.ts'

/** The file, and what was said of how it is read. */
export function useWizardFile(templates: readonly MappingTemplate[]) {
  const { chosen, read, take } = useImportFile()
  const [source, setSource] = useState<File>()
  const [said, setSaid] = useState(nothingSaid)
  const file = chosen.step === 'ready' ? chosen.file : undefined

  async function readBy(from: File, how: SaidReading): Promise<FileRead> {
    setSource(from)
    setSaid(how)
    return await read(from, how)
  }
  return {
    chosen,
    file,
    said,
    /** Answers whether it can be imported, and is still the one that is wanted. */
    async choose(next: File): Promise<boolean> {
      const last = templates.find(({ id }) => id === readMemory().mappingId)
      const found = await readByTemplate(last, (how) => readBy(next, how))
      return found !== 'unreadable' && found !== 'superseded'
    },
    async readAs(next: SaidReading): Promise<void> {
      if (source === undefined) return
      const { decimals, ...rest } = next
      const { decimals: _, ...before } = said
      if (file && JSON.stringify(rest) === JSON.stringify(before)) {
        // What marks mean changes no cell: the file is not read again.
        setSaid(next)
        take({ ...file, reading: { ...file.reading, decimals: decimals ?? {} } })
        return
      }
      await readBy(source, next)
    },
    /** The file of a run that goes on. */
    adopt(found: ImportFile): void {
      setSource(found.file)
      setSaid(found.reading)
      take(found)
    },
  }
}
