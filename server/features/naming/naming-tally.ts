import { z } from 'zod'
import type { NameReview } from './review-names.ts'

const count = z.int().min(0)

/** What became of names, over all runs of a job. */
export const namingTally = z.object({
  kept: count,
  renamed: count,
  merged: count,
  unsure: count,
  notDone: count,
  skipped: count,
})
export type NamingTally = z.output<typeof namingTally>

export const NO_NAMES: NamingTally = { kept: 0, renamed: 0, merged: 0, unsure: 0, notDone: 0, skipped: 0 }

const outcomes = { keep: 'kept', rename: 'renamed', merge: 'merged', ask: 'unsure' } as const

export function addNames(tally: NamingTally, reviews: readonly NameReview[]): NamingTally {
  const sum = { ...tally }
  for (const { decision, problem, isSkipped } of reviews) {
    if (isSkipped) sum.skipped += 1
    else if (problem !== undefined) sum.notDone += 1
    else sum[outcomes[decision.kind]] += 1
  }
  return sum
}

export const namesDone = (tally: NamingTally): number =>
  Object.values(tally).reduce((sum, each) => sum + each, 0)
