import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/error-codes.ts'
import { isDatabaseDown, isPoolBusy } from '#server/platform/database/database.ts'
import { DISK_RETRY_SECONDS, type DiskFailure, diskFailure } from '#server/platform/disk-failure.ts'
import { AppError, causesOf } from '#server/platform/errors.ts'
import { isPagePath, type WebApp } from './web-files.ts'

/**
 * Represents an invalid JSON body until the handler reads it, so that missing access or ownership is reported first.
 */
export class BrokenJson {
  readonly reason: Error

  constructor(reason: Error) {
    this.reason = reason
  }
}

type KnownPath = readonly [method: string, path: string, ...unknown[]]

/** Looks up the methods allowed at a path, so that a wrong method gets a 405 instead of a 404. */
export function methodsByPath(known: readonly KnownPath[]): (path: string) => string[] {
  const patterns = known.map(([method, path]) => ({
    method,
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  }))
  return (path) => [
    ...new Set(patterns.filter((pattern) => pattern.path.test(path)).map((pattern) => pattern.method)),
  ]
}

// Fast enough for a person and slow enough for a database that is starting.
const BUSY_RETRY_SECONDS = 1
// A database that was restarted or moved takes longer than one that is busy.
const NOT_SAVED_RETRY_SECONDS = 5

export type KnownPaths = {
  /** Methods that the API allows at this path; none if it is not a path of the API. */
  methodsAt: (path: string) => string[]
  /** Sends the web app's pages; undefined if it is not built. */
  web: WebApp | undefined
}

/** The one place where a failure becomes a reply: a code and a message, without internals. Logged once. */
export function catchErrors(app: FastifyInstance, known: KnownPaths): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const appError = notSaved(error, request) ?? toAppError(error, bodyLimitInWords(request))
    logFailure(request, error, appError)
    // Fastify closes the connection when it rejects a body, and a client that is still sending would lose the reply.
    reply.removeHeader('connection')
    return sendError(reply, request, appError)
  })
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead && known.web && isPagePath(path)) return known.web.sendPage(request, reply)
    const methods = known.methodsAt(path)
    // The router rejects API paths with overlong parameters.
    if (methods.length === 0 || methods.includes(request.method)) {
      return sendError(reply, request, new AppError('NOT_FOUND', 'There is nothing at this URL.'))
    }
    reply.header('allow', methods.join(', '))
    const sentence = `This URL does not accept ${request.method}; it accepts ${methods.join(', ')}.`
    return sendError(reply, request, new AppError('METHOD_NOT_ALLOWED', sentence))
  })
}

/**
 * A 503 thrown by our own code (such as a chunk still being processed) is normal and logged without a stack. A 503
 * caused by an outside service, such as the payment provider, is logged with its cause.
 */
export function logFailure(request: FastifyRequest, error: FastifyError, appError: AppError): void {
  const route = request.routeOptions.url
  const { status, code, message } = appError
  if (status < 500) return
  if (hasLeft(request, error)) {
    request.log.debug({ route, err: error }, 'the client ended the request')
    return
  }
  const causes = causesOf(error)
  if (status === 503 && error === appError && causes.length === 0) request.log.info({ route, code }, message)
  else if (status === 503 && error === appError) request.log.warn({ route, code, causes }, message)
  else request.log.error({ err: error, route, code, ...(causes.length > 0 && { causes }) }, message)
}

// Node's codes for a connection that the other end closed, in the middle of a body or of a reply.
const LEFT = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ABORT_ERR',
  'ERR_STREAM_DESTROYED',
])

/** Whether a request failed because its client ended the connection; the same codes of a provider's are failures. */
function hasLeft({ raw }: FastifyRequest, error: FastifyError): boolean {
  return raw.socket.destroyed && (LEFT.has(error.code) || error.message === 'aborted')
}

export function sendError(reply: FastifyReply, request: FastifyRequest, error: AppError): FastifyReply {
  // A hook also sets it, but no hook runs for failures before a route is found.
  reply.header('x-request-id', request.id)
  // Headers of the intended reply do not apply to the error.
  reply.removeHeader('etag').removeHeader('cache-control')
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  const body: ErrorReply = {
    ok: false,
    error: error.message,
    code: error.code,
    requestId: request.id,
    ...(error.fields && { fields: error.fields }),
    ...(error.changed && { changed: error.changed }),
    ...(error.questions && { questions: error.questions }),
    ...(error.quote && { quote: error.quote }),
    ...(error.rows && { rows: error.rows }),
    ...error.typed,
  }
  return reply.code(error.status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

const busy: [ErrorCode, string] = ['BUSY', 'The service is busy. Please try again in a moment.']

/** While pages still come from a replica or cache, a plain "busy" would not explain why saving fails. */
function notSaved(error: FastifyError, { method }: FastifyRequest): AppError | undefined {
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead || !isDatabaseDown(error)) return undefined
  const sentence = 'Changes can’t be saved right now. Please try again in a minute.'
  return new AppError('BUSY', sentence, { retryAfterSeconds: NOT_SAVED_RETRY_SECONDS })
}

// PostgreSQL: 22021 and 22P05 a character it cannot store, 40001 a replica canceled a read to keep up with replication,
// 40P01 a deadlock, 57014 a statement timed out.
const byPostgresState: Record<string, [ErrorCode, string]> = {
  '22021': ['MALFORMED', 'The request contains characters that cannot be stored. Remove them and try again.'],
  '22P05': ['MALFORMED', 'The request contains characters that cannot be stored. Remove them and try again.'],
  '40001': busy,
  '40P01': busy,
  // Our own trigger: see features/listings/ordered-parts.ts.
  PH001: ['IN_ORDER', 'A buyer has ordered this part. Load the page again to see the order.'],
  '57014': ['BUSY', 'This took too long. Please try again, or request less at once.'],
}

const byStatus: Record<number, [ErrorCode, string]> = {
  400: ['MALFORMED', 'The request could not be read. Check that its body is valid JSON.'],
  // Fastify's reply for a folder of the web app's files.
  403: ['NOT_FOUND', 'There is nothing at this URL.'],
  404: ['NOT_FOUND', 'There is nothing at this URL.'],
  413: ['TOO_LARGE', 'The request is too large. A picture can have at most 10 MB.'],
  414: ['TOO_LARGE', 'The address is too long.'],
  415: ['WRONG_TYPE', 'Send JSON, or form data if the call accepts a picture.'],
  503: ['BUSY', 'The service is stopping. Please try again in a moment.'],
}

const KB = 1024
const MB = 1024 * KB

/** The size limit of a call's body, in words. */
function bodyLimitInWords({ routeOptions: { bodyLimit, config } }: FastifyRequest): string | undefined {
  if (config?.bodyInWords !== undefined || bodyLimit === undefined) return config?.bodyInWords
  return bodyLimit >= MB ? `${bodyLimit / MB} MB` : `${bodyLimit / KB} kB`
}

/** For the database and files outside the store; the store has its own messages. */
function diskError(failure: DiskFailure, cause: Error): AppError {
  const options = { retryAfterSeconds: DISK_RETRY_SECONDS, cause }
  return failure === 'full'
    ? new AppError('STORAGE_FULL', 'The disk is full, so nothing was saved. Please try again later.', options)
    : new AppError(
        'BUSY',
        'The disk is read-only at the moment, so nothing was saved. Please try again later.',
        options,
      )
}

/** Turns any error into one that is safe to send. `bodyLimit` is the limit to report if the body was too large. */
export function toAppError(error: FastifyError, bodyLimit?: string): AppError {
  if (error instanceof AppError) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' && bodyLimit !== undefined) {
    const sentence = `The request is too large. This call accepts at most ${bodyLimit}.`
    return new AppError('TOO_LARGE', sentence)
  }
  const disk = diskFailure(error)
  if (disk) return diskError(disk, error)
  if (isDatabaseDown(error) || isPoolBusy(error)) {
    return new AppError(...busy, { retryAfterSeconds: BUSY_RETRY_SECONDS })
  }
  const known =
    byPostgresState[error.code] ??
    (error.code?.startsWith('FST_') ? byStatus[error.statusCode ?? 500] : undefined)
  if (known) {
    const retry = known[0] === 'BUSY' ? { retryAfterSeconds: BUSY_RETRY_SECONDS } : {}
    return new AppError(known[0], known[1], retry)
  }
  // Fastify's parsers (JSON, multipart) set a status but no code.
  const parsed = error.statusCode && error.statusCode < 500 ? byStatus[error.statusCode] : undefined
  if (parsed) return new AppError(...parsed)
  return new AppError('INTERNAL', 'Something went wrong on our side. Please try again.')
}
