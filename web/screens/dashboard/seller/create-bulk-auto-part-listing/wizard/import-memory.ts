import { z } from 'zod'
import { type ImportMode, importModes } from '#contract/imports.ts'
import { keepOnDevice, readFromDevice } from '#web/api/device-copies.ts'
import { randomKey } from '#web/api/request-parts.ts'
import { mappingOf } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/column-choice.ts'

/** How a file is sent. */
export type RunOptions = {
  mode: ImportMode
  /** Whether the Upload tab's button only checks the file. */
  dryRun: boolean
  chunkSize: number
  concurrency: number
}

export const chunkSizes = { least: 100, most: 2_000, step: 100, standard: 1_000 } as const
export const concurrencies = { least: 1, most: 5, standard: 2 } as const

const standardOptions: RunOptions = {
  mode: 'add',
  dryRun: true,
  chunkSize: chunkSizes.standard,
  concurrency: concurrencies.standard,
}

const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)

/** Rounds to a step within the limits. */
export const chunkSizeOf = (rows: number): number =>
  within(Math.round(rows / chunkSizes.step) * chunkSizes.step, chunkSizes.least, chunkSizes.most)

export const concurrencyOf = (count: number): number =>
  within(Math.round(count), concurrencies.least, concurrencies.most)

const text = z.string().nullable().catch(null)
// Defaults have the same shape as a mapping. Null if the user did not change them.
const fieldTexts = z.record(z.string(), z.unknown()).transform(mappingOf).nullable().catch(null)

/** The settings of the next run. `file` is the key of the file that the columns belong to. */
const draftSchema = z.object({
  file: text,
  mapping: fieldTexts,
  defaults: fieldTexts,
  mode: z.enum(importModes).catch('add'),
})
export const noDraft = draftSchema.parse({})

/** An unfinished run. `content` identifies its file and settings (see `orderContent`). */
const runSchema = z.object({
  content: z.string(),
  key: z.string(),
  /** Known from the first reply of an import. */
  importId: z.string().optional(),
})
export type KeptRun = z.infer<typeof runSchema>

/** Stored on this device under 'bulkImport'. Values of an unexpected type are ignored. */
const memorySchema = z.object({
  dryRun: z.boolean().catch(standardOptions.dryRun),
  /** The last template used. */
  mappingId: text,
  chunkSize: z.number().transform(chunkSizeOf).catch(standardOptions.chunkSize),
  concurrency: z.number().transform(concurrencyOf).catch(standardOptions.concurrency),
  draft: draftSchema.catch(noDraft),
  /** Newest first. */
  runs: z.array(runSchema).catch([]),
})
type Memory = z.infer<typeof memorySchema>

/** Older runs are unlikely to be resumed. */
const MAX_RUNS = 10

export const readMemory = (): Memory => parseMemory(readFromDevice('bulkImport'))

export function parseMemory(stored: string | null): Memory {
  try {
    return memorySchema.parse(JSON.parse(stored ?? ''))
  } catch {
    return memorySchema.parse({})
  }
}

export function remember(changes: Partial<Memory>): void {
  keepOnDevice('bulkImport', { ...readMemory(), ...changes })
}

export function rememberDraft(changes: Partial<Memory['draft']>): void {
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
  remember({ runs: [run, ...others].slice(0, MAX_RUNS) })
}

/** Removes a finished run, so that the same content starts a new one. */
export function endRun({ key }: Pick<KeptRun, 'key'>): void {
  remember({ runs: readMemory().runs.filter((run) => run.key !== key) })
}
