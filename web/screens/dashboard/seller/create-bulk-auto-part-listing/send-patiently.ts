import { ApiError, NetworkError } from '#web/api/failures.ts'

/** With the waits below, a server that restarts or a connection that drops for a minute is sat out. */
const MOST_ATTEMPTS = 8
const LONGEST_WAIT_SECONDS = 20
/** A proxy in front of a server that restarts answers these; 503 also means that the piece is being worked on. */
const passingStatuses = [502, 503, 504]

type Patience = {
  signal: AbortSignal
  /** While it waits to try again, and `undefined` when it does. */
  onWait: (seconds: number | undefined) => void
  sleep?: (seconds: number, signal: AbortSignal) => Promise<void>
}

/** Sends until it is answered, or refused for good. What is sent must be safe to send twice. */
export async function sendPatiently<A>(
  send: () => Promise<A>,
  { signal, onWait, sleep = sleepFor }: Patience,
): Promise<A> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      signal.throwIfAborted()
      if (attempt === MOST_ATTEMPTS || !passes(error)) throw error
      const seconds = waitAfter(error, attempt)
      onWait(seconds)
      await sleep(seconds, signal)
      onWait(undefined)
    }
  }
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

function sleepFor(seconds: number, signal: AbortSignal): Promise<void> {
  // Several browsers that wait for one server do not all come back at the same moment.
  const milliseconds = seconds * 1_000 * (1 + Math.random() / 4)
  return new Promise((wake, refuse) => {
    const timer = setTimeout(wake, milliseconds)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        refuse(signal.reason)
      },
      { once: true },
    )
  })
}
