import type { ImportDefaults, ImportMapping } from '#contract/import-fields.ts'
import type { ImportMode } from '#contract/imports.ts'
import type { DryRunResult } from './dry-run-result.ts'
import type { ImportFile } from './read-import-file.ts'

/** What is to be sent, and how. */
export type RunOrder = {
  file: ImportFile
  mapping: ImportMapping
  defaults: ImportDefaults
  mode: ImportMode
  dryRun: boolean
}

/** How much of it the server has; `waiting` while it does not answer and is tried again. */
export type RunProgress = { rows: number; bytes: number; paused: boolean; waiting: boolean }

export type RunOutcome =
  | { step: 'checked'; order: RunOrder; result: DryRunResult }
  | { step: 'sent'; importId: string }

export type RunState =
  | { step: 'idle' }
  | { step: 'sending'; order: RunOrder; progress: RunProgress }
  | RunOutcome
  | { step: 'failed'; order: RunOrder; error: unknown; progress: RunProgress }
