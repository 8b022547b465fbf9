import type { ImportMode } from '#contract/imports.ts'

/** How a file is sent (spec, section 9). */
export type RunOptions = {
  mode: ImportMode
  /** Whether the Upload tab's button only checks the file. */
  dryRun: boolean
  chunkSize: number
  concurrency: number
}

export const chunkSizes = { least: 100, most: 2_000, step: 100, standard: 1_000 } as const
export const concurrencies = { least: 1, most: 5, standard: 2 } as const

export const standardOptions: RunOptions = {
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
