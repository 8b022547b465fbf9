import type { Job } from '#contract/automation.ts'

/** Whole percents; undefined where it is not known of how many. */
export function percentOf(progress: Job['progress']): number | undefined {
  if (!progress?.total || progress.total <= 0) return undefined
  return Math.min(100, Math.max(0, Math.floor((progress.done / progress.total) * 100)))
}

/** What people call a job: its script where it has one, and the beginning of what no other has. */
export const jobName = ({ scriptId, queueKey, id }: Pick<Job, 'scriptId' | 'queueKey' | 'id'>): string =>
  `${scriptId ?? queueKey} ${id.slice(-8)}`
