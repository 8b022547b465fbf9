import type { User } from '#contract/account/accounts.ts'
import { ApiError, NetworkError } from '#web/api/failures.ts'

/** 30 s in total; a payment is usually confirmed within the first seconds. */
const pausesSeconds = [1, 2, 3, 4, 5, 7, 8]
/** Slow responses count toward the wait. */
const longestMs = 30_000

type Confirming = {
  ask: () => Promise<{ ok: boolean; user: User }>
  signal: AbortSignal
  /** Called each time Stripe has not confirmed yet. */
  onPending: () => void
  sleep?: (seconds: number, signal: AbortSignal) => Promise<void>
  now?: () => number
}

/**
 * Asks until the checkout is confirmed and returns the updated user, or undefined if it is still pending after about
 * 30 s. Throws a refusal at once, and a temporary failure when time is up.
 */
export async function confirmPatiently({
  ask,
  signal,
  onPending,
  sleep = sleepFor,
  now = () => performance.now(),
}: Confirming): Promise<User | undefined> {
  const startedAt = now()
  for (const pause of [...pausesSeconds, undefined]) {
    const isLast = pause === undefined || now() - startedAt >= longestMs
    const answer = await ask().catch((error: unknown) => {
      signal.throwIfAborted()
      if (isLast || !isTemporary(error)) throw error
      return undefined
    })
    if (answer?.ok) return answer.user
    if (isLast) return undefined
    onPending()
    await sleep(pause, signal)
  }
  return undefined
}

/** A broken connection or an unreachable server, but not a refusal. */
function isTemporary(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && error.status >= 500)
}

function sleepFor(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((wake, refuse) => {
    signal.throwIfAborted()
    const timer = setTimeout(wake, seconds * 1_000)
    const stop = () => {
      clearTimeout(timer)
      refuse(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
