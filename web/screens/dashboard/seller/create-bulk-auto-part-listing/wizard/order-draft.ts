import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { User } from '#contract/account/accounts.ts'
import type { ImportDefaults, ImportField } from '#contract/csv/import-fields.ts'
import type { MappingTemplate } from '#contract/imports.ts'
import { useCategories } from '#web/components/listing-lookups/lookup-queries.ts'
import {
  defaultsOf,
  useFieldsJson,
  withoutEmpty,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/defaults/fields-json.ts'
import {
  type ColumnChoice,
  choiceOf,
  missingFields,
  namesUniversalParts,
  suggestedChoice,
  unclearMoney,
  unconfirmed,
  withMapping,
  withoutTemplate,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/column-choice.ts'
import {
  type SplitOffer,
  splitOffers,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/split-columns.ts'
import {
  useColumns,
  useProposers,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/use-columns.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { noEdits } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import { keepImport } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/kept-import.ts'
import { runsInOtherTab } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/only-one-tab.ts'
import {
  type Answers,
  noAnswers,
  orderContent,
  type RunOrder,
  standardStaging,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'
import { useKeptEdits } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/validate/use-kept-edits.ts'
import { noDraft, type RunOptions, readMemory, remember, rememberDraft } from './import-memory.ts'
import { useImportFile } from './use-import-file.ts'

const mappingWords = { what: 'mapping', invalid: 'Mapping JSON is not valid JSON' } as const
const defaultsWords = { what: 'defaults', invalid: 'Defaults JSON is not valid' } as const

/** A run's input: the file, its columns, defaults and corrections. `onChange` runs when an earlier result is outdated. */
export function useOrderDraft(user: User, onChange: () => void) {
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
    ...{ staging: prepared.staging, setStaging: prepared.setStaging },
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

export type OrderDraft = ReturnType<typeof useOrderDraft>

/** What the draft would send now. */
export const orderOf = (
  { columns, defaults, edits, prepared, chosenReading }: OrderDraft,
  file: ImportFile,
  dryRun: boolean,
): RunOrder => ({
  ...prepared.options,
  file,
  mapping: columns.mapping,
  suggested: unconfirmed(columns),
  readAs: chosenReading,
  defaults: withoutEmpty(defaults),
  dryRun,
  edits,
  answers: prepared.answers,
  staging: prepared.staging,
})

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

/** The draft is saved this long after the last change. */
const QUIET_MS = 700

/**
 * Stores the chosen file and its settings on this device, so that a reload restores both. Row corrections are stored
 * separately. `order` is undefined if there is nothing to store or a run stores itself.
 */
export function useKeptDraft(order: RunOrder | undefined): void {
  const draft = order && { ...order, edits: noEdits }
  const content = draft && orderContent(draft)
  const file = draft?.file.file
  const keep = useEffectEvent(async () => {
    // A running upload in another tab uses the same storage.
    if (draft && !(await runsInOtherTab())) await keepImport({ phase: 'draft', order: draft })
  })
  // Store a new file right away, because the user may leave at any time.
  useEffect(() => {
    if (file) void keep()
  }, [file])
  useEffect(() => {
    if (content === undefined) return
    const timer = setTimeout(() => void keep(), QUIET_MS)
    return () => clearTimeout(timer)
  }, [content])
}
