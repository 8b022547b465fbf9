import type { User } from '#contract/accounts.ts'
import type { ImportDefaults, ImportField } from '#contract/import-fields.ts'
import type { MappingTemplate } from '#contract/imports.ts'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import type { ColumnChoice } from './mapping/column-choice.ts'
import type { OpenMoney } from './mapping/open-money.ts'
import type { Obstacle } from './obstacle.ts'
import type { ImportFile } from './reading/import-file.ts'
import type { RowEdits } from './reading/row-edits.ts'
import type { RunOptions } from './run/run-options.ts'
import type { ImportRun } from './run/use-import-run.ts'
import type { Staging } from './sending/staging-names.ts'
import type { ChosenFile } from './upload/use-import-file.ts'
import type { FieldsJson } from './use-fields-json.ts'
import type { WizardTab } from './wizard-tabs.ts'

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
