import type { FastifyInstance, FastifySchema } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '#server/platform/database.ts'

/** Resolves when the part is well; throws with a sentence when it is not. */
export type ReadinessCheck = () => Promise<void>

export type OperationsOptions = {
  database: Database
  checks: Record<string, ReadinessCheck>
  isStopping: () => boolean
}

// A check that takes longer than this is as good as failed: the one who asks polls every few seconds.
const CHECK_TIMEOUT_MS = 3_000
const DURATION_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const hidden = { hide: true } as FastifySchema

/** `/healthz` (the process), `/readyz` (can it work), `/metrics` (for Prometheus). */
export function serveOperations(app: FastifyInstance, options: OperationsOptions): void {
  app.get('/healthz', { schema: hidden }, () => ({ ok: true }))
  app.get('/readyz', { schema: hidden }, async (_request, reply) => {
    const checks = options.isStopping() ? { process: 'stopping' } : await runChecks({ ...options.checks })
    const ready = Object.values(checks).every((state) => state === 'ok')
    return reply.code(ready ? 200 : 503).send({ ok: ready, checks })
  })
  const registry = collect(app, options.database)
  app.get('/metrics', { schema: hidden }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}

async function runChecks(checks: Record<string, ReadinessCheck>): Promise<Record<string, string>> {
  const states = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const),
  )
  return Object.fromEntries(states)
}

/** A failing check answers one word: why it failed is in the log, not on a public page. */
async function stateOf(check: ReadinessCheck): Promise<'ok' | 'failing'> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('timed out')), CHECK_TIMEOUT_MS).unref()
  })
  return Promise.race([check(), late]).then(
    () => 'ok' as const,
    () => 'failing' as const,
  )
}

function collect(app: FastifyInstance, { pool }: Database): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to the end of its answer, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_S,
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
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  return registry
}
