import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '#server/platform/database/database.ts'
import { openSharedReads } from '#server/platform/database/reads.ts'
import { diskFailure } from '#server/platform/disk-failure.ts'
import { measureJobs } from '#server/platform/jobs/job-metrics.ts'
import type { Log } from '#server/platform/log.ts'
import { EVENT_STREAM_HEADERS } from './event-stream.ts'
import { keepDocument, sendDocument } from './kept-documents.ts'
import { otherRoute } from './openapi.ts'
import { type OperatorAccess, operatorsOnly } from './operators.ts'

/**
 * `reading`: public data can be read, from a replica or although the disk is full, but nothing can be changed. Such a
 * process stays in service: read-only pages are better than none.
 */
type ReadinessState = 'ok' | 'reading' | 'failing'

/** Resolves if the dependency works (with `reading` if it is read-only); rejects with a message if not. */
type ReadinessCheck = () => Promise<unknown>

/** A check of what a process has to read once: it stays ok, whatever happens later. */
export function latchOk(check: () => Promise<unknown>): () => Promise<unknown> {
  let isOk = false
  return async () => {
    if (!isOk) await check()
    isOk = true
  }
}

// A slower check counts as failed: load balancers poll every few seconds.
const CHECK_TIMEOUT_MS = 3_000

/**
 * Runs all checks at once and returns one word for each. The page is public, so failure reasons go to the log only,
 * once when a check starts to fail and once when it recovers.
 */
export function makeReadinessProbe(checks: Record<string, ReadinessCheck>, log: Log) {
  const failingChecks = new Set<string>()
  const stateOf = async (name: string, check: ReadinessCheck): Promise<ReadinessState> => {
    try {
      const state = (await inTime(check())) === 'reading' ? 'reading' : 'ok'
      if (failingChecks.delete(name)) log.info({ check: name }, 'readiness check recovered')
      return state
    } catch (error) {
      if (!failingChecks.has(name))
        log.warn({ check: name, reason: reasonOf(error) }, 'readiness check fails')
      failingChecks.add(name)
      return diskFailure(error) ? 'reading' : 'failing'
    }
  }
  return async (): Promise<Record<string, ReadinessState>> => {
    const states = Object.entries(checks).map(async ([name, check]) => [name, await stateOf(name, check)])
    return Object.fromEntries(await Promise.all(states))
  }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('timed out')), CHECK_TIMEOUT_MS).unref()
  })
  return Promise.race([work, late])
}

/** Error messages only, including causes: driver errors carry client objects with addresses and passwords. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const parts = error instanceof AggregateError ? error.errors : []
  const causes = [...parts, ...(error.cause === undefined ? [] : [error.cause])].map(reasonOf)
  return [error.message, ...causes].filter((text) => text !== '').join(': ')
}

export type OperationsOptions = {
  database: Database
  readers?: Database | undefined
  checks: Record<string, ReadinessCheck>
  isStopping: () => boolean
  log: Log
  /** Version of the program. */
  version: string
  /** Who may read the metrics. */
  operators: OperatorAccess
}

const DURATION_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Serves `/healthz` (liveness), `/readyz` (readiness) and `/metrics` (Prometheus). Returns the metrics registry. */
export function serveOperations(app: FastifyInstance, options: OperationsOptions): Registry {
  const runChecks = makeReadinessProbe(options.checks, options.log)
  // Concurrent requests share one run, so neither page can be used to overload the database or this thread.
  const share = openSharedReads()
  app.route({ ...otherRoute('health'), handler: () => ({ ok: true }) })
  app.route({
    ...otherRoute('readiness'),
    handler: async (_request, reply) => {
      const checks = options.isStopping() ? { process: 'stopping' } : await share('checks', runChecks)
      const ready = Object.values(checks).every((state) => state === 'ok' || state === 'reading')
      return reply.code(ready ? 200 : 503).send({ ok: ready, version: options.version, checks })
    },
  })
  const registry = collect(app, [options.database, options.readers])
  measureJobs(registry, options.database.db)
  new Gauge({
    name: 'partharbor_build_info',
    help: 'Always 1, with the version of the program.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: options.version }, 1)
  const write = async () => {
    const both = Registry.merge([measureProcess(), registry])
    return keepDocument(await both.metrics(), both.contentType)
  }
  app.route({
    ...otherRoute('metrics'),
    onRequest: operatorsOnly(app, options.operators),
    handler: async (request, reply) => sendDocument(request, reply, await share('metrics', write)),
  })
  return registry
}

let ofProcess: Registry | undefined

/** Memory, event loop and garbage collection. Their observers cannot be ended, so each process has one set of them. */
function measureProcess(): Registry {
  if (ofProcess) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return ofProcess
}

function collect(app: FastifyInstance, databases: (Database | undefined)[]): Registry {
  const pools = databases.flatMap((database) => database?.pool ?? [])
  measureProcess()
  const registry = new Registry()
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of the reply, by route. Excludes event streams, which stay open as long as their reader.',
    // No status label: each status that a client can provoke would add a dozen series.
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS_S,
    registers: [registry],
  })
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Replies, by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const streams = new Gauge({
    name: 'http_open_event_streams',
    help: 'Open event streams, by route.',
    labelNames: ['route'],
    registers: [registry],
  })
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of the pools, by state; waiting counts requests for a connection.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const sumOf = (count: 'idleCount' | 'totalCount' | 'waitingCount') =>
        pools.reduce((sum, pool) => sum + pool[count], 0)
      this.set({ state: 'idle' }, sumOf('idleCount'))
      this.set({ state: 'busy' }, sumOf('totalCount') - sumOf('idleCount'))
      this.set({ state: 'waiting' }, sumOf('waitingCount'))
    },
  })
  // The stream also closes when a reader disconnects, which does not finish the reply normally.
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isEventStream(reply) || !(payload instanceof Readable)) return
    const open = streams.labels({ route: labelsOf(request).route })
    open.inc()
    payload.once('close', () => open.dec())
  })
  app.addHook('onResponse', async (request, reply) => {
    const labels = labelsOf(request)
    requests.inc({ ...labels, status: reply.statusCode })
    if (!isEventStream(reply)) duration.observe(labels, reply.elapsedTime / 1000)
  })
  return registry
}

/** Labels come from the route table only, so that callers cannot add series with made-up paths or methods. */
function labelsOf({ routeOptions: { url }, method }: FastifyRequest): { method: string; route: string } {
  if (url === undefined || url.includes('*')) return { method: 'any', route: 'other' }
  return { method: method === 'HEAD' ? 'GET' : method, route: url }
}

const isEventStream = (reply: FastifyReply): boolean =>
  reply.getHeader('content-type') === EVENT_STREAM_HEADERS['content-type']
