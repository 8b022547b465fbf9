import type { FastifyInstance } from 'fastify'
import type { NewSpan, OpenSpan, Telemetry } from './telemetry.ts'
import type { TracingSettings } from './tracing-settings.ts'

/*
 * Tracing is off unless OpenTelemetry's standard variables name a receiver. Then `telemetry.ts` is loaded, and traced
 * work becomes spans. While off, a trace point costs one comparison, and no OpenTelemetry package is loaded.
 */

let telemetry: Telemetry | undefined

/** Starts tracing this process; `role` distinguishes api and worker. Call it before opening anything. */
export async function openTracing(settings: TracingSettings, role: string): Promise<void> {
  telemetry = (await import('./telemetry.ts')).openTelemetry(settings, role)
}

export async function closeTracing(): Promise<void> {
  await telemetry?.close()
  telemetry = undefined
}

export const isTracing = (): boolean => telemetry !== undefined

/** Trace and span ids for log lines, which link them to the spans of a request. */
export const activeIds = (): object => telemetry?.activeIds() ?? {}

export const openSpan = (span: NewSpan): OpenSpan | undefined => telemetry?.startSpan(span)

/** Runs work in its own span. */
export async function traced<T>(span: NewSpan, work: () => Promise<T>): Promise<T> {
  const open = openSpan(span)
  if (!open) return work()
  try {
    const result = await open.within(work)
    open.end({})
    return result
  } catch (error) {
    open.end({ error })
    throw error
  }
}

/** Probed every few seconds; their spans would only be noise. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics'])

/** Gives every request a span, named by its route. Must come before all other hooks. */
export function traceRequests(app: FastifyInstance): void {
  if (!telemetry) return
  const spans = new WeakMap<object, OpenSpan>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route = 'other' } = request.routeOptions
    if (UNTRACED.has(route)) return done()
    const facts = {
      'http.request.method': request.method,
      'http.route': route,
      'http.request.id': request.id,
    }
    const span = openSpan({ name: `${request.method} ${route}`, kind: 'server', facts })
    if (!span) return done()
    spans.set(request, span)
    span.within(done)
  })
  // Reading the body loses the request's context; this restores it.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) span.within(done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    if (!span) return done()
    const { statusCode } = reply
    const error = statusCode < 500 ? undefined : new Error(`status ${statusCode}`)
    // The next hook logs the request, which needs the span.
    span.within(done)
    span.end({ facts: { 'http.response.status_code': statusCode }, error })
  })
}
