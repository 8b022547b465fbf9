import { z } from 'zod'
import type { PageOutcome } from './write-pages.ts'

const count = z.int().min(0)

/** How many pages became what, over all runs of a job. */
export const pageTally = z.object({ new: count, changed: count, stands: count, empty: count, refused: count })
export type PageTally = z.output<typeof pageTally>

export const NO_PAGES: PageTally = { new: 0, changed: 0, stands: 0, empty: 0, refused: 0 }

export function addPages(tally: PageTally, outcomes: readonly Pick<PageOutcome, 'outcome'>[]): PageTally {
  const sum = { ...tally }
  for (const { outcome } of outcomes) sum[outcome] += 1
  return sum
}

export const pagesDone = (tally: PageTally): number =>
  tally.new + tally.changed + tally.stands + tally.empty + tally.refused
