import type { JsonValue } from '#db/schema.gen.ts'
import { FenceLost, GiveUp } from './job-definition.ts'
import type { Outcome } from './job-transitions.ts'
import { storableError } from './storable-text.ts'

/** Why a run's signal was aborted; the signal's reason is one of these, so handlers throw it on. */
export class RunAborted extends Error {
  override name = 'RunAborted'
  readonly why: 'cancelled' | 'timeout' | 'taken-over' | 'stopping' | 'parked'

  constructor(why: RunAborted['why'], message: string) {
    super(message)
    this.why = why
  }
}

/** The job goes on waiting for its answer, without a worker. */
export type Parked = { readonly to: 'waiting-manual' }

export type RunEnd = { readonly result: JsonValue | undefined } | { readonly error: unknown }

export type RunFacts = {
  readonly end: RunEnd
  readonly aborted: RunAborted | undefined
  /** The error came because the database was away. */
  readonly duringOutage: boolean
  readonly resumable: boolean
  /** Errors of earlier runs. */
  readonly attempts: number
  readonly maxAttempts: number
  readonly retryDelaySeconds: number
}

const LONGEST_DELAY_SECONDS = 3_600

/**
 * What becomes of a job after a run. Undefined where it is not ours to say. Work that is finished counts as finished,
 * also when a cancel or a stop came meanwhile.
 */
export function decideOutcome(facts: RunFacts): Outcome | Parked | undefined {
  const { end, aborted } = facts
  if (aborted?.why === 'taken-over') return undefined
  if ('result' in end) return { to: 'completed', result: end.result }
  if (end.error instanceof FenceLost) return undefined
  if (aborted?.why === 'cancelled') return { to: 'cancelled' }
  if (aborted?.why === 'parked') return { to: 'waiting-manual' }
  if (aborted?.why === 'stopping') return interrupted(facts.resumable, 'worker stopped')
  if (facts.duringOutage && facts.resumable) return interrupted(true, 'the database was away')
  const error = storableError(aborted?.why === 'timeout' ? aborted : end.error)
  const attempt = facts.attempts + 1
  if (attempt >= facts.maxAttempts || end.error instanceof GiveUp) {
    return { to: 'failed', error, counts: 'attempt' }
  }
  const afterSeconds = Math.min(facts.retryDelaySeconds * 2 ** facts.attempts, LONGEST_DELAY_SECONDS)
  return { to: 'retrying', error, counts: 'attempt', afterSeconds }
}

function interrupted(resumable: boolean, reason: string): Outcome {
  return resumable
    ? { to: 'queued', reason, counts: 'nothing' }
    : { to: 'failed', error: `worker lost: ${reason} before the job ended`, counts: 'lost' }
}

/** A job that was redelivered this often after lost workers is likely what kills them. */
const MOST_LOST_DELIVERIES = 5

/** What becomes of a running job whose worker shows no sign of life. */
export function decideLost(job: {
  cancelRequested: boolean
  resumable: boolean
  lostDeliveries: number
}): Outcome {
  if (job.cancelRequested) return { to: 'cancelled' }
  return job.resumable && job.lostDeliveries < MOST_LOST_DELIVERIES
    ? { to: 'queued', reason: 'worker lost', counts: 'lost' }
    : { to: 'failed', error: 'worker lost', counts: 'lost' }
}
