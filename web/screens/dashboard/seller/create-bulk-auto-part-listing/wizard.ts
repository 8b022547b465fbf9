import type { User } from '#contract/accounts.ts'
import type { ImportDefaults, ImportField } from '#contract/import-fields.ts'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import type { ColumnChoice } from './column-choice.ts'
import type { ImportFile } from './import-file.ts'
import type { RowEdits } from './row-edits.ts'
import type { RunOptions } from './run-options.ts'
import type { ChosenFile } from './use-import-file.ts'
import type { ImportRun } from './use-import-run.ts'
import type { WizardTab } from './wizard-tabs.ts'

/** Where staged rows go and under which day (spec, section 3). */
export type Staging = { sellerSlug: string; datasetHint: string; timestamp: string }

/** The one state of the page, which all its tabs share. */
export type Wizard = {
  user: User
  /** An administrator without the plan: may check, not import. */
  preview: boolean
  tab: WizardTab
  goTo: (tab: WizardTab) => void
  chosen: ChosenFile
  /** The file once it is read. */
  file: ImportFile | undefined
  choose: (file: File) => void
  /** Reads the same file again, in another way; edits of its rows are forgotten. */
  readAs: (said: SaidReading) => void
  columns: ColumnChoice
  setColumns: (columns: ColumnChoice) => void
  defaults: ImportDefaults
  setDefaults: (defaults: ImportDefaults) => void
  options: RunOptions
  setOptions: (options: RunOptions) => void
  staging: Staging
  setStaging: (staging: Staging) => void
  edits: RowEdits
  setEdits: (edits: RowEdits) => void
  run: ImportRun
  /** Needed fields that have neither column nor value, once somebody tried to go on. */
  missing: readonly ImportField[]
  /** Starts the dry run and shows Validate; where something is missing says what, and goes there. */
  check: () => void
  /** Asks where much may end, then sends the file and shows Run Import. */
  startImport: () => void
}
