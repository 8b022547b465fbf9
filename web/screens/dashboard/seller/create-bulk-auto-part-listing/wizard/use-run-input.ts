import { useEffect, useMemo, useRef, useState } from 'react'
import type { User } from '#contract/account/accounts.ts'
import type { ImportDefaults, ImportField } from '#contract/csv/import-fields.ts'
import type { MappingTemplate } from '#contract/imports.ts'
import type { ChosenReading, ReadingOverride } from '#contract/yard-file/reading.ts'
import { useCategories } from '#web/components/listing-lookups/lookup-queries.ts'
import {
  defaultsOf,
  useFieldsJson,
  withoutEmpty,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/defaults/fields-json.ts'
import {
  type ColumnChoice,
  choiceOf,
  type FileRead,
  missingFields,
  namesUniversalParts,
  readByTemplate,
  suggestedChoice,
  unclearMoney,
  withMapping,
  withoutTemplate,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/column-choice.ts'
import {
  type SplitOffer,
  splitOffers,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/split-columns.ts'
import {
  readingFor,
  useColumns,
  useProposers,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/use-columns.ts'
import {
  FileProblem,
  type ImportFile,
  type OpenedFile,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { readImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/read-import-file.ts'
import {
  type Answers,
  noAnswers,
  type RunOrder,
  standardStaging,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import { useKeptEdits } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/validate/use-kept-edits.ts'
import { noDraft, type RunOptions, readMemory, remember, rememberDraft } from './import-memory.ts'

const mappingWords = { what: 'mapping', invalid: 'Mapping JSON is not valid JSON' } as const
const defaultsWords = { what: 'defaults', invalid: 'Defaults JSON is not valid' } as const

/** A run's input: the file, its columns, defaults and corrections. `onChange` runs when an earlier result is outdated. */
export function useRunInput(user: User, onChange: () => void) {
  const proposers = useProposers()
  const templates = proposers?.templates ?? []
  const opened = useImportFile(templates)
  const chosen = useColumns(opened.file, proposers)
  const { columns } = chosen
  const splits = useSplits(opened.file, proposers, columns)
  const prepared = usePreparation(user)
  // The file is shown only once its columns are suggested.
  const file = chosen.proposed ? opened.file : undefined
  const { edits, setEdits, isRead: editsRead } = useKeptEdits(file)
  const changing = thatReports(onChange)
  const setColumns = changing(chosen.setColumns)
  const setDefaults = changing(prepared.setDefaults)

  return {
    file,
    opened,
    prepared,
    chosen: opened.chosen,
    /** The user's settings for reading the file; the rest is detected. */
    overrides: opened.overrides,
    options: prepared.options,
    setOptions: prepared.setOptions,
    staging: prepared.staging,
    setStaging: prepared.setStaging,
    templates,
    /** Uses the template's columns, or the suggested ones if undefined. */
    chooseTemplate(template: MappingTemplate | undefined): void {
      remember({ mappingId: template?.id ?? null })
      const proposal = file && suggestedChoice({ ...file, dictionary: proposers?.dictionary })
      setColumns(template ? choiceOf(template, file?.headers) : (proposal ?? columns))
      if (template?.reading && file) void opened.readAs(template.reading)
    },
    /** The current columns were saved as this template. */
    templateSaved({ id }: MappingTemplate): void {
      remember({ mappingId: id })
      chosen.setColumns({ ...columns, templateId: id })
    },
    /** The template was deleted. The columns and the dry run's result stay. */
    templateGone(id: string): void {
      if (readMemory().mappingId === id) remember({ mappingId: null })
      if (columns.templateId === id) chosen.setColumns(withoutTemplate(columns))
    },
    columns,
    setColumns,
    shape: chosen.shape,
    /** Columns that are split or could be. */
    splits,
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
    lacking: useLacking(file, columns.mapping, prepared.defaults),
    /** The user's choice of the reading, to be remembered for files that look like this one. */
    chosenReading: opened.chosenReading,
    unclearMoney: file ? unclearMoney(file, columns.mapping) : [],
    unsaved: columns.touched || prepared.defaultsTouched || edits.size > 0,
  }
}

/** The missing fields; tires and wheels need no vehicle. */
function useLacking(
  file: ImportFile | undefined,
  mapping: ColumnChoice['mapping'],
  defaults: ImportDefaults,
): ImportField[] {
  const { data: categories = [] } = useCategories()
  const needsVehicle = !(file && namesUniversalParts(file, mapping, categories))
  return missingFields(mapping, defaults, { needsVehicle })
}

const thatReports =
  (onChange: () => void) =>
  <A>(change: (next: A) => void) =>
  (next: A): void => {
    change(next)
    onChange()
  }

export type RunInput = ReturnType<typeof useRunInput>

function useSplits(
  file: ImportFile | undefined,
  proposers: ReturnType<typeof useProposers>,
  { mapping }: ColumnChoice,
): SplitOffer[] {
  const vocabulary = proposers?.vocabulary
  return useMemo(
    () =>
      file && vocabulary ? splitOffers({ ...file, vocabulary, mapping, year: new Date().getFullYear() }) : [],
    [file, vocabulary, mapping],
  )
}

/** A run's settings besides its file, stored on this device until the run is sent. */
function usePreparation(user: User) {
  const [kept] = useState(readMemory)
  const [defaults, setDefaults] = useState(() => kept.draft.defaults ?? defaultsOf(user))
  const [touched, setTouched] = useState(false)
  const [options, setOptions] = useState<RunOptions>(() => {
    const { dryRun, chunkSize, concurrency, draft } = kept
    return { mode: draft.mode, dryRun, chunkSize, concurrency }
  })
  const [staging, setStaging] = useState(() => standardStaging(user, new Date()))
  const [answers, setAnswers] = useState(noAnswers)

  function chooseOptions(next: RunOptions): void {
    setOptions(next)
    const { mode, ...lasting } = next
    remember(lasting)
    rememberDraft({ mode })
  }
  return {
    defaults,
    setDefaults(next: ImportDefaults): void {
      setDefaults(next)
      setTouched(true)
      rememberDraft({ defaults: withoutEmpty(next) })
    },
    options,
    setOptions: chooseOptions,
    staging,
    setStaging,
    /** Uses the values that an earlier file of this shape had for all rows, where none is given now. */
    fillDefaults: (known: Readonly<Record<string, string>>): void =>
      setDefaults(withoutEmpty({ ...known, ...withoutEmpty(defaults) })),
    answers,
    addAnswers: (more: Answers): void => setAnswers({ ...answers, ...more }),
    /** The defaults were changed since the last run. */
    defaultsTouched: touched,
    /** Uses the settings of a resumed run, unless newer ones are stored. */
    adopt({ defaults, staging, answers = noAnswers }: RunOrder): void {
      if (kept.draft.defaults === null) setDefaults(defaults)
      setStaging(staging)
      setAnswers(answers)
    },
    /** Resets the mode and the answers for a new file; what is remembered for files of its shape comes after it is read. */
    begin(): void {
      setAnswers(noAnswers)
      if (options.mode !== noDraft.mode) chooseOptions({ ...options, mode: noDraft.mode })
    },
    sent(): void {
      setTouched(false)
      rememberDraft(noDraft)
    },
  }
}

/** What is sent to be remembered; an empty reading forgets an earlier choice. */
function chosenReadingOf(
  detected: readonly string[] | undefined,
  overrides: ReadingOverride,
  wasRemembered: boolean,
): ChosenReading | undefined {
  const isChosen = Object.keys(overrides).length > 0
  return detected && (isChosen || wasRemembered) ? { header: [...detected], reading: overrides } : undefined
}

type ChosenFile =
  | { step: 'none'; problem?: string; opened?: OpenedFile | undefined }
  | { step: 'reading'; name: string; share: number }
  | { step: 'ready'; file: ImportFile }

/** Progress is shown per percent, not for every piece. */
const wholePercent = (share: number) => Math.floor(share * 100) / 100

/** The chosen file and the user's settings for reading it. Choosing another file aborts the current read. */
function useImportFile(templates: readonly MappingTemplate[]) {
  const [chosen, setChosen] = useState<ChosenFile>({ step: 'none' })
  const [source, setSource] = useState<File>()
  const [overrides, setOverrides] = useState<ReadingOverride>({})
  /** The columns of the file as they are found without any choice; undefined if it was read by a template only. */
  const [detected, setDetected] = useState<readonly string[]>()
  const [wasRemembered, setRemembered] = useState(false)
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
    let shown = -1
    const onRead = (share: number) => {
      if (wholePercent(share) === shown) return
      shown = wholePercent(share)
      show({ step: 'reading', name: from.name, share: shown })
    }
    onRead(0)
    try {
      const found = await readImportFile(from, { settings: how, onRead, signal: current.signal })
      show({ step: 'ready', file: found })
      if (Object.keys(how).length === 0 && !current.signal.aborted) setDetected(found.headers)
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
    chosenReading: chosenReadingOf(detected, overrides, wasRemembered),
    /** Returns whether the file can be imported and is still the chosen one. */
    async choose(next: File): Promise<boolean> {
      const last = templates.find(({ id }) => id === readMemory().mappingId)
      setDetected(undefined)
      setRemembered(false)
      let how: ReadingOverride = {}
      const found = await readByTemplate(last, (chosen) => {
        how = chosen
        return read(next, chosen)
      })
      if (typeof found === 'string') return false
      // As a person had a file read that looked the same at first; this one may differ, such as in its sheets' names.
      const known = Object.keys(how).length === 0 ? await readingFor(found.headers) : undefined
      if (known === undefined || Object.keys(known).length === 0) return true
      setRemembered(true)
      const again = await read(next, known)
      return again === 'unreadable' ? typeof (await read(next, {})) !== 'string' : again !== 'superseded'
    },
    /** Reads the same file again with other settings. */
    async readAs(next: ReadingOverride): Promise<void> {
      if (source === undefined) return
      const { decimals = {}, ...rest } = next
      const { decimals: _, ...before } = overrides
      // The decimal mark does not change any cell, so the file is not read again.
      if (file && JSON.stringify(rest) === JSON.stringify(before)) {
        take({ ...file, reading: { ...file.reading, decimals } }, next)
      } else await read(source, next)
    },
    /** Uses the file of a resumed run. */
    adopt: (found: ImportFile): void => take(found, found.reading),
  }
}
