import { expect, test } from 'vitest'
import { readSourceTree } from '#tests/support/source-tree.ts'
import { pathPattern } from './telemetry.ts'
import { statementName } from './trace-queries.ts'
import { traced } from './tracing.ts'
import { readTracing } from './tracing-settings.ts'

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318'

test.each([
  [{}, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT }, { serviceName: 'partharbor', share: 1 }],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME: 'yard' },
    { serviceName: 'yard', share: 1 },
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, undefined],
  [
    {
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    },
    { serviceName: 'partharbor', share: 0.1 },
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '7' },
    { serviceName: 'partharbor', share: 1 },
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER: 'always_off' },
    { serviceName: 'partharbor', share: 0 },
  ],
])('%o traces %o', (given, wanted) => {
  expect(readTracing(given)).toEqual(wanted)
})

test.each([
  ['select * from listing where id = $1', 'select listing'],
  ['/* prepared */ SELECT "id" FROM "part_view" WHERE x', 'select part_view'],
  ['insert into "job_event" ("a") values ($1)', 'insert job_event'],
  ['update listing set a = $1', 'update listing'],
  ['delete from "session" where id = $1', 'delete session'],
  [
    "with found as (select 1 from x where n = 'delete from secret') select * from found",
    'with found: select x',
  ],
  ['with taken as (update job_queue set a = 1) select 1 from taken', 'with taken: update job_queue'],
  ['select id from job for update skip locked', 'select job'],
  ['begin', 'begin'],
  ['', 'statement'],
])('%s is called %s', (text, name) => {
  expect(statementName(text)).toBe(name)
})

test.each([
  ['/v1/customers/cus_Q1x?expand=a', '/v1/customers/{id}'],
  ['/v1/checkout/sessions', '/v1/checkout/sessions'],
  ['/bucket/5f/5fd924625f6ab16a19cc9807c7c506ae', '/bucket/{id}/{id}'],
])('%s is reported as %s', (path, pattern) => {
  expect(pathPattern(path)).toBe(pattern)
})

test('off, work is just done, and one file alone can load OpenTelemetry, where it is switched on', async () => {
  expect(await traced({ name: 'a', kind: 'consumer', facts: {} }, async () => 1)).toBe(1)
  const loading = readSourceTree().filter(
    ({ path, text }) =>
      !path.endsWith('.test.ts') && path.startsWith('server/') && text.includes("'@opentelemetry/"),
  )
  expect(loading.map(({ path }) => path)).toEqual(['server/platform/tracing/telemetry.ts'])
  const importing = readSourceTree().flatMap(({ path, text }) =>
    /^import (?!type)[^\n]*telemetry\.ts'/m.test(text) && !path.endsWith('.test.ts') ? [path] : [],
  )
  expect(importing).toEqual([])
})
