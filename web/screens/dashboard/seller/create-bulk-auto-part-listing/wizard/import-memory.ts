import type { ImportDefaults, ImportMapping } from '#contract/csv/import-fields.ts'
import { type ImportMode, importModes } from '#contract/imports.ts'
import { keepOnDevice, readFromDevice } from '#web/api/device-copies.ts'
import { randomKey } from '#web/api/request-parts.ts'
import { mappingOf } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/column-choice.ts'
import {
  chunkSizeOf,
  concurrencyOf,
  standardOptions,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/run/run-options.ts'

/** Stored on this device under 'bulkImport' (spec, section 4). */
type Memory = {
  dryRun: boolean
  /** The last template used. */
  mappingId: string | null
  chunkSize: number
  concurrency: number
  /** The settings of the next run. */
  draft: Draft
  /** Unfinished runs, newest first. */
  runs: KeptRun[]
}
export type Draft = {
  /** The key of the file that the columns belong to. */
  file: string | null
  /** Null if the suggested columns were not changed. */
  mapping: ImportMapping | null
  /** Null if the account's defaults were not changed. */
  defaults: ImportDefaults | null
  mode: ImportMode
}
export type KeptRun = {
  /** Identifies the run's file and settings (see `runContent`). */
  content: string
  key: string
  /** Known from the first reply of an import. */
  importId?: string
}

/** Older runs are unlikely to be resumed. */
const MOST_RUNS = 10

export const noDraft: Draft = { file: null, mapping: null, defaults: null, mode: 'add' }

const fresh: Memory = {
  dryRun: standardOptions.dryRun,
  mappingId: null,
  chunkSize: standardOptions.chunkSize,
  concurrency: standardOptions.concurrency,
  draft: noDraft,
  runs: [],
}

export function readMemory(): Memory {
  return parseMemory(readFromDevice('bulkImport'))
}

/** Values of an unexpected type are ignored. */
export function parseMemory(stored: string | null): Memory {
  try {
    const record: unknown = JSON.parse(stored ?? 'null')
    if (typeof record !== 'object' || record === null) return fresh
    const { dryRun, mappingId, chunkSize, concurrency, draft, runs } = record as Record<string, unknown>
    return {
      dryRun: dryRun !== false,
      mappingId: typeof mappingId === 'string' ? mappingId : null,
      chunkSize: typeof chunkSize === 'number' ? chunkSizeOf(chunkSize) : fresh.chunkSize,
      concurrency: typeof concurrency === 'number' ? concurrencyOf(concurrency) : fresh.concurrency,
      draft: draftOf(draft),
      runs: Array.isArray(runs) ? runs.filter(isRun) : [],
    }
  } catch {
    return fresh
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function draftOf(kept: unknown): Draft {
  if (!isObject(kept)) return noDraft
  const { file, mapping, defaults, mode } = kept
  return {
    file: typeof file === 'string' ? file : null,
    mapping: isObject(mapping) ? mappingOf(mapping) : null,
    // Defaults have the same shape as a mapping.
    defaults: isObject(defaults) ? mappingOf(defaults) : null,
    mode: importModes.find((one) => one === mode) ?? noDraft.mode,
  }
}

function isRun(run: unknown): run is KeptRun {
  if (typeof run !== 'object' || run === null) return false
  const { content, key, importId } = run as Record<string, unknown>
  return (
    typeof content === 'string' &&
    typeof key === 'string' &&
    (importId === undefined || typeof importId === 'string')
  )
}

export function remember(changes: Partial<Memory>): void {
  keepOnDevice('bulkImport', { ...readMemory(), ...changes })
}

export function rememberDraft(changes: Partial<Draft>): void {
  remember({ draft: { ...readMemory().draft, ...changes } })
}

/** The unfinished run with this content, or a new one. */
export function beginRun(content: string): KeptRun {
  const run = findRun(content) ?? { content, key: `bulk_${randomKey()}` }
  keepRun(run)
  return run
}

/** The unfinished run with this content. */
export const findRun = (content: string): KeptRun | undefined =>
  readMemory().runs.find((run) => run.content === content)

export function keepRun(run: KeptRun): void {
  const others = readMemory().runs.filter(({ content }) => content !== run.content)
  remember({ runs: [run, ...others].slice(0, MOST_RUNS) })
}

/** Removes a finished run, so that the same content starts a new one. */
export function endRun({ key }: Pick<KeptRun, 'key'>): void {
  remember({ runs: readMemory().runs.filter((run) => run.key !== key) })
}
