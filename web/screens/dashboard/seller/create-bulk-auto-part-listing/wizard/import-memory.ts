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

/** What this device remembers of importing (spec, section 4), under the key 'bulkImport'. */
type Memory = {
  /** Whether the next run only checks. */
  dryRun: boolean
  /** The template that was used last. */
  mappingId: string | null
  chunkSize: number
  concurrency: number
  /** What was chosen for the next run and not sent. */
  draft: Draft
  /** Runs that were begun and not ended, newest first. */
  runs: KeptRun[]
}
export type Draft = {
  /** The file that the columns are of. */
  file: string | null
  /** Null where the columns are as they were proposed. */
  mapping: ImportMapping | null
  /** Null where they are as the account has them. */
  defaults: ImportDefaults | null
  mode: ImportMode
}
export type KeptRun = {
  /** File, mapping, defaults, edits, mode and kind of run as one text: what makes two runs the same. */
  content: string
  key: string
  /** Known from the first answer of a real run on. */
  importId?: string
}

/** Older ones belong to files that nobody will choose again. */
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

/** Whatever is not of the expected kind counts as not remembered. */
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
    // Both are texts by field.
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

/** The run of this content that was begun before, after a reload too; else a new one, kept from now on. */
export function beginRun(content: string): KeptRun {
  const run = findRun(content) ?? { content, key: `bulk_${randomKey()}` }
  keepRun(run)
  return run
}

/** The run of this content that was begun and is not over. */
export const findRun = (content: string): KeptRun | undefined =>
  readMemory().runs.find((run) => run.content === content)

export function keepRun(run: KeptRun): void {
  const others = readMemory().runs.filter(({ content }) => content !== run.content)
  remember({ runs: [run, ...others].slice(0, MOST_RUNS) })
}

/** It ended: the same content sent again is a new run. */
export function endRun({ key }: Pick<KeptRun, 'key'>): void {
  remember({ runs: readMemory().runs.filter((run) => run.key !== key) })
}
