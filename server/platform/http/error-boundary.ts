import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/error-codes.ts'
import { isDatabaseDown, isPoolBusy } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { WebApp } from './web-files.ts'

/**
 * Stands for a body that is no JSON until somebody reads it: whoever may not call, or asks for what is not theirs, is told
 * that first.
 */
export class BrokenJson {
  readonly reason: Error

  constructor(reason: Error) {
    this.reason = reason
  }
}

type KnownPath = readonly [method: string, path: string, ...unknown[]]

/** Tells the methods that are taken at a path, so that a wrong one is answered 405 and not 404. */
export function methodsByPath(known: readonly KnownPath[]): (path: string) => string[] {
  const patterns = known.map(([method, path]) => ({
    method,
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  }))
  return (path) => [
    ...new Set(patterns.filter((pattern) => pattern.path.test(path)).map((pattern) => pattern.method)),
  ]
}

// One try a second is quick enough for a person and slow enough for a database that is starting.
const BUSY_RETRY_SECONDS = 1

export type KnownPaths = {
  /** Methods that the API takes at this path; none where it is no path of the API. */
  methodsAt: (path: string) => string[]
  /** Answers the addresses of the web app's pages. */
  web: WebApp
}

/** The one place where a failure becomes a reply: a code, a sentence, and nothing of our insides. Logged once. */
export function catchErrors(app: FastifyInstance, known: KnownPaths): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const told = toAppError(error, mostOf(request))
    logFailure(request, { error, told })
    // Fastify closes the connection when it cannot take a body, and whoever still sends then loses the answer.
    reply.removeHeader('connection')
    return sendError(reply, request, told)
  })
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead && known.web.isPage(path)) return known.web.sendPage(reply)
    const methods = known.methodsAt(path)
    // A path of the API whose parameter is too long to be one.
    if (methods.length === 0 || methods.includes(request.method)) {
      return sendError(reply, request, new AppError('NOT_FOUND', 'There is nothing at this address.'))
    }
    reply.header('allow', methods.join(', '))
    const sentence = `This address does not take ${request.method}; it takes ${methods.join(', ')}.`
    return sendError(reply, request, new AppError('METHOD_NOT_ALLOWED', sentence))
  })
}

/** A refusal that our own code gave (a chunk still in work, say) is business as usual, told without its stack. */
function logFailure(request: FastifyRequest, { error, told }: { error: FastifyError; told: AppError }): void {
  const route = request.routeOptions.url
  if (told.status < 500) return
  if (told.status === 503 && error === told) request.log.info({ route, code: told.code }, told.message)
  else request.log.error({ err: error, route }, told.message)
}

export function sendError(reply: FastifyReply, request: FastifyRequest, error: AppError): FastifyReply {
  // Also set by a hook; failures before a route is found pass no hook.
  reply.header('x-request-id', request.id)
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  const body: ErrorReply = {
    ok: false,
    error: error.message,
    code: error.code,
    requestId: request.id,
    ...(error.fields && { fields: error.fields }),
    ...(error.changed && { changed: error.changed }),
  }
  return reply.code(error.status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

const busy: [ErrorCode, string] = ['BUSY', 'The service is busy. Please try again in a moment.']

// Postgres: 22021 and 22P05 a character it cannot store, 40001 a read that a replica gave up to follow the database, 40P01 a
// deadlock, 57014 a statement cancelled for taking too long.
const byPostgresState: Record<string, [ErrorCode, string]> = {
  '22021': ['MALFORMED', 'The request holds characters that cannot be stored. Remove them and try again.'],
  '22P05': ['MALFORMED', 'The request holds characters that cannot be stored. Remove them and try again.'],
  '40001': busy,
  '40P01': busy,
  '57014': ['BUSY', 'This took too long. Please try again, or ask for less at once.'],
}

const byStatus: Record<number, [ErrorCode, string]> = {
  400: ['MALFORMED', 'The request could not be read. Check that its body is valid JSON.'],
  // A folder among the web app's files: nothing to see, and nothing to tell.
  403: ['NOT_FOUND', 'There is nothing at this address.'],
  404: ['NOT_FOUND', 'There is nothing at this address.'],
  413: ['TOO_LARGE', 'The request is too large. A picture has at most 10 MB.'],
  414: ['TOO_LARGE', 'The address is too long.'],
  415: ['WRONG_TYPE', 'Send JSON, or form data where the call takes a picture.'],
  503: ['BUSY', 'The service is stopping. Please try again in a moment.'],
}

const KB = 1024
const MB = 1024 * KB

/** The most that a call's body may hold. */
function mostOf({ routeOptions: { bodyLimit, config } }: FastifyRequest): string | undefined {
  if (config?.bodyInWords !== undefined || bodyLimit === undefined) return config?.bodyInWords
  return bodyLimit >= MB ? `${bodyLimit / MB} MB` : `${bodyLimit / KB} kB`
}

/** Turns whatever was thrown into what may be told; a body that was too large is told with what its call takes. */
export function toAppError(error: FastifyError, most?: string): AppError {
  if (error instanceof AppError) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' && most !== undefined) {
    const sentence = `The request is too large. This call takes at most ${most}.`
    return new AppError('TOO_LARGE', sentence)
  }
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
  // Parsers below Fastify (JSON, multipart) set a status but no code of theirs.
  const parsed = error.statusCode && error.statusCode < 500 ? byStatus[error.statusCode] : undefined
  if (parsed) return new AppError(...parsed)
  return new AppError('INTERNAL', 'Something went wrong on our side. Please try again.')
}
