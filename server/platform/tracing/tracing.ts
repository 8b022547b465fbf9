import type { FastifyInstance } from 'fastify'
import type { NewSpan, OpenSpan, Telemetry } from './telemetry.ts'
import type { TracingSettings } from './tracing-settings.ts'

/*
 * Traces are off unless the standard variables of OpenTelemetry name a receiver: then `telemetry.ts` is loaded, and what
 * is traced here becomes spans. Off, a traced place costs one comparison, and no package of OpenTelemetry is loaded.
 */

let telemetry: Telemetry | undefined

/** Begins to trace this process; `role` tells api and worker apart. Call it before anything is opened. */
export async function openTracing(settings: TracingSettings, role: string): Promise<void> {
  telemetry = (await import('./telemetry.ts')).openTelemetry(settings, role)
}

export async function closeTracing(): Promise<void> {
  await telemetry?.close()
  telemetry = undefined
}

export const isTracing = (): boolean => telemetry !== undefined

/** For log lines: they and the spans of a request find each other by these. */
export const activeIds = (): object => telemetry?.activeIds() ?? {}

export const openSpan = (span: NewSpan): OpenSpan | undefined => telemetry?.startSpan(span)

/** Runs work in a span of its own. */
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

/** Asked every few seconds by machines; nobody wants to see them. */
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
  // Reading a body goes on in the parser's context; from here on it is the request's again.
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
    // The hook that logs the request comes after this one.
    span.within(done)
    span.end({ facts: { 'http.response.status_code': statusCode }, error })
  })
}
