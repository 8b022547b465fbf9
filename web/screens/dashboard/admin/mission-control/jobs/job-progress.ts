import type { Job } from '#contract/admin/automation.ts'

/* A job's progress in the jobs list: which attempt, why, and how long. */

/** "1/3": the attempt and the maximum. */
export const attemptWords = ({ attempts, maxAttempts }: Pick<Job, 'attempts' | 'maxAttempts'>): string =>
  `${attempts}/${maxAttempts}`

/** The reason for a job's status in one line, or undefined if the status needs none. */
export function reasonOf({ status, error, progress, cancelRequested, retryOf }: Job): string | undefined {
  if (status === 'waiting-manual') return 'Waiting for an answer'
  if (cancelRequested && (status === 'running' || status === 'queued')) return 'Being canceled'
  const problem = error?.split('\n', 1)[0]
  if (problem) return problem
  if (status === 'running' && progress?.note) return progress.note
  return retryOf === null ? undefined : `Retry of job ${retryOf.slice(-8)}`
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long it ran, so far or in all: "0.4 s", "12 s", "3 min 5 s", "2 h 10 min"; undefined before it starts. */
export function durationOf({ startedAt, endedAt }: Job, now: Date): string | undefined {
  if (startedAt === null) return undefined
  const ms = Math.max(
    0,
    (endedAt === null ? now : new Date(endedAt)).getTime() - new Date(startedAt).getTime(),
  )
  if (ms < 10 * SECOND) return `${(ms / SECOND).toFixed(1)} s`
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`
}
