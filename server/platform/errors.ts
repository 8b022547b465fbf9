import type { ErrorReply } from '#contract/endpoint.ts'
import { type ErrorCode, errorTable } from '#contract/error-codes.ts'

type AppErrorOptions = {
  /** One sentence for each wrong field, by its name in the API. */
  fields?: Record<string, string>
  /** Of a record that was changed since it was read: by whom and when, as far as the caller may know. */
  changed?: ErrorReply['changed']
  retryAfterSeconds?: number
  cause?: unknown
}

/** A failure that the caller is told about: a code of the error table and a sentence for a person. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly changed: ErrorReply['changed']
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, sentence: string, options: AppErrorOptions = {}) {
    super(sentence, { cause: options.cause })
    this.code = code
    this.fields = options.fields
    this.changed = options.changed
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return errorTable[this.code].status
  }
}

/**
 * A failure that was foreseen and that the person at the terminal can mend: a taken port, a wrong setting, a database
 * of another version. Its message is the sentence they read; the program prints it without a stack and ends with 1.
 */
export class Refusal extends Error {
  override name = 'Refusal'
}

/** "12 seconds", "3 minutes", "5 hours": for the sentence that asks to wait. */
export function waitInWords(seconds: number): string {
  if (seconds > 5_400) return `${Math.ceil(seconds / 3_600)} hours`
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}
