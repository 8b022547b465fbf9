import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log.ts'
import { EVENT_STREAM_HEADERS } from './event-stream.ts'
import { otherRoute } from './openapi.ts'

/** Resolves when the part is well; throws with a sentence when it is not. */
type ReadinessCheck = () => Promise<void>

// A check that takes longer than this is as good as failed: the one who asks polls every few seconds.
const CHECK_TIMEOUT_MS = 3_000

/**
 * Runs all checks at once and answers one word for each: why one failed is in the log, not on a public page. It is
 * logged when a check begins to fail and when it is well again, not each time that somebody asks meanwhile.
 */
export function openReadiness(checks: Record<string, ReadinessCheck>, log: Log) {
  const failing = new Set<string>()
  const stateOf = async (name: string, check: ReadinessCheck): Promise<'ok' | 'failing'> => {
    try {
      await inTime(check())
      if (failing.delete(name)) log.info({ check: name }, 'readiness check is well again')
      return 'ok'
    } catch (error) {
      if (!failing.has(name)) log.warn({ check: name, reason: reasonOf(error) }, 'readiness check fails')
      failing.add(name)
      return 'failing'
    }
  }
  return async (): Promise<Record<string, 'ok' | 'failing'>> => {
    const states = Object.entries(checks).map(async ([name, check]) => [name, await stateOf(name, check)])
    return Object.fromEntries(await Promise.all(states))
  }
}

function inTime(work: Promise<void>): Promise<void> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('timed out')), CHECK_TIMEOUT_MS).unref()
  })
  return Promise.race([work, late])
}

/** Sentences alone, the cause's too: errors of drivers carry whole clients, addresses and passwords included. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const parts = error instanceof AggregateError ? error.errors : []
  const causes = [...parts, ...(error.cause === undefined ? [] : [error.cause])].map(reasonOf)
  return [error.message, ...causes].filter((text) => text !== '').join(': ')
}

export type OperationsOptions = {
  database: Database
  checks: Record<string, ReadinessCheck>
  isStopping: () => boolean
  log: Log
}

const DURATION_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** `/healthz` (the process), `/readyz` (can it work), `/metrics` (for Prometheus). Answers what the metrics are kept in. */
export function serveOperations(app: FastifyInstance, options: OperationsOptions): Registry {
  const runChecks = openReadiness(options.checks, options.log)
  app.route({ ...otherRoute('health'), handler: () => ({ ok: true }) })
  app.route({
    ...otherRoute('readiness'),
    handler: async (_request, reply) => {
      const checks = options.isStopping() ? { process: 'stopping' } : await runChecks()
      const ready = Object.values(checks).every((state) => state === 'ok')
      return reply.code(ready ? 200 : 503).send({ ok: ready, checks })
    },
  })
  const registry = collect(app, options.database)
  app.route({
    ...otherRoute('metrics'),
    handler: async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()),
  })
  return registry
}

function collect(app: FastifyInstance, { pool }: Database): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to the end of its answer, by route. Without streams of events, which last as long as their reader.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_S,
    registers: [registry],
  })
  const streams = new Gauge({
    name: 'http_open_event_streams',
    help: 'Streams of events that somebody reads now, by route.',
    labelNames: ['route'],
    registers: [registry],
  })
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of the pool, by what they do; waiting counts requests for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  // A reader that goes away ends no answer in good order; the stream is closed then, too.
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isEventStream(reply) || !(payload instanceof Readable)) return
    const open = streams.labels({ route: routeOf(request) })
    open.inc()
    payload.once('close', () => open.dec())
  })
  app.addHook('onResponse', async (request, reply) => {
    if (isEventStream(reply)) return
    const route = routeOf(request)
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  return registry
}

const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? 'unknown'

const isEventStream = (reply: FastifyReply): boolean =>
  reply.getHeader('content-type') === EVENT_STREAM_HEADERS['content-type']
