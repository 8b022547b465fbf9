import { hasEnded, type JobStatus } from '#contract/automation.ts'

const WORDS: Record<JobStatus, string> = {
  queued: 'it still waits in its queue',
  retrying: 'it waits for its next attempt',
  running: 'it is running',
  'waiting-manual': 'it waits for an answer',
  completed: 'it is completed',
  failed: 'it has failed',
  cancelled: 'it was cancelled',
}

/** Why nothing can be sent to it. */
export function notListening(status: JobStatus, cancelRequested: boolean): string {
  if (cancelRequested && !hasEnded(status)) return 'The job does not listen any more: it is being cancelled.'
  return `The job does not listen: ${WORDS[status]}.`
}

/** Why an answer is not taken: it would be one to the next question, or a line of input. */
export const answeredAlready =
  'This question is not open any more: somebody has answered it, or the job went on without. Nothing was sent.'

export const notEnded = (status: JobStatus): string =>
  `Only a job that has ended can run again: ${WORDS[status]}. Cancel it first, or wait for its end.`
