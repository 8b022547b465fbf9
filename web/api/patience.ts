import { ApiError, NetworkError } from './failures.ts'

/** Retry delay. */
export type WaitsFor = 'nobody' | 'network' | 'server'

/** With the waits below, enough for a server restart or an hour without network. Time offline does not count. */
const MAX_ATTEMPTS = { server: 8, network: 180 }
const MAX_WAIT_SECONDS = 20
/** What a proxy returns while the server restarts. 503 also means that the first request is still being processed. */
const temporaryStatuses = [502, 503, 504]

type Patience = {
  signal: AbortSignal
  /** Called before waiting to retry, and with `nobody` afterwards. */
  onWait: (waitsFor: WaitsFor) => void
  sleep?: (seconds: number, signal: AbortSignal) => Promise<void>
}

/** Sends until there is a reply or a permanent error. The request must be safe to repeat. */
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
      if (attempt >= MAX_ATTEMPTS[waitsFor] || !isTemporary(error)) throw error
      onWait(waitsFor)
      await sleepOnline(() => sleep(waitAfter(error, attempt), signal))
      onWait('nobody')
    }
  }
}

/** Sleeps at least once, and for as long as the device is offline. */
async function sleepOnline(sleep: () => Promise<void>): Promise<void> {
  do await sleep()
  while (navigator.onLine === false)
}

/** Whether a retry may help. If the server asks for a long wait, the user decides. */
function isTemporary(error: unknown): boolean {
  if (error instanceof NetworkError) return true
  if (!(error instanceof ApiError)) return false
  if (error.status === 429) return (error.retryAfterSeconds ?? Number.POSITIVE_INFINITY) <= MAX_WAIT_SECONDS
  return temporaryStatuses.includes(error.status)
}

function waitAfter(error: unknown, attempt: number): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined
  return Math.min(asked ?? 2 ** (attempt - 1), MAX_WAIT_SECONDS)
}

const hurry = new EventTarget()

/** Retries all waiting calls now, because the user asked for it. */
export const sendWaitingNow = (): void => void hurry.dispatchEvent(new Event('now'))

/** Ends early when the device comes back online. */
function sleepFor(seconds: number, signal: AbortSignal): Promise<void> {
  // Jitter, so that waiting browsers don't all retry at the same moment.
  const milliseconds = seconds * 1_000 * (1 + Math.random() / 4)
  const ended = new AbortController()
  return new Promise<void>((wake, reject) => {
    setTimeout(wake, milliseconds)
    addEventListener('online', () => wake(), { signal: ended.signal })
    hurry.addEventListener('now', () => wake(), { signal: ended.signal })
    signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal })
  }).finally(() => ended.abort())
}
