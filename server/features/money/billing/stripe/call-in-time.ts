import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { ProviderFailure } from '#server/features/money/billing/provider.ts'

export type Times = {
  /** Deadline for all tries together, by `performance.now()`. */
  readonly deadline: number
  /** How long one try may wait for a response. */
  readonly tryMs: number
  readonly pauseMs: number
}

const TRIES = 3
// With less time left, another try is pointless: a good call takes 0.2 to 1 s, including a new connection.
const MIN_TRY_MS = 1_500

/**
 * Calls up to three times, with a doubling pause, while the failure may pass and time is left. If another call with the
 * same key is in progress, retries until that one is done. Never runs beyond the deadline, however slow the response.
 * @throws ProviderFailure
 */
export async function tryInTime<T>(ask: (timeoutMs: number) => Promise<T>, times: Times): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    const left = times.deadline - performance.now()
    if (left <= 0) throw tooLate()
    try {
      return await withinTime(ask(Math.ceil(Math.min(left, times.tryMs))), left)
    } catch (error) {
      // Jitter: clicks that failed together should not all retry together.
      const pause = times.pauseMs * 2 ** (tried - 1) * (1 + Math.random() / 2)
      const mayTryAgain =
        error instanceof ProviderFailure && error.mayPass && (tried < TRIES || error.isUnderWay)
      if (!mayTryAgain || times.deadline - performance.now() < pause + MIN_TRY_MS) throw error
      await sleep(pause)
    }
  }
}

async function withinTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  const timer = new AbortController()
  const late = sleep(ms, undefined, { signal: timer.signal }).then(() => {
    throw tooLate()
  })
  // Aborting the timer rejects it, too.
  late.catch(() => undefined)
  try {
    return await Promise.race([answer, late])
  } finally {
    timer.abort()
  }
}

function tooLate(): ProviderFailure {
  return new ProviderFailure('The payment provider did not respond in time', {
    code: undefined,
    status: undefined,
    mayPass: true,
    cause: undefined,
  })
}

// Longer than a good call ever takes (1 s), short enough for a person to wait.
export const TRY_MS = 8_000
const PAUSE_MS = 300

type Options = { timeout: number; idempotencyKey?: string }

/** Makes calls within the time left, with the same key on every try. */
export function asker(deadline: number, tryMs = TRY_MS) {
  return <T>(call: (options: Options) => Promise<T>, key?: string): Promise<T> =>
    tryInTime(
      async (timeout) => {
        try {
          return await call({ timeout, ...(key !== undefined && { idempotencyKey: key }) })
        } catch (error) {
          throw failureOf(error)
        }
      },
      { deadline, tryMs, pauseMs: PAUSE_MS },
    )
}

/** Converts the SDK's errors; others are our bugs and stay unchanged. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const { statusCode: status, headers, message } = error
  const isKeyUsed = error instanceof Stripe.errors.StripeIdempotencyError
  const answered = status !== undefined
  const mayPass =
    error instanceof Stripe.errors.StripeConnectionError ||
    (answered && (status === 409 || status === 429 || status >= 500))
  return new ProviderFailure(message, {
    code: isKeyUsed ? 'idempotency_error' : error.code,
    status,
    param: error.param,
    requestId: error.requestId,
    // The provider's own hint takes precedence: a failure stored with the key would repeat.
    mayPass: mayPass && headers?.['stripe-should-retry'] !== 'false',
    cause: error,
  })
}
