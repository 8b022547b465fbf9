import { ApiError, NetworkError } from '#web/api/failures.ts'
import type { WaitsFor } from './import-run.ts'

/**
 * With the waits below a server that restarts is sat out, and a connection that is down for an hour; while the device knows
 * that it is offline, for as long as it is.
 */
const MOST_ATTEMPTS = { server: 8, network: 180 }
const LONGEST_WAIT_SECONDS = 20
/** A proxy in front of a server that restarts answers these; 503 also means that the piece is being worked on. */
const passingStatuses = [502, 503, 504]

type Patience = {
  signal: AbortSignal
  /** While it waits to try again, and `nobody` when it does. */
  onWait: (waitsFor: WaitsFor) => void
  sleep?: (seconds: number, signal: AbortSignal) => Promise<void>
}

/** Sends until it is answered, or refused for good. What is sent must be safe to send twice. */
export async function sendPatiently<A>(
  send: () => Promise<A>,
  { signal, onWait, sleep = sleepFor }: Patience,
): Promise<A> {
  const attempts = { network: 0, server: 0 }
  for (;;) {
    try {
      return await send()
    } catch (error) {
      signal.throwIfAborted()
      const waitsFor = error instanceof NetworkError ? 'network' : 'server'
      const attempt = ++attempts[waitsFor]
      if (attempt >= MOST_ATTEMPTS[waitsFor] || !passes(error)) throw error
      onWait(waitsFor)
      await sleepOnline(() => sleep(waitAfter(error, attempt), signal))
      onWait('nobody')
    }
  }
}

/** Once at least; a device that knows that it is offline need not try. */
async function sleepOnline(sleep: () => Promise<void>): Promise<void> {
  do await sleep()
  while (typeof navigator !== 'undefined' && navigator.onLine === false)
}

/** Whether trying again may help. A long wait asked for is the person's to decide about, not ours. */
function passes(error: unknown): boolean {
  if (error instanceof NetworkError) return true
  if (!(error instanceof ApiError)) return false
  if (error.status === 429)
    return (error.retryAfterSeconds ?? Number.POSITIVE_INFINITY) <= LONGEST_WAIT_SECONDS
  return passingStatuses.includes(error.status)
}

function waitAfter(error: unknown, attempt: number): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined
  return Math.min(asked ?? 2 ** (attempt - 1), LONGEST_WAIT_SECONDS)
}

/** Ends early where the device is online again. */
function sleepFor(seconds: number, signal: AbortSignal): Promise<void> {
  // Several browsers that wait for one server do not all come back at the same moment.
  const milliseconds = seconds * 1_000 * (1 + Math.random() / 4)
  return new Promise((wake, refuse) => {
    const end = (then: () => void) => () => {
      clearTimeout(timer)
      removeEventListener('online', awake)
      signal.removeEventListener('abort', left)
      then()
    }
    const awake = end(wake)
    const left = end(() => refuse(signal.reason))
    const timer = setTimeout(awake, milliseconds)
    addEventListener('online', awake)
    signal.addEventListener('abort', left)
  })
}
