import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Log } from '#server/platform/log.ts'
import { networksOf } from '#server/platform/net/addresses.ts'
import { traceRequests } from '#server/platform/tracing/tracing.ts'
import { BrokenJson, sendError, toAppError } from './error-boundary.ts'
import { recordWrite } from './kept-documents.ts'
import { BODY_LIMIT_BYTES } from './limits/body-limits.ts'
import { type ConnectionLimits, Connections } from './limits/connections.ts'
import { callerKey, tooMany } from './limits/rate-limits.ts'
import { multipartLimits } from './read-body.ts'
import { refuseDeepJson } from './readable-text.ts'

const YEAR_SECONDS = 31_536_000

/** Security headers of every reply. Scripts come only from our own files; Mantine sets styles inline. */
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

/** Adds security and CORS headers. */
export async function addSecurityHeaders(
  app: FastifyInstance,
  corsOrigins: readonly string[],
): Promise<void> {
  const headers = await headersOfPolicy()
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  // Without allowed origins no CORS headers are sent. The token is in a header, so cookies are not allowed.
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
    const { changesData } = request.routeOptions.config
    if (changesData && reply.statusCode < 400 && !request.actor?.scopes) recordWrite(request, reply)
    done(null, payload)
  })
}

/** Computes helmet's headers once. Helmet would build them for each request, a fifth of the work of a short one. */
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
    /** The body is a file of any size; the handler itself drops stalled clients. */
    takesLong?: boolean
    /** Its browser reads past kept pages for a while after it succeeded. */
    changesData?: boolean
    /** The body's limit in words, if the limit in bytes would mislead. */
    bodyInWords?: string
  }
}

export type HttpOptions = {
  log: Log
  trustedProxies: readonly string[]
  bodyTimeoutMs?: number
  connections?: Partial<ConnectionLimits>
}

// A 10 MB picture over a slow line (1 Mbit/s) takes 80 s.
const BODY_TIMEOUT_MS = 120_000
// For the slowest upload: 1 GB at 2.5 Mbit/s.
const REQUEST_TIMEOUT_MS = 60 * 60 * 1000
// Headers arrive in one or two packets; slower clients keep the socket open on purpose.
const HEADERS_TIMEOUT_MS = 15_000
const KEEP_ALIVE_MS = 30_000

/** A Fastify with our limits, parsers and log lines; no routes yet. */
export async function openHttp({
  log,
  trustedProxies,
  bodyTimeoutMs = BODY_TIMEOUT_MS,
  connections: limits,
}: HttpOptions): Promise<FastifyInstance> {
  const connections = new Connections({ log, isProxy: networksOf(trustedProxies), limits })
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: BODY_LIMIT_BYTES,
    serverFactory: (handle) => openServer(connections, handle),
    routerOptions: { maxParamLength: 400, ignoreTrailingSlash: true },
    // Failures before a route is found (such as an address that cannot be decoded) get the usual reply.
    frameworkErrors: (error, request, reply) => sendError(reply, request, toAppError(error)),
    clientErrorHandler: refuseUnreadable,
    genReqId: (request) => sentRequestId(request.headers['x-request-id']) ?? randomUUID(),
  }) as unknown as FastifyInstance
  traceRequests(app)
  app.addHook('onClose', async () => connections.close())
  // `mount` parses with the contract's schemas in the contract's order; Fastify must not validate first.
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

function openServer(connections: Connections, handle: RequestListener): Server {
  const timeouts = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  const server = createServer(timeouts, connections.inTurn(handle))
  return server.on('connection', (socket) => connections.admit(socket))
}

/**
 * Limits the time for a body, because Node's own limit is the same for all routes and uploads need a long one. After an
 * upload's reply the rest of its body is discarded for as long: closing the connection while the client is still sending
 * would lose the reply.
 */
function endSlowBodies(app: FastifyInstance, timeoutMs: number): void {
  app.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
    const hasBody = 'transfer-encoding' in raw.headers || Number(raw.headers['content-length'] ?? 0) > 0
    if (!hasBody) return
    const limitTime = () => {
      if (raw.complete) return
      const timer = setTimeout(() => raw.complete || raw.destroy(), timeoutMs).unref()
      for (const over of ['end', 'close']) raw.once(over, () => clearTimeout(timer))
    }
    if (routeOptions.config.takesLong) reply.raw.once('finish', limitTime)
    else limitTime()
  })
}

/** Rejects bytes that are not HTTP, or endless headers. There is no request yet, so the reply is written by hand. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  // Browsers open connections ahead of need, and would take this for the reply to the request that they send later.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) {
    socket.destroy()
    return
  }
  const body = JSON.stringify({ ok: false, error: 'The request could not be read.', code: 'MALFORMED' })
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** Accepts a request id from a proxy or client only if it is plain; others could forge or flood log lines. */
function sentRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w-]{8,64}$/.test(header) ? header : undefined
}

/**
 * Parses JSON; invalid JSON becomes a BrokenJson. Clients send `content-type: application/json` with an empty body on
 * calls that take none (logout, delete).
 */
function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, undefined)
    try {
      refuseDeepJson(text as string)
    } catch (error) {
      return done(null, new BrokenJson(error as Error))
    }
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
