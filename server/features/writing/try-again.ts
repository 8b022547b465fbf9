import { setTimeout as sleep } from 'node:timers/promises'
import { WritingFailure } from './writing-failure.ts'

export type WritingTimes = {
  readonly tries: number
  /** The longest that one try waits for an answer. */
  readonly tryMs: number
  /** Before the second try; doubled for each further one. */
  readonly pauseMs: number
  /** A provider that wants to be left alone for longer ends the try: a job shall fail in sight, not sleep. */
  readonly mostWaitMs: number
}

export const WRITING_TIMES: WritingTimes = {
  tries: 4,
  // A long description takes gpt-4o 5 to 15 s.
  tryMs: 60_000,
  pauseMs: 1_000,
  mostWaitMs: 60_000,
}

/** Asks again while the failure may pass, after as long as the provider wants or a pause that doubles. */
export async function tryAgain<T>(
  ask: (timeoutMs: number) => Promise<T>,
  { times, signal }: { times: WritingTimes; signal: AbortSignal },
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    signal.throwIfAborted()
    try {
      return await ask(times.tryMs)
    } catch (error) {
      if (!(error instanceof WritingFailure) || !error.mayPass || tried >= times.tries) throw error
      // Calls that were refused together shall not come back together.
      const pauseMs = times.pauseMs * 2 ** (tried - 1) * (1 + Math.random() / 4)
      const waitMs = error.waitMs === undefined ? pauseMs : Math.max(error.waitMs, 1)
      if (waitMs > times.mostWaitMs) throw error
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}
