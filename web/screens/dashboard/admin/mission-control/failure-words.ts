import { ApiError, errorSentence } from '#web/api/failures.ts'

/** The server's own sentence; where it sent none, what the spec has for that (section 8). */
export function failureWords(error: unknown, fallback: string): string {
  const isLimited = error instanceof ApiError && error.status === 429
  if (!isLimited || error.retryAfterSeconds === undefined) return errorSentence(error, fallback)
  return errorSentence(error, `Rate limited. Try again after ${error.retryAfterSeconds}s.`)
}
