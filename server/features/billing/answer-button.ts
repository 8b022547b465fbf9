import { AppError } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import type { ProviderCalls, StripeClient } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'

// All calls of one click together; people wait for it.
const WITHIN_MS = 9_000
// An outage of the provider takes minutes; whoever is impatient may press again.
const RETRY_SECONDS = 15

/**
 * Does what a button asks of the provider, within about ten seconds whatever the provider does.
 * @throws AppError PAYMENTS_UNREACHABLE with the button's own sentence where it did not answer or refused
 */
export async function answerButton<T>(
  { stripe, log }: { stripe: StripeClient; log: Log },
  sentence: string,
  work: (calls: ProviderCalls) => Promise<T>,
): Promise<T> {
  try {
    return await work(stripe.within(WITHIN_MS))
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    log.warn({ reason: error.message, code: error.code, status: error.status }, sentence)
    throw new AppError('PAYMENTS_UNREACHABLE', sentence, { retryAfterSeconds: RETRY_SECONDS, cause: error })
  }
}
