import { AppError } from '#server/platform/app-error.ts'
import { networkOf } from '#server/platform/network-of.ts'
import { waitInWords } from '#server/platform/wait-in-words.ts'

/** Who asks after five parts of one yard within an hour had better call; a machine that floods an inbox is stopped. */
export const MESSAGES_TO_ONE_SELLER = { most: 5, seconds: 3_600 }

export function messageWindow(sellerId: string, ip: string): string {
  return `message:${sellerId}:${networkOf(ip)}`
}

/** The refusal of a full window, in words that name the seller's limit. */
export function tooManyMessages(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'TOO_MANY') return error
  const { retryAfterSeconds = MESSAGES_TO_ONE_SELLER.seconds } = error
  const sentence = `You have sent this seller ${MESSAGES_TO_ONE_SELLER.most} messages within an hour. Please try again in ${waitInWords(retryAfterSeconds)}.`
  return new AppError('TOO_MANY', sentence, { retryAfterSeconds, cause: error })
}
