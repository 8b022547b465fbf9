import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { TracingSettings } from './tracing-settings.ts'

/* The only file that loads OpenTelemetry; `tracing.ts` imports it if tracing is on. */

/** Values describe a route, queue or host, never text that a person typed. */
type SpanFacts = Readonly<Record<string, string | number>>

export type NewSpan = {
  readonly name: string
  readonly kind: 'server' | 'client' | 'consumer'
  readonly facts: SpanFacts
}

export type OpenSpan = {
  /** Runs work whose spans become children of this one. */
  within<T>(work: () => T): T
  end(result: { readonly facts?: SpanFacts; readonly error?: unknown }): void
}

export type Telemetry = {
  /** Returns undefined for a call outside of any request or job, such as the polls of an idle worker. */
  startSpan(span: NewSpan): OpenSpan | undefined
  /** Ids of the current span. */
  activeIds(): { trace_id: string; span_id: string } | undefined
  /** Sends the remaining spans. */
  close(): Promise<void>
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER }

// A collector that is down must not keep the process from ending.
const LAST_EXPORT_MS = 3_000

/** Sends spans to the receiver set by the standard variables, and starts watching this process's outgoing calls. */
export function openTelemetry({ serviceName, share }: TracingSettings, role: string): Telemetry {
  const manager = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(manager)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'process.pid': process.pid,
      'partharbor.role': role,
    })
      // OTEL_RESOURCE_ATTRIBUTES
      .merge(detectResources({ detectors: [envDetector] })),
    // Child spans follow the decision for their trace id, so that traces are complete.
    sampler: new TraceIdRatioBasedSampler(share),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const tracer = provider.getTracer('partharbor')
  const stopWatching = watchOutgoingCalls(tracer)
  return {
    startSpan: (span) => startSpan(tracer, span),
    activeIds() {
      const found = trace.getActiveSpan()?.spanContext()
      return found && { trace_id: found.traceId, span_id: found.spanId }
    },
    async close() {
      stopWatching()
      const last = provider.shutdown().catch(() => undefined)
      const late = new Promise((resolve) => setTimeout(resolve, LAST_EXPORT_MS).unref())
      await Promise.race([last, late])
      context.disable()
    },
  }
}

function startSpan(tracer: Tracer, { name, kind, facts }: NewSpan): OpenSpan | undefined {
  if (kind === 'client' && !trace.getActiveSpan()) return undefined
  const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: facts })
  const ownContext = trace.setSpan(context.active(), span)
  return {
    within: (work) => context.with(ownContext, work),
    end: ({ facts: more = {}, error }) => end(span, more, error),
  }
}

function end(span: Span, facts: SpanFacts, error: unknown): void {
  span.setAttributes(facts)
  if (error !== undefined) {
    // Only the kind of error: a message may quote typed text, and a driver's error contains addresses and passwords.
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
    const kind = code ?? (error instanceof Error ? error.name : typeof error)
    span.setAttribute('error.type', kind)
    span.setStatus({ code: SpanStatusCode.ERROR, message: kind })
  }
  span.end()
}

/** Returns `/v1/customers/{id}`: long segments and those with a digit are ids, except version numbers. */
export function pathPattern(path: string): string {
  const isId = (segment: string) => segment.length > 24 || (/\d/.test(segment) && !/^v\d+$/.test(segment))
  const segments = (path.split(/[?#]/)[0] ?? '').split('/')
  return segments.map((segment) => (isId(segment) ? '{id}' : segment)).join('/')
}

type Outgoing = { readonly method: string; readonly host: string; readonly path: string }

/**
 * Traces every outgoing HTTP call through Node's diagnostics channels, without changes to the callers: the SDKs of
 * Stripe and Amazon use `http`, the language model and picture downloads use `fetch`. Only calls for a traced request
 * or job get a span.
 */
function watchOutgoingCalls(tracer: Tracer): () => void {
  const spans = new WeakMap<object, Span>()
  const begin = (request: object, { method, host, path }: Outgoing) => {
    if (!trace.getActiveSpan()) return
    const attributes = {
      'http.request.method': method,
      'server.address': host,
      'url.template': pathPattern(path),
    }
    // Tracing is suppressed in the exporter's own calls, so their spans are not recorded.
    spans.set(request, tracer.startSpan(`${method} ${host}`, { kind: SpanKind.CLIENT, attributes }))
  }
  const finish = (request: object, facts: SpanFacts, error?: unknown) => {
    const span = spans.get(request)
    if (span) end(span, facts, error)
    spans.delete(request)
  }
  const status = (code: number | undefined): SpanFacts => ({ 'http.response.status_code': code ?? 0 })
  const channels = {
    'http.client.request.created': ({ request }) => {
      const { method, host, path } = request as Outgoing
      begin(request, { method, host, path })
    },
    'http.client.response.finish': ({ request, response }) => finish(request, status(response?.statusCode)),
    'http.client.request.error': ({ request, error }) => finish(request, {}, error),
    'undici:request:create': ({ request }) => {
      const { method, origin, path } = request as { method: string; origin: string | URL; path: string }
      begin(request, { method, host: new URL(origin).hostname, path })
    },
    'undici:request:headers': ({ request, response }) => finish(request, status(response?.statusCode)),
    'undici:request:error': ({ request, error }) => finish(request, {}, error),
  } satisfies Record<string, (message: ChannelMessage) => void>
  const listeners = Object.entries(channels).map(([name, listen]) => {
    const listener = (message: unknown) => listen(message as ChannelMessage)
    subscribe(name, listener)
    return () => unsubscribe(name, listener)
  })
  return () => {
    for (const stop of listeners) stop()
  }
}

type ChannelMessage = { request: object; response?: { statusCode?: number }; error?: unknown }
