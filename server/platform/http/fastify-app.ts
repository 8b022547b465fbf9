import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Log } from '#server/platform/log.ts'
import { BrokenJson, sendError, toAppError } from './error-boundary.ts'
import { callerKey, tooMany } from './rate-limits.ts'
import { multipartLimits } from './read-body.ts'

const YEAR_SECONDS = 31_536_000

/** Headers that every answer carries. Scripts come from our own files alone; Mantine sets styles inline. */
const policy = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  hsts: { maxAge: YEAR_SECONDS, includeSubDomains: true },
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  crossOriginEmbedderPolicy: false,
} as const

/** Adds them, and who may read answers from another origin. */
export async function addSecurityHeaders(
  app: FastifyInstance,
  corsOrigins: readonly string[],
): Promise<void> {
  const headers = await headersOfPolicy()
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  // Without an allowed origin no CORS header is sent at all; the token travels in a header, so no cookies are allowed.
  await app.register(cors, {
    origin: corsOrigins.length > 0 ? [...corsOrigins] : false,
    credentials: false,
    // The plugin's own default leaves out PUT and DELETE.
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: ['retry-after', 'idempotent-replayed', 'x-request-id'],
    maxAge: 600,
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id)
    if (request.url.startsWith('/api') && !reply.hasHeader('cache-control')) {
      reply.header('cache-control', 'no-store')
    }
    done(null, payload)
  })
}

/** What helmet answers for our policy. It makes the same headers anew for each request, a fifth of the work of a short one. */
async function headersOfPolicy(): Promise<Record<string, string>> {
  const read = async (withPolicy: boolean) => {
    const app = fastify()
    if (withPolicy) await app.register(helmet, policy)
    app.get('/', async () => '')
    const { headers } = await app.inject('/')
    await app.close()
    return headers
  }
  const [bare, full] = [await read(false), await read(true)]
  return Object.fromEntries(
    Object.entries(full).flatMap(([name, value]) => (name in bare ? [] : [[name, String(value)]])),
  )
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body is a file of any size; it watches by itself that the client goes on sending. */
    takesLong?: boolean
    /** The most that its body holds, where the limit in bytes would mislead. */
    bodyInWords?: string
  }
}

export type HttpOptions = { log: Log; trustedProxies: readonly string[]; bodyTimeoutMs?: number }

// JSON bodies: the largest (a listing with its description) is below 100 kB.
const BODY_LIMIT_BYTES = 1024 * 1024
// A 10 MB picture over a slow line (1 Mbit/s) takes 80 s.
const BODY_TIMEOUT_MS = 120_000
// The longest of the calls that may take long: 1 GB over a line of 2.5 Mbit/s.
const REQUEST_TIMEOUT_MS = 60 * 60 * 1000
// Headers come in one or two packets; whoever takes longer is holding the socket open on purpose.
const HEADERS_TIMEOUT_MS = 15_000
const KEEP_ALIVE_MS = 30_000

/** A Fastify with our limits, parsers and log lines; no routes yet. */
export async function openHttp({
  log,
  trustedProxies,
  bodyTimeoutMs = BODY_TIMEOUT_MS,
}: HttpOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    routerOptions: { maxParamLength: 400, ignoreTrailingSlash: true },
    // What fails before a route is found (an address that cannot be decoded) is told like everything else.
    frameworkErrors: (error, request, reply) => sendError(reply, request, toAppError(error)),
    clientErrorHandler: refuseUnreadable,
    genReqId: (request) => sentRequestId(request.headers['x-request-id']) ?? randomUUID(),
  }) as unknown as FastifyInstance
  // The adapter parses by the contract's schemas and in the contract's order; Fastify must not do so before.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (value) => JSON.stringify(value))
  app.removeContentTypeParser('text/plain')
  parseJson(app)
  await app.register(multipart, { limits: multipartLimits })
  await app.register(compress, { threshold: 1024 })
  await app.register(rateLimit, {
    global: false,
    hook: 'preParsing',
    keyGenerator: callerKey,
    errorResponseBuilder: (_request, context) => tooMany(context.ttl / 1000),
  })
  endSlowBodies(app, bodyTimeoutMs)
  logEachRequest(app)
  return app
}

/**
 * Node has one limit of time for the bodies of all routes, and uploads of files need a long one. What still comes after the
 * answer is thrown away, for as long as any other body may take: closing the connection under a client that is sending would
 * lose it the answer.
 */
function endSlowBodies(app: FastifyInstance, timeoutMs: number): void {
  app.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
    const hasBody = 'transfer-encoding' in raw.headers || Number(raw.headers['content-length'] ?? 0) > 0
    if (!hasBody) return
    const limitTime = () => {
      if (raw.complete) return
      const timer = setTimeout(() => raw.complete || raw.destroy(), timeoutMs).unref()
      raw.once('close', () => clearTimeout(timer))
    }
    if (routeOptions.config.takesLong) reply.raw.once('finish', limitTime)
    else limitTime()
  })
}

/** Bytes that are no HTTP, or headers without end: there is no request yet, so the answer is written by hand. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const body = JSON.stringify({ ok: false, error: 'The request could not be read.', code: 'MALFORMED' })
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** An id given by a proxy or client is kept if it is plain; anything else could forge or flood log lines. */
function sentRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w-]{8,64}$/.test(header) ? header : undefined
}

/**
 * JSON as it comes, broken JSON for whoever reads it. Clients send `content-type: application/json` with no body on calls
 * that take none (logout, delete).
 */
function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, undefined)
    return parse(request, text as string, (error, body) => done(null, error ? new BrokenJson(error) : body))
  })
}

function logEachRequest(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(request.actor && { userId: request.actor.userId }),
      },
      'request',
    )
  })
}
