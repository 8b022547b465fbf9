import { address, choice, text } from '#server/platform/setting.ts'

/* The standard variables of OpenTelemetry that we check; its exporter reads more, such as OTEL_EXPORTER_OTLP_HEADERS. */

export const TRACING_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: address('http:', 'https:'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address('http:', 'https:'),
  OTEL_SDK_DISABLED: choice('true', 'false'),
  OTEL_TRACES_EXPORTER: choice('otlp', 'none'),
  OTEL_SERVICE_NAME: text(1, 100),
  OTEL_TRACES_SAMPLER: choice(
    'always_on',
    'always_off',
    'traceidratio',
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
  ),
  OTEL_TRACES_SAMPLER_ARG: text(1, 20),
}

type Given = { readonly [Name in keyof typeof TRACING_SETTINGS]?: string | undefined }

export type TracingSettings = {
  readonly serviceName: string
  /** The share of requests and jobs that are traced, from 0 to 1. */
  readonly share: number
}

/** Returns undefined unless a receiver is set. */
export function readTracing(given: Given): TracingSettings | undefined {
  const receiver = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? given.OTEL_EXPORTER_OTLP_ENDPOINT
  const isOff = given.OTEL_SDK_DISABLED === 'true' || given.OTEL_TRACES_EXPORTER === 'none'
  if (receiver === undefined || isOff) return undefined
  const sampler = given.OTEL_TRACES_SAMPLER ?? 'always_on'
  // The standard's default for an argument that is not a number.
  const ratio = Math.min(Math.max(Number(given.OTEL_TRACES_SAMPLER_ARG ?? 1) || 0, 0), 1)
  const share = sampler.endsWith('traceidratio') ? ratio : Number(sampler.endsWith('always_on'))
  return { serviceName: given.OTEL_SERVICE_NAME ?? 'partharbor', share }
}
