import { z } from 'zod'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

/* The queues of the trial. Its jobs do nothing but leave effects, each in one transaction with its checkpoint. */

export type Trial = {
  /** Which of the plan it is. */
  readonly no: number
  readonly steps: number
  /** What it waits after each. */
  readonly ms: number
}

function trialQueue(name: string, settings: Partial<JobQueue<Trial>> = {}): JobQueue<Trial> {
  return {
    name: `trial-${name}`,
    title: `Trial: ${name}`,
    payload: z.object({ no: z.int(), steps: z.int(), ms: z.int() }),
    maxAttempts: 3,
    retryDelaySeconds: 1,
    resumable: true,
    timeoutSeconds: 300,
    concurrency: 4,
    ...settings,
  }
}

export const trialQueues = {
  /** One effect, and it is done. */
  quick: trialQueue('quick'),
  /** Some seconds with several effects. */
  steps: trialQueue('steps', { concurrency: 6 }),
  /** The same, but what is lost with its worker must not be begun again. */
  once: trialQueue('once', { resumable: false }),
  /** Its first run throws after its first effect. */
  throws: trialQueue('throws'),
  /** Somebody cancels it, sooner or later. */
  cancelled: trialQueue('cancelled'),
  /** Asks before each effect. */
  asks: trialQueue('asks'),
  /** A process of its own. */
  script: trialQueue('script', { concurrency: 2, abortGraceSeconds: 8 }),
} as const

export type TrialKind = keyof typeof trialQueues
