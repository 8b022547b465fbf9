import { useState } from 'react'
import type { User } from '#contract/accounts.ts'
import type { ImportDefaults } from '#contract/csv/import-fields.ts'
import type { MappingTemplate } from '#contract/imports.ts'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import {
  defaultsOf,
  useFieldsJson,
  withoutEmpty,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/defaults/fields-json.ts'
import {
  choiceOf,
  missingFields,
  noOverride,
  readByTemplate,
  suggestedChoice,
  withMapping,
  withoutTemplate,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/column-choice.ts'
import { openMoney } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/open-money.ts'
import {
  useColumns,
  useProposers,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/use-columns.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import type { RunOptions } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/run/run-options.ts'
import {
  type RunOrder,
  standardStaging,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import {
  type FileRead,
  useImportFile,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/use-import-file.ts'
import { useKeptEdits } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/validate/use-kept-edits.ts'
import { noDraft, readMemory, remember, rememberDraft } from './import-memory.ts'

const mappingWords = { what: 'mapping', invalid: 'Mapping JSON is not valid JSON' } as const
const defaultsWords = { what: 'defaults', invalid: 'Defaults JSON is not valid' } as const

/** A run's input: the file, its columns, defaults and corrections. `onChange` runs when an earlier result is outdated. */
export function useRunInput(user: User, onChange: () => void) {
  const proposers = useProposers()
  const templates = proposers?.templates ?? []
  const opened = useWizardFile(templates)
  const chosen = useColumns(opened.file, proposers)
  const { columns } = chosen
  const prepared = usePreparation(user)
  // The file is shown only once its columns are suggested.
  const file = chosen.proposed ? opened.file : undefined
  const { edits, setEdits, isRead: editsRead } = useKeptEdits(file)
  const changing =
    <A>(change: (next: A) => void) =>
    (next: A): void => {
      change(next)
      onChange()
    }
  const setColumns = changing(chosen.setColumns)
  const setDefaults = changing(prepared.setDefaults)

  return {
    file,
    opened,
    prepared,
    templates,
    chooseTemplate(template: MappingTemplate | undefined): void {
      remember({ mappingId: template?.id ?? null })
      const proposal = file && suggestedChoice({ ...file, dictionary: proposers?.dictionary })
      setColumns(template ? choiceOf(template, file?.headers) : (proposal ?? columns))
      if (template?.reading && file) void opened.readAs(template.reading)
    },
    templateSaved({ id }: MappingTemplate): void {
      remember({ mappingId: id })
      chosen.setColumns({ ...columns, templateId: id })
    },
    templateGone(id: string): void {
      if (readMemory().mappingId === id) remember({ mappingId: null })
      if (columns.templateId === id) chosen.setColumns(withoutTemplate(columns))
    },
    columns,
    setColumns,
    mappingJson: useFieldsJson(
      columns.mapping,
      (mapping) => setColumns(withMapping(columns, mapping)),
      mappingWords,
    ),
    defaults: prepared.defaults,
    setDefaults,
    defaultsJson: useFieldsJson(prepared.defaults, setDefaults, defaultsWords),
    readAs: changing(opened.readAs),
    edits,
    setEdits,
    editsRead,
    lacking: missingFields(columns.mapping, prepared.defaults),
    openMoney: file ? openMoney(file, columns.mapping) : [],
    unsaved: columns.touched || prepared.defaultsTouched || edits.size > 0,
  }
}

export type ChosenInput = ReturnType<typeof useRunInput>

/** The file and the user's settings for reading it. */
function useWizardFile(templates: readonly MappingTemplate[]) {
  const { chosen, read, take } = useImportFile()
  const [source, setSource] = useState<File>()
  const [said, setSaid] = useState(noOverride)
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
    /** Returns whether the file can be imported and is still the chosen one. */
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
        // The decimal mark does not change any cell, so the file is not read again.
        setSaid(next)
        take({ ...file, reading: { ...file.reading, decimals: decimals ?? {} } })
        return
      }
      await readBy(source, next)
    },
    /** Uses the file of a resumed run. */
    adopt(found: ImportFile): void {
      setSource(found.file)
      setSaid(found.reading)
      take(found)
    },
  }
}

/** A run's settings besides its file, stored on this device until the run is sent. */
function usePreparation(user: User) {
  const [kept] = useState(readMemory)
  const [defaults, setDefaults] = useState(() => kept.draft.defaults ?? defaultsOf(user))
  const [touched, setTouched] = useState(false)
  const [options, setOptions] = useState<RunOptions>(() => ({
    mode: kept.draft.mode,
    dryRun: kept.dryRun,
    chunkSize: kept.chunkSize,
    concurrency: kept.concurrency,
  }))
  const [staging, setStaging] = useState(() => standardStaging(user, new Date()))

  function chooseDefaults(next: ImportDefaults): void {
    setDefaults(next)
    setTouched(true)
    rememberDraft({ defaults: withoutEmpty(next) })
  }
  function chooseOptions(next: RunOptions): void {
    setOptions(next)
    const { mode, ...lasting } = next
    remember(lasting)
    rememberDraft({ mode })
  }
  return {
    defaults,
    setDefaults: chooseDefaults,
    options,
    setOptions: chooseOptions,
    staging,
    setStaging,
    /** The defaults were changed since the last run. */
    defaultsTouched: touched,
    /** Uses the settings of a resumed run, unless newer ones are stored. */
    adopt({ defaults, staging }: RunOrder): void {
      if (kept.draft.defaults === null) setDefaults(defaults)
      setStaging(staging)
    },
    /** Resets the mode for a new file, because replacing must be chosen for each file. */
    begin(): void {
      if (options.mode !== noDraft.mode) chooseOptions({ ...options, mode: noDraft.mode })
    },
    sent(): void {
      setTouched(false)
      rememberDraft(noDraft)
    },
  }
}
