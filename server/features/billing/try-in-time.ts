import { setTimeout as sleep } from 'node:timers/promises'
import { ProviderFailure } from './provider-failure.ts'

export type Times = {
  /** When everything has to be over, by `performance.now()`. */
  readonly deadline: number
  /** The longest that one try waits for an answer. */
  readonly tryMs: number
  readonly pauseMs: number
}

const TRIES = 3
// Less than this is not worth another try: the answer of a good call takes 0.2 to 1 s, a new connection included.
const LEAST_MS = 1_500

/**
 * Asks up to three times, with a pause that doubles, as long as the failure may pass and time is left; while another call
 * does the same, until that is done. Never beyond the deadline, however slowly an answer drips.
 * @throws ProviderFailure
 */
export async function tryInTime<T>(ask: (timeoutMs: number) => Promise<T>, times: Times): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    const left = times.deadline - performance.now()
    if (left <= 0) throw tooLate()
    try {
      return await withinTime(ask(Math.ceil(Math.min(left, times.tryMs))), left)
    } catch (error) {
      // Others' clicks fail at the same moment; not all of them shall come again at the same moment, too.
      const pause = times.pauseMs * 2 ** (tried - 1) * (1 + Math.random() / 2)
      const mayTryAgain =
        error instanceof ProviderFailure && error.mayPass && (tried < TRIES || error.isUnderWay)
      if (!mayTryAgain || times.deadline - performance.now() < pause + LEAST_MS) throw error
      await sleep(pause)
    }
  }
}

async function withinTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  const timer = new AbortController()
  const late = sleep(ms, undefined, { signal: timer.signal }).then(() => {
    throw tooLate()
  })
  // Aborting it is no failure of anything.
  late.catch(() => undefined)
  try {
    return await Promise.race([answer, late])
  } finally {
    timer.abort()
  }
}

function tooLate(): ProviderFailure {
  return new ProviderFailure('No answer of the payment provider in time', {
    code: undefined,
    status: undefined,
    mayPass: true,
    cause: undefined,
  })
}
