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

/** The page's state, shared by all tabs. */
export type Wizard = {
  user: User
  /** An administrator without the plan, who can check but not import. */
  preview: boolean
  tab: WizardTab
  goTo: (tab: WizardTab) => void
  chosen: ChosenFile
  /** The file, once it is read and its columns are suggested. */
  file: ImportFile | undefined
  choose: (file: File) => void
  /** The user's settings for reading the file; the rest is detected. */
  said: SaidReading
  /** Reads the same file again with other settings. */
  readAs: (said: SaidReading) => void
  templates: readonly MappingTemplate[]
  /** Uses the template's columns, or the suggested ones if undefined. */
  chooseTemplate: (template: MappingTemplate | undefined) => void
  /** The current columns were saved as this template. */
  templateSaved: (template: MappingTemplate) => void
  /** The template was deleted. The columns and the dry run's result stay. */
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
  /** False until earlier corrections are loaded. */
  editsRead: boolean
  run: ImportRun
  /** An upload is running, so nothing can be changed. */
  locked: boolean
  /** There are columns, defaults or corrections that were not sent. */
  unsaved: boolean
  /** Required fields with neither a column nor a default. */
  lacking: readonly ImportField[]
  /** Price columns whose decimal mark the user has to choose. */
  openMoney: readonly OpenMoney[]
  /** How often the user tried to continue. */
  tries: number
  /** Why the rows cannot be checked or sent, once the user tried. */
  obstacle: Obstacle | undefined
  /** Starts the dry run and opens Validate, or shows what is missing. */
  check: () => void
  /** Asks before replacing stock, then sends the file and opens Run Import. */
  startImport: () => void
}

/** The wizard's tabs, named as in the spec (section 2). The key is in the URL. */
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

export const wizardTab = (name: string | null): WizardTab =>
  wizardTabs.find(({ tab }) => tab === name)?.tab ?? 'guide'

/** Why the rows cannot be checked, and the tab where the user can fix it. */
type Obstacle = { tab: WizardTab; sentence: string }

/** What a run depends on. */
export type RunInput = {
  file: Pick<ImportFile, 'records'> | undefined
  columns: Pick<ColumnChoice, 'mapping'>
  mappingJson: Pick<FieldsJson, 'problem'>
  defaultsJson: Pick<FieldsJson, 'problem'>
  /** Required fields with neither a column nor a default. */
  lacking: readonly ImportField[]
  openMoney: readonly OpenMoney[]
  editsRead: boolean
}

/** The first obstacle in tab order, or undefined if there is none. */
export function obstacleOf(input: RunInput): Obstacle | undefined {
  return obstacleOfFile(input) ?? obstacleOfColumns(input) ?? obstacleOfValues(input)
}

function obstacleOfFile({ file }: RunInput): Obstacle | undefined {
  if (file === undefined) return { tab: 'upload', sentence: 'Please choose a CSV or CSV.GZ file' }
  if (file.records > 0) return undefined
  return { tab: 'upload', sentence: 'The file has a header but no rows' }
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
    sentence: `Every row needs: ${labelsOf(lacking)}. Choose ${what}, or enter one value for all rows under Defaults.`,
  }
}

function obstacleOfValues({ openMoney: [question], editsRead }: RunInput): Obstacle | undefined {
  if (question !== undefined) {
    const { value, header } = question
    return { tab: 'mapping', sentence: `Choose what “${value}” means in the column “${header}”` }
  }
  if (editsRead) return undefined
  return { tab: 'validate', sentence: 'Your corrections are still loading. Try again in a moment.' }
}
