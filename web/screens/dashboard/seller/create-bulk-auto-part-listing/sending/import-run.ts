import type { User } from '#contract/accounts.ts'
import type { ImportDefaults, ImportMapping } from '#contract/csv/import-fields.ts'
import type { ImportMode, StagedReply } from '#contract/imports.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import type { RowEdits } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import type { DryRunResult } from './dry-run-result.ts'

/** What is to be sent, and how. */
export type RunOrder = {
  file: ImportFile
  mapping: ImportMapping
  defaults: ImportDefaults
  mode: ImportMode
  dryRun: boolean
  chunkSize: number
  concurrency: number
  edits: RowEdits
  staging: Staging
}

/** In the order of their numbers, as `RunProgress.chunks` has them. `done`: validated by a dry run, else staged. */
export const chunkStates = ['queued', 'uploading', 'done', 'failed'] as const
export type ChunkState = (typeof chunkStates)[number]

/** Whom the sending waits for. */
export type WaitsFor = 'nobody' | 'network' | 'server'

/** How much of it the server has. */
export type RunProgress = {
  rows: number
  characters: number
  /** The state of each chunk by its place in `chunkStates`; empty until their number is known. */
  chunks: Uint8Array
  /** When this was so. */
  atMs: number
  /** The file lies in this browser: after a reload it goes on by itself. */
  isKept: boolean
  paused: boolean
  waitsFor: WaitsFor
}

/** What another tab of this browser tells about its run. */
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
  /** `reply` where this page saw the last chunk arrive; no order where another tab sent it. */
  | { step: 'sent'; order: RunOrder | undefined; importId: string; reply: StagedReply | undefined }

export type RunState =
  | { step: 'idle' }
  | { step: 'sending'; order: RunOrder; progress: RunProgress }
  /** Stopped by the person, to go on later. */
  | { step: 'stopped'; order: RunOrder; progress: RunProgress }
  /** Another tab sends; nothing is sent from here. */
  | { step: 'elsewhere'; run: RunElsewhere | undefined }
  | RunOutcome
  | { step: 'failed'; order: RunOrder; error: unknown; progress: RunProgress }

/** Where staged rows go and under which day (spec, section 3). */
export type Staging = { sellerSlug: string; datasetHint: string; timestamp: string }

const DATASET = 'ecomm'

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

/** Spec, section 9: the user's name, else the e-mail prefix, else "seller_" and 8 characters of the id. */
export function sellerSlugOf({ name, email, id }: Pick<User, 'name' | 'email' | 'id'>): string {
  return plain(name) || plain(email.split('@')[0] ?? '') || `seller_${id.slice(0, 8)}`
}

const twoDigits = (count: number) => String(count).padStart(2, '0')

/** The day on the wall, not the one in Greenwich. */
export const dayOf = (time: Date): string =>
  [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-')

export const standardStaging = (user: User, now: Date): Staging => ({
  sellerSlug: sellerSlugOf(user),
  datasetHint: DATASET,
  timestamp: dayOf(now),
})
