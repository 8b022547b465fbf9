import { AppError, waitInWords } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/net/addresses.ts'

/** Who asks after five parts of one yard within an hour had better call; a machine that floods an inbox is stopped. */
export const MESSAGES_TO_ONE_SELLER = { most: 5, seconds: 3_600 }

/**
 * Mails about messages to one seller, whoever wrote them. What a crowd of addresses sends is in the inbox all the same, but
 * does not bury the seller's mailbox, nor have our mail taken for junk.
 */
export const MAILED_TO_ONE_SELLER = { most: 60, seconds: 3_600 }

/** Answers come from us to an address that anybody may have typed: a conversation fits, a bombardment does not. */
export const ANSWERS_TO_ONE_MESSAGE = { most: 20, seconds: 86_400 }

export function messageWindow(sellerId: string, ip: string): string {
  return `message:${sellerId}:${networkOf(ip)}`
}

export function mailedWindow(sellerId: string): string {
  return `message-mail:${sellerId}`
}

export function answerWindow(leadId: string): string {
  return `answer:${leadId}`
}

/** Whether the message that is the `count`th to its seller within the hour is mailed, and is the last one that is. */
export function mailingOf(count: number): { mailed: boolean; last: boolean } {
  const { most } = MAILED_TO_ONE_SELLER
  return { mailed: count <= most, last: count === most }
}

/** The refusal of a full window, in words that name the seller's limit. */
export function tooManyMessages(error: unknown): unknown {
  const opening = `You have sent this seller ${MESSAGES_TO_ONE_SELLER.most} messages within an hour.`
  return inWords(error, (wait) => `${opening} Please try again in ${wait}.`)
}

/** The same for answers; there is another way to the buyer. */
export function tooManyAnswers(error: unknown, email: string): unknown {
  const opening = `You have answered this message ${ANSWERS_TO_ONE_MESSAGE.most} times today.`
  return inWords(error, (wait) => `${opening} Write to ${email} yourself, or try again in ${wait}.`)
}

function inWords(error: unknown, sentence: (wait: string) => string): unknown {
  if (!(error instanceof AppError) || error.code !== 'TOO_MANY') return error
  const { retryAfterSeconds = 1 } = error
  const words = sentence(waitInWords(retryAfterSeconds))
  return new AppError('TOO_MANY', words, { retryAfterSeconds, cause: error })
}
