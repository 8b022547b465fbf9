import type { User } from '#contract/accounts.ts'
import type { ImportDefaults, ImportField } from '#contract/csv/import-fields.ts'
import type { MappingTemplate } from '#contract/imports.ts'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import type { FieldsJson } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/defaults/fields-json.ts'
import {
  type ColumnChoice,
  labelsOf,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/column-choice.ts'
import type { OpenMoney } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/open-money.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import type { RowEdits } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import type { RunOptions } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/run/run-options.ts'
import type { ImportRun } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/run/use-import-run.ts'
import type { Staging } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import type { ChosenFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/use-import-file.ts'

/** The one state of the page, which all its tabs share. */
export type Wizard = {
  user: User
  /** An administrator without the plan: may check, not import. */
  preview: boolean
  tab: WizardTab
  goTo: (tab: WizardTab) => void
  chosen: ChosenFile
  /** The file once it is read and its columns are proposed. */
  file: ImportFile | undefined
  choose: (file: File) => void
  /** What was said of the file's reading; the rest of it was detected. */
  said: SaidReading
  /** Reads the same file again, in the way that is said from now on. */
  readAs: (said: SaidReading) => void
  templates: readonly MappingTemplate[]
  /** Takes its columns; without one those that the file suggests. */
  chooseTemplate: (template: MappingTemplate | undefined) => void
  /** These columns are a template's from now on. */
  templateSaved: (template: MappingTemplate) => void
  /** It was deleted; the columns stay, and what a dry run found of them. */
  templateGone: (id: string) => void
  columns: ColumnChoice
  setColumns: (columns: ColumnChoice) => void
  mappingJson: FieldsJson
  defaults: ImportDefaults
  setDefaults: (defaults: ImportDefaults) => void
  defaultsJson: FieldsJson
  options: RunOptions
  setOptions: (options: RunOptions) => void
  staging: Staging
  setStaging: (staging: Staging) => void
  edits: RowEdits
  setEdits: (edits: RowEdits) => void
  /** False until corrections of an earlier visit are back. */
  editsRead: boolean
  run: ImportRun
  /** Rows are on their way: nothing about them can be changed now. */
  locked: boolean
  /** Something was chosen or corrected, and not sent. */
  unsaved: boolean
  /** Needed fields that have neither column nor default. */
  lacking: readonly ImportField[]
  /** Columns of money whose amounts may be read in two ways, until somebody said in which. */
  openMoney: readonly OpenMoney[]
  /** How often somebody tried to go on. */
  tries: number
  /** What kept the rows from being checked or sent, once somebody tried. */
  obstacle: Obstacle | undefined
  /** Starts the dry run and shows Validate; where something is missing says what, and goes there. */
  check: () => void
  /** Asks where much may end, then sends the file and shows Run Import. */
  startImport: () => void
}

/** The wizard's tabs, named as the spec names them (section 2); the key stands in the address. */
export const wizardTabs = [
  { tab: 'guide', label: 'Guide' },
  { tab: 'mapping', label: 'Template / Mapping' },
  { tab: 'defaults', label: 'Defaults' },
  { tab: 'upload', label: 'Upload' },
  { tab: 'validate', label: 'Validate (Dry-run)' },
  { tab: 'run', label: 'Run Import' },
  { tab: 'results', label: 'Results' },
] as const

export type WizardTab = (typeof wizardTabs)[number]['tab']

/** The tab that an address names; the first one where it names none. */
export const wizardTab = (name: string | null): WizardTab =>
  wizardTabs.find(({ tab }) => tab === name)?.tab ?? 'guide'

/** What keeps the rows from being checked, and the tab where it is put right. */
type Obstacle = { tab: WizardTab; sentence: string }

/** What a run depends on. */
export type RunInput = {
  file: Pick<ImportFile, 'records'> | undefined
  columns: Pick<ColumnChoice, 'mapping'>
  mappingJson: Pick<FieldsJson, 'problem'>
  defaultsJson: Pick<FieldsJson, 'problem'>
  /** Needed fields that have neither column nor default. */
  lacking: readonly ImportField[]
  openMoney: readonly OpenMoney[]
  editsRead: boolean
}

/** The first one, in the order in which they are met; undefined where the way is free. */
export function obstacleOf(input: RunInput): Obstacle | undefined {
  return obstacleOfFile(input) ?? obstacleOfColumns(input) ?? obstacleOfValues(input)
}

function obstacleOfFile({ file }: RunInput): Obstacle | undefined {
  if (file === undefined) return { tab: 'upload', sentence: 'Please choose a CSV or CSV.GZ file' }
  if (file.records > 0) return undefined
  return { tab: 'upload', sentence: 'The file has a header and no rows' }
}

function obstacleOfColumns({ columns, mappingJson, defaultsJson, lacking }: RunInput): Obstacle | undefined {
  if (mappingJson.problem !== undefined) return { tab: 'mapping', sentence: mappingJson.problem }
  if (Object.keys(columns.mapping).length === 0) {
    return { tab: 'mapping', sentence: 'Provide a mapping JSON or select a template' }
  }
  if (defaultsJson.problem !== undefined) return { tab: 'defaults', sentence: defaultsJson.problem }
  if (lacking.length === 0) return undefined
  const what = lacking.length === 1 ? 'its column' : 'their columns'
  return {
    tab: 'mapping',
    sentence: `Every row needs: ${labelsOf(lacking)}. Choose ${what}, or give one value for all rows under Defaults.`,
  }
}

function obstacleOfValues({ openMoney: [question], editsRead }: RunInput): Obstacle | undefined {
  if (question !== undefined) {
    const { value, header } = question
    return { tab: 'mapping', sentence: `Say what “${value}” means in the column “${header}”` }
  }
  if (editsRead) return undefined
  return { tab: 'validate', sentence: 'Your corrections are being read. Try again in a moment.' }
}
