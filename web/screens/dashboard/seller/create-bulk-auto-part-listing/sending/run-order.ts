import type { User } from '#contract/account/accounts.ts'
import type { ImportDefaults, ImportMapping } from '#contract/csv/import-fields.ts'
import type { ImportMode, StagedReply } from '#contract/imports.ts'
import type { ChosenReading } from '#contract/yard-file/reading.ts'
import type { WaitsFor } from '#web/api/patience.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import type { RowEdits } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import type { DryRunResult } from './dry-run-result.ts'

export type RunOrder = {
  file: ImportFile
  mapping: ImportMapping
  defaults: ImportDefaults
  mode: ImportMode
  dryRun: boolean
  chunkSize: number
  concurrency: number
  edits: RowEdits
  /** The seller's answers to a check's questions about columns. */
  answers?: Answers
  /** A check that nobody asked for: what is changed meanwhile ends it, and nobody is taken to its result. */
  byItself?: boolean
  /** Fields whose columns were suggested and not chosen by a person. */
  suggested?: readonly string[]
  /** What a person chose of the reading, for later files that look like this one. */
  readAs?: ChosenReading | undefined
  staging: Staging
}

/** By the question's id: the chosen choice, or several of them. */
export type Answers = Readonly<Record<string, string | readonly string[]>>
export const noAnswers: Answers = {}

/** Indexes into this list are the values of `RunProgress.chunks`. `done`: validated by a dry run, or staged. */
export const chunkStates = ['queued', 'uploading', 'done', 'failed'] as const
export type ChunkState = (typeof chunkStates)[number]

export type RunProgress = {
  rows: number
  characters: number
  /** Each chunk's state as an index into `chunkStates`; empty until the number of chunks is known. */
  chunks: Uint8Array
  atMs: number
  /** The file is stored in this browser, so the upload resumes after a reload. */
  isKept: boolean
  paused: boolean
  waitsFor: WaitsFor
}

export type RunElsewhere = {
  fileName: string
  dryRun: boolean
  rows: number
  records: number
  paused: boolean
  waitsFor: WaitsFor
}

export type RunOutcome =
  | { step: 'checked'; order: RunOrder; result: DryRunResult }
  /** `reply` is set if this page sent the last chunk; `order` is undefined if another tab sent the file. */
  | { step: 'sent'; order: RunOrder | undefined; importId: string; reply: StagedReply | undefined }

export type RunState =
  | { step: 'idle' }
  | { step: 'sending'; order: RunOrder; progress: RunProgress }
  /** Stopped by the user, who can resume it. */
  | { step: 'stopped'; order: RunOrder; progress: RunProgress }
  | { step: 'elsewhere'; run: RunElsewhere | undefined }
  | RunOutcome
  | { step: 'failed'; order: RunOrder; error: unknown; progress: RunProgress }

/** Where and under which date rows are staged. */
export type Staging = { sellerSlug: string; datasetHint: string; timestamp: string }

const DATASET = 'ecomm'

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

/** The user's name, else the email prefix, else "seller_" and 8 characters of the id. */
export function sellerSlugOf({ name, email, id }: Pick<User, 'name' | 'email' | 'id'>): string {
  return plain(name) || plain(email.split('@')[0] ?? '') || `seller_${id.slice(0, 8)}`
}

const twoDigits = (count: number) => String(count).padStart(2, '0')

/** The local date, not the UTC one. */
export const dayOf = (time: Date): string =>
  [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-')

export const standardStaging = (user: User, now: Date): Staging => ({
  sellerSlug: sellerSlugOf(user),
  datasetHint: DATASET,
  timestamp: dayOf(now),
})
