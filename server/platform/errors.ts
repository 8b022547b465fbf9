import type { ErrorReply } from '#contract/endpoint.ts'
import { type ErrorCode, errorTable } from '#contract/error-codes.ts'

type AppErrorOptions = {
  /** One message per invalid field, by its name in the API. */
  fields?: Record<string, string>
  /** Who changed a record since it was read, and when, if the caller may know. */
  changed?: ErrorReply['changed']
  /** The position of an error in typed text, and suggestions. */
  typed?: Pick<ErrorReply, 'position' | 'suggestions'>
  /** What must be answered first. */
  questions?: ErrorReply['questions']
  /** What a part costs now. */
  quote?: ErrorReply['quote']
  /** Records that were refused. */
  rows?: ErrorReply['rows']
  retryAfterSeconds?: number
  cause?: unknown
}

/** A failure reported to the caller: a code from the error table and a message for people. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly changed: ErrorReply['changed']
  readonly typed: AppErrorOptions['typed']
  readonly questions: ErrorReply['questions']
  readonly quote: ErrorReply['quote']
  readonly rows: ErrorReply['rows']
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, sentence: string, options: AppErrorOptions = {}) {
    super(sentence, { cause: options.cause })
    this.code = code
    this.fields = options.fields
    this.changed = options.changed
    this.typed = options.typed
    this.questions = options.questions
    this.quote = options.quote
    this.rows = options.rows
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return errorTable[this.code].status
  }
}

// Deeper causes only repeat the message.
const CAUSES_SHOWN = 4
/**
 * The fields of an error worth logging. Others are excluded because drivers attach their clients with addresses and
 * passwords.
 */
const SHOWN_FACTS = ['code', 'type', 'status', 'statusCode', 'responseCode', 'requestId']

/** The causes of an error for a log line: messages, and the ids under which a provider can find the call. */
export function causesOf(error: unknown): Record<string, unknown>[] {
  const causes: Record<string, unknown>[] = []
  let cause = error instanceof Error ? error.cause : undefined
  while (cause instanceof Error && causes.length < CAUSES_SHOWN) {
    const facts = Object.entries(cause).filter(
      ([name, value]) =>
        SHOWN_FACTS.includes(name) && (typeof value === 'string' || typeof value === 'number'),
    )
    causes.push({ name: cause.name, message: cause.message, ...Object.fromEntries(facts) })
    cause = cause.cause
  }
  return causes
}

/**
 * An expected failure that the person at the terminal can fix: a port in use, a wrong setting, a database of another
 * version. The program prints its message without a stack and exits with status 1.
 */
export class Refusal extends Error {
  override name = 'Refusal'
}

/** "12 seconds", "3 minutes", "5 hours". */
export function waitInWords(seconds: number): string {
  if (seconds > 5_400) return `${Math.ceil(seconds / 3_600)} hours`
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

/** Rethrows TOO_MANY with a message that names the limit. */
export function explainLimit(sentence: (wait: string) => string) {
  return (error: unknown): never => {
    if (!(error instanceof AppError) || error.code !== 'TOO_MANY') throw error
    const { retryAfterSeconds = 1 } = error
    const words = sentence(waitInWords(retryAfterSeconds))
    throw new AppError('TOO_MANY', words, { retryAfterSeconds, cause: error })
  }
}

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there (connection refused)',
  ENOTFOUND: 'the host does not exist',
  EAI_AGAIN: 'the host name cannot be resolved right now',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ECONNRESET: 'it closed the connection',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  EACCES: 'access is denied',
}

/** Why a server or a disk could not be used, for an operator; without a period. */
export function reasonInWords(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return 'unknown reason'
  // The mail client has codes of its own, and names the system's in the message.
  const [inMessage = ''] = /\bE[A-Z]{4,}\b/.exec(first.message) ?? []
  const code = 'code' in first && typeof first.code === 'string' ? first.code : ''
  return SYSTEM_ERRORS[code] ?? SYSTEM_ERRORS[inMessage] ?? (first.message.replace(/\.$/, '') || code)
}
